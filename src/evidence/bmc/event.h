// One thing that a BMC says. Plain values.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/timestamp.h"

namespace gpumedic::evidence::bmc {

/// Empty texts were not shown.
struct Event {
    std::optional<base::Timestamp> time{};
    std::string id{};
    std::string sensor{};
    std::string event{};
    std::string state{};  // asserted or deasserted
    std::string value{};
    std::string unit{};
    std::string status{};    // nc, cr, nr
    std::string severity{};  // Redfish
};

}  // namespace gpumedic::evidence::bmc
