#include "model/pci_address.h"

#include <fmt/format.h>

#include "base/text.h"

namespace gpumedic::model {
namespace {

std::optional<std::uint32_t> hex(std::string_view text, std::size_t min_digits, std::size_t max_digits) {
    if (text.size() < min_digits || text.size() > max_digits) return std::nullopt;
    return base::parse_number<std::uint32_t>(text, 16);
}

bool starts_with_pci_prefix(std::string_view text) {
    return text.size() > 4 && base::lower(text.substr(0, 4)) == "pci:";
}

}  // namespace

std::string PciAddress::to_string() const {
    return fmt::format("{:04x}:{:02x}:{:02x}.{:x}", domain, bus, device, function);
}

std::optional<PciAddress> parse_pci_address(std::string_view text) {
    if (starts_with_pci_prefix(text)) text.remove_prefix(4);
    PciAddress out;
    if (const auto dot = text.rfind('.'); dot != std::string_view::npos) {
        const auto function = hex(text.substr(dot + 1), 1, 1);
        if (!function || *function > 7) return std::nullopt;
        out.function = static_cast<std::uint8_t>(*function);
        text = text.substr(0, dot);
    }
    const auto parts = base::split(text, ':');
    if (parts.size() < 2 || parts.size() > 3) return std::nullopt;
    const auto device = hex(parts.back(), 2, 2);
    const auto bus = hex(parts[parts.size() - 2], 2, 2);
    if (!device || !bus || *device > 31) return std::nullopt;
    if (parts.size() == 3) {
        const auto domain = hex(parts[0], 1, 8);
        if (!domain) return std::nullopt;
        out.domain = *domain;
    }
    out.bus = static_cast<std::uint8_t>(*bus);
    out.device = static_cast<std::uint8_t>(*device);
    return out;
}

}  // namespace gpumedic::model
