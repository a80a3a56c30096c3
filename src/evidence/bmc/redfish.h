// Redfish documents as trees -> events. Pure.
#pragma once

#include <vector>

#include "base/timestamp.h"
#include "codec/value.h"
#include "evidence/bmc/event.h"

namespace gpumedic::evidence::bmc {

/// Events of a LogEntry, of a collection (`Members`), of an event message (`Events`) or of a bare list, with the
/// message in `event`; of Sensor, Thermal and Power what is outside of its limits; of a ComputerSystem its power state,
/// as ipmitool has them. None for other documents.
[[nodiscard]] std::vector<Event> events_of_json(const codec::Value& document, const base::TimeContext& context);

}  // namespace gpumedic::evidence::bmc
