// Lines of ipmitool. Pure.
#pragma once

#include <optional>
#include <string_view>

#include "base/timestamp.h"
#include "evidence/bmc/event.h"

namespace gpumedic::evidence::bmc {

/// "  1a | 02/01/2025 | 08:00:01 UTC | Power Supply PS1 | Failure detected | Asserted"; "Pre-Init" entries have no
/// time.
[[nodiscard]] std::optional<Event> parse_log_row(std::string_view line, const base::TimeContext& context);

/// A row of `sensor` (ten cells), `sdr` (three) or `sdr elist` (five). `event.status` is empty within the limits.
[[nodiscard]] std::optional<Event> parse_sensor_row(std::string_view line);

/// "Main Power Fault     : false", "System restart cause: ...", "Chassis Power is on". Nothing for other lines.
[[nodiscard]] std::optional<Event> parse_chassis_line(std::string_view line);
/// Whether a chassis line says something: a state of power, an event, a fault that is set.
[[nodiscard]] bool is_telling(const Event& chassis);

}  // namespace gpumedic::evidence::bmc
