// A PCI function's address. Linux writes dddd:bb:dd.f; other tools leave out the domain or the function, or write 8
// domain digits.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace gpumedic::model {

struct PciAddress {
    std::uint32_t domain{};
    std::uint8_t bus{};
    std::uint8_t device{};    // 0..31
    std::uint8_t function{};  // 0..7

    auto operator<=>(const PciAddress&) const = default;

    /// "0000:ed:00.0", lower case; the domain grows past four digits only where it must (VMD domains).
    [[nodiscard]] std::string to_string() const;
    /// Functions of one card share domain, bus and device.
    [[nodiscard]] bool same_card(const PciAddress& other) const {
        return domain == other.domain && bus == other.bus && device == other.device;
    }
};

/// Reads "0000:ed:00.0", "ed:00.0", "0000:ED:00", "00000000:ED:00.0", "PCI:0000:ed:00", "GPU-0000:ed:00.0" is refused.
/// A missing domain or function counts as 0. Nothing else may stand before or after. Thread-safe.
[[nodiscard]] std::optional<PciAddress> parse_pci_address(std::string_view text);

}  // namespace gpumedic::model
