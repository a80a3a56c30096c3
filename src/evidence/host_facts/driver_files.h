// What the NVIDIA driver's own files and modinfo say. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "evidence/host_facts/fact.h"

namespace gpumedic::evidence::host_facts {

/// "NVRM version: NVIDIA UNIX x86_64 Kernel Module  550.90.07  ..." of /proc/driver/nvidia/version.
[[nodiscard]] std::optional<Fact> parse_driver_version(std::string_view line);

/// "RegistryDwords: ..." of /proc/driver/nvidia/params: one word, a colon, a number or a quoted text.
[[nodiscard]] std::optional<Fact> parse_parameter(std::string_view line);
/// Whether the parameter is one that only this file has; the others are too plain to recognise it by.
[[nodiscard]] bool is_known_parameter(std::string_view name);

/// One block of /proc/driver/nvidia/gpus/*/information. Not thread-safe.
class GpuInformation {
public:
    /// False when the line is none of this file.
    bool line(std::string_view text);
    [[nodiscard]] bool open() const { return !values_.empty(); }
    /// Starts a block? ("Model:")
    [[nodiscard]] static bool starts(std::string_view text);
    /// The facts of the block: the GPU, and whether the driver leaves it out.
    [[nodiscard]] std::vector<Fact> take();

private:
    [[nodiscard]] std::string_view value(std::string_view key) const;
    std::vector<std::pair<std::string, std::string>> values_;
};

/// modinfo: "version:        550.90.07", "firmware:  nvidia/550.90.07/gsp_ga10x.bin".
[[nodiscard]] std::optional<Fact> parse_module_info(std::string_view line);
/// The path of "filename:       /lib/modules/.../nvidia.ko", or "".
[[nodiscard]] std::string_view module_file(std::string_view line);

}  // namespace gpumedic::evidence::host_facts
