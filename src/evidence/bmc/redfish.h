// Redfish log entries as trees -> events. Pure.
#pragma once

#include <vector>

#include "base/timestamp.h"
#include "codec/value.h"
#include "evidence/bmc/event.h"

namespace gpumedic::evidence::bmc {

/// Events of a LogEntry, of a collection (`Members`), of an event message (`Events`) or of a bare list; none for other
/// documents. The message is in `event`.
[[nodiscard]] std::vector<Event> events_of_json(const codec::Value& document, const base::TimeContext& context);

}  // namespace gpumedic::evidence::bmc
