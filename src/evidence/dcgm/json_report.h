// `dcgmi health -c -j` and `dcgmi diag -j` as a tree -> findings. Pure.
#pragma once

#include <vector>

#include "codec/value.h"
#include "evidence/dcgm/finding.h"

namespace gpumedic::evidence::dcgm {

/// Findings of either report; none for other documents. `line` and `raw` are left to the caller.
[[nodiscard]] std::vector<Finding> findings_of_json(const codec::Value& document);

}  // namespace gpumedic::evidence::dcgm
