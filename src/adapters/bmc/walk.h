// Which documents of a Redfish tree are read, and in what order.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/result.h"
#include "ports/service_texts.h"

namespace gpumedic::adapters::bmc {

/// The body of a path ("/redfish/v1/Systems").
using Get = std::function<base::Result<std::string>(const std::string& path)>;

struct WalkLimits {
    std::size_t parts{16};                     // systems, chassis and managers, each
    std::size_t logs{8};                       // of one part
    std::size_t pages{20};                     // of one log
    std::size_t bytes{std::size_t{24} << 20};  // of all texts
};

/// From the service root (DSP0266): each system with its power state, each log of systems, managers and chassis page by
/// page, each chassis' temperatures and power supplies. Texts are as the BMC sent them, named "bmc/redfish/PATH.json".
/// What cannot be read is told beside the rest; a root that cannot is all there is. Each document is asked for once.
[[nodiscard]] std::vector<ports::ServiceText> walk(const Get& get, const WalkLimits& limits = {});

}  // namespace gpumedic::adapters::bmc
