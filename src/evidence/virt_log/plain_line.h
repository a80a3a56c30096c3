// Lines that libvirt's daemons, virsh and QEMU print themselves.
#pragma once

#include <optional>
#include <string_view>

#include "base/timestamp.h"
#include "model/record.h"

namespace gpumedic::evidence {

/// Views into the line; fields that the form does not have are empty.
struct PlainLine {
    model::RecordType type{model::RecordType::qemu};
    std::optional<base::Timestamp> time{};
    std::string_view level{};    // libvirt: error, warning, info, debug
    std::string_view program{};  // QEMU: qemu-system-x86_64, qemu-kvm
    std::string_view message{};
};

/// Nothing where the line has none of these forms:
///   2025-10-10 13:26:03.480+0000: 1234: error : virPCIGetHeaderType:2788 : internal error: ...   (libvirtd, virtqemud)
///   error: internal error: ...                                                                 (virsh)
///   libvirt.libvirtError: internal error: ...                                                  (Python bindings)
///   2026-02-11T18:22:40.118312Z qemu-system-x86_64: ...   qemu-kvm: ...   -device vfio-pci,...: vfio ...   (QEMU)
///   2025-05-15 13:49:50.488+0000: starting up libvirt version: ...                             (libvirt, in QEMU's
///   log)
/// Pure, thread-safe.
[[nodiscard]] std::optional<PlainLine> parse_plain_line(std::string_view line, const base::TimeContext& context);

/// Whether "error: ..." is worded as libvirt words its errors; many other tools begin a line like that.
[[nodiscard]] bool is_libvirt_wording(std::string_view message);

}  // namespace gpumedic::evidence
