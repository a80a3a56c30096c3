// What was broken: the open incident of a saved diagnosis (`diagnose -o json`).
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace gpumedic::verify {

struct Repair {
    std::string fault{};
    std::string action{};  // the class that was proposed: "cold_reboot"
    std::string node{};
    std::string boot_id{};                                 // where the diagnosis knew it
    std::vector<std::string> devices{};                    // PCI addresses, root first
    std::vector<std::string> vms{};                        // "namespace/name"
    std::optional<std::chrono::microseconds> last_seen{};  // since 1970
};

/// The first open incident of a gpumedic.diagnosis/v1 document (else the first). `not_found`: it holds none.
[[nodiscard]] base::Result<Repair> parse_repair(std::string_view json, const std::string& path);

}  // namespace gpumedic::verify
