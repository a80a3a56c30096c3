// Runs the examples that every definition carries: documentation that cannot rot.
#pragma once

#include <vector>

#include "knowledge/catalogue.h"
#include "knowledge/loader.h"

namespace gpumedic::signals {

/// One Problem (CAT-080: an example does not match, CAT-081: a near miss matches, CAT-082: another id or capture than
/// promised) each.
[[nodiscard]] std::vector<knowledge::Problem> check_examples(const knowledge::Catalogue& catalogue);

}  // namespace gpumedic::signals
