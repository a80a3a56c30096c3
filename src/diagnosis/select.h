// The smallest, likeliest set of root faults that explains the problems of one boot.
#pragma once

#include <cstddef>
#include <vector>

#include "diagnosis/hypothesis.h"

namespace gpumedic::diagnosis {

struct Selection {
    std::vector<std::size_t> roots;        // hypotheses, in the order of how much they explain
    std::vector<std::size_t> unexplained;  // observations that are problems and that no root explains
};

/// Greedy cover: take the hypothesis that explains most of what is still unexplained, a root costing something; stop
/// where a further root explains less than it costs. Deterministic for the same observations whatever their order.
[[nodiscard]] Selection select_roots(const NodeView& node, const std::vector<Hypothesis>& hypotheses,
                                     std::uint32_t epoch);

/// Everything that follows from a hypothesis, itself first.
[[nodiscard]] std::vector<std::size_t> closure(const std::vector<Hypothesis>& hypotheses, std::size_t root);

}  // namespace gpumedic::diagnosis
