#include "truth.h"

#include <algorithm>

#include "base/text.h"
#include "model/pci_address.h"

namespace gpumedic::replay {

bool names(const model::Device& device, const std::string& wanted) {
    if (const auto address = model::parse_pci_address(wanted)) return device.pci == address->to_string();
    if (device.index && base::lower(wanted) == "gpu " + std::to_string(*device.index)) return true;
    return !device.uuid.empty() && base::lower(device.uuid) == base::lower(wanted);
}

bool is_among(const std::string& pci, const std::vector<std::string>& devices) {
    const auto address = model::parse_pci_address(pci);
    const auto same = [&](const auto& d) {
        return !model::parse_pci_address(d) || model::parse_pci_address(d)->same_card(*address);
    };
    return devices.empty() || std::ranges::any_of(devices, same);
}

bool one_of(const std::string& value, const std::string& expected, const std::vector<std::string>& also) {
    return value == expected || std::ranges::find(also, value) != also.end();
}

}  // namespace gpumedic::replay
