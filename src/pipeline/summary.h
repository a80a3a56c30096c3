// The sentence below the verdict, and what to collect when there is no answer yet.
#pragma once

#include <vector>

#include "knowledge/catalogue.h"
#include "model/diagnosis.h"

namespace gpumedic::pipeline {

enum class GpuEvidence { none, some };

[[nodiscard]] model::Localized summarise(const model::Diagnosis& diagnosis, GpuEvidence evidence);

/// The walk of an engineer who has nothing yet: the steps of the catalogue's action `investigate`.
[[nodiscard]] std::vector<model::MissingEvidence> what_to_collect(const knowledge::Index& catalogue);

}  // namespace gpumedic::pipeline
