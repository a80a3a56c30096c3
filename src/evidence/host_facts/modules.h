// Rows about kernel modules. Pure.
#pragma once

#include <optional>
#include <string_view>

#include "evidence/host_facts/fact.h"

namespace gpumedic::evidence::host_facts {

/// "nvidia  56717312  2 nvidia_uvm,nvidia_modeset" of lsmod, "nvidia 56717312 2 nvidia_uvm, Live 0x0" of /proc/modules.
[[nodiscard]] std::optional<Fact> parse_module_row(std::string_view line);
/// "Module                  Size  Used by".
[[nodiscard]] bool is_module_header(std::string_view line);
/// "nvidia/550.90.07, 6.8.0-45-generic, x86_64: installed" and the older "nvidia, 550.90.07, ...".
[[nodiscard]] std::optional<Fact> parse_dkms_row(std::string_view line);

}  // namespace gpumedic::evidence::host_facts
