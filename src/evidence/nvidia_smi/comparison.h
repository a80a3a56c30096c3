// What a listing says about a GPU only when values are held against each other. Pure.
#pragma once

#include <span>

#include "evidence/nvidia_smi/gpu.h"

namespace gpumedic::evidence::nvidia_smi {

/// Adds, where the listing shows enough for it: `slowdown_margin` (degrees C below the GPU's own slowdown limit, zero
/// or less at and above it) and `lanes_below_peers` (how many PCIe lanes it has less than the widest GPU of the same
/// name and the same maximum in this listing).
void add_comparisons(std::span<Gpu* const> gpus);

}  // namespace gpumedic::evidence::nvidia_smi
