#include "bundle/bare_lines.h"

#include <algorithm>
#include <array>
#include <span>

#include "base/text.h"

namespace gpumedic::bundle {
namespace {

/// Only what the kernel's own code prints in front: a word of prose must not do.
constexpr std::array<std::string_view, 10> kKernel{
    "NVRM: ",     "nvidia-nvlink: ", "nvidia-nvswitch", "nvidia-uvm: ", "vfio-pci 0",
    "pcieport 0", "DMAR: ",          "AMD-Vi: ",        "pci 0000:",    "nvidia 0000:"};
constexpr std::array<std::string_view, 5> kSlurm{"srun: ", "salloc: ", "sbatch: ", "slurmd: ", "slurmctld: "};

bool starts_with_any(std::string_view line, std::span<const std::string_view> starts) {
    return std::ranges::any_of(starts, [&](std::string_view start) { return line.starts_with(start); });
}

}  // namespace

void BareLines::see(std::string_view line) {
    line = base::trim(line);
    if (line.empty() || line.starts_with('#')) return;
    ++lines_;
    if (starts_with_any(line, kKernel)) ++kernel_;
    if (line.starts_with("Linux version ")) has_boot_ = true;
    if (starts_with_any(line, kSlurm)) ++slurm_;
}

std::string_view BareLines::kind() const {
    // A whole boot (dmesg -t) is mostly other subsystems' lines.
    if (kernel_ > 0 && (has_boot_ || kernel_ * 2 >= lines_)) return "kernel messages";
    if (slurm_ > 0 && slurm_ * 2 >= lines_) return "slurm messages";
    return {};
}

}  // namespace gpumedic::bundle
