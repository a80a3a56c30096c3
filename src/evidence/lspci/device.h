// One function of an lspci listing, line by line. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "model/pci_address.h"

namespace gpumedic::evidence::lspci {

/// What the lines of one device said; an empty text was not shown.
struct Device {
    model::PciAddress address{};
    std::uint64_t line{};
    std::string header{};  // the header line, as printed
    std::string class_digits{};
    std::string vendor{};
    std::string device{};
    std::string vendor_name{};
    std::string kind{};
    std::string rev{};
    std::string header_type{};
    std::string driver{};
    std::string lnkcap_speed{};
    std::string lnkcap_width{};
    std::string lnksta_speed{};
    std::string lnksta_width{};
    std::string iommu_group{};
    std::string unassigned_regions{};  // "1" or "1,3": BARs without an address
    bool answered{false};              // a capability, a BAR or a byte other than ff was read
    std::uint64_t dump_bytes{0};       // of a hex dump
    bool dump_all_ones{true};

    [[nodiscard]] bool nvidia() const;
    /// "all_ones", "answers" or "": dead marks win, because lspci prints regions from the kernel's memory, not from the
    /// device.
    [[nodiscard]] std::string_view config() const;
};

/// "0000:5a:00.0 3D controller [0302]: NVIDIA Corporation Device [10de:1db6] (rev a1)"; nothing when it is not a header
/// line.
[[nodiscard]] std::optional<Device> parse_header(std::string_view line);

/// Reads one line below a header into the device. False when the line says nothing that we keep.
bool parse_detail(std::string_view line, Device& device);

}  // namespace gpumedic::evidence::lspci
