// Rows of package managers. Pure.
#pragma once

#include <optional>
#include <string_view>

#include "evidence/host_facts/fact.h"

namespace gpumedic::evidence::host_facts {

/// Whether a name is one of the GPU stack: drivers, CUDA, fabric manager, DCGM, MFT ...
[[nodiscard]] bool is_gpu_package(std::string_view name);

/// "ii  nvidia-driver-550   550.90.07-0ubuntu1   amd64   NVIDIA driver metapackage".
[[nodiscard]] std::optional<Fact> parse_dpkg_row(std::string_view line);
/// "Desired=Unknown/Install...", "||/ Name ...": the head of dpkg's list.
[[nodiscard]] bool is_dpkg_head(std::string_view line);

/// "kmod-nvidia-latest-dkms-550.90.07-1.el9.x86_64".
[[nodiscard]] std::optional<Fact> parse_rpm_row(std::string_view line);

}  // namespace gpumedic::evidence::host_facts
