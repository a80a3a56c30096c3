// A node's expected inventory as a YAML file that a person reviews: schema gpumedic.baseline/v1.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/localized.h"
#include "verify/inventory.h"

namespace gpumedic::verify {

/// Empty and absent values are not expected to be anything.
struct ExpectedDevice {
    std::string kind{"gpu"};
    std::string id{};
    std::string model{};
    std::string driver{};
    std::string iommu_group{};
    std::string width{};
    std::optional<std::uint32_t> links{};
    bool operator==(const ExpectedDevice&) const = default;
};

struct Baseline {
    std::string node{};
    std::string saved{};                               // RFC 3339
    std::map<std::string, ExpectedDevice> devices{};   // by PCI address: NVIDIA's, and the members of their groups
    std::map<std::string, std::string> versions{};     // driver, fabric_manager, kernel
    std::map<std::string, std::string> allocatable{};  // by resource
    std::vector<std::string> vms{};                    // "namespace/name" that should run here
    [[nodiscard]] bool empty() const { return devices.empty() && allocatable.empty() && vms.empty(); }
};

/// What is there now becomes what is expected. `saved` is the present, RFC 3339.
[[nodiscard]] Baseline baseline_of(const Inventory& seen, std::string node, std::string saved);

[[nodiscard]] std::string render_yaml(const Baseline& baseline);
/// Errors name line and column. Unknown fields are mistakes: a misspelt one would expect nothing.
[[nodiscard]] base::Result<Baseline> parse_baseline(std::string_view text, const std::string& path);

struct Difference {
    std::string what{};      // "0000:ed:00.0", "allocatable nvidia.com/gpu", "version driver"
    std::string field{};     // "driver"; empty: the thing itself
    std::string expected{};  // empty: it was not expected
    std::string seen{};      // empty: it was not seen
};

/// Only what the inventory shows is compared: what was not read differs from nothing, except a device that a listing of
/// the PCI devices leaves out.
[[nodiscard]] std::vector<Difference> differences(const Baseline& expected, const Inventory& seen);

}  // namespace gpumedic::verify
