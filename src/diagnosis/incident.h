// From selected hypotheses to an incident that can be told to a person.
#pragma once

#include <vector>

#include "diagnosis/diagnose.h"
#include "diagnosis/hypothesis.h"

namespace gpumedic::diagnosis {

struct Scene {
    const knowledge::Index& catalogue;
    const Evidence& evidence;
    const NodeView& node;
    const std::vector<Hypothesis>& hypotheses;
};

/// One incident of the roots, which are hypotheses of the same fault (one or several devices).
[[nodiscard]] Finding make_finding(const Scene& scene, const std::vector<std::size_t>& roots);

/// A benign explanation that won.
[[nodiscard]] model::BenignFinding make_benign(const Scene& scene, std::size_t root);

/// The evidence lines of one observation: the first, and the last where it repeats.
[[nodiscard]] std::vector<model::EvidenceItem> evidence_items(const Scene& scene, std::size_t observation);

}  // namespace gpumedic::diagnosis
