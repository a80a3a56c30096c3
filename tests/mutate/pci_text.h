// PCI addresses in running text, in every spelling that tools use.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace gpumedic::mutate {

struct Spelled {
    std::size_t domain_digits{};  // 0 (none), 4, 8
    std::uint32_t domain{};
    std::uint32_t bus{};
    std::uint32_t device{};
    std::optional<std::uint32_t> function{};
    char separator{':'};  // "0000:ed:00.0"; libvirt's node devices: "pci_0000_ed_00_0"
    bool upper{};
};

/// The text with each address replaced by what `change` makes of it. Times ("21:43:07.1") are no addresses.
[[nodiscard]] std::string respelled(std::string_view text, const std::function<void(Spelled&)>& change);

}  // namespace gpumedic::mutate
