// Action follows diagnosis.
#pragma once

#include "diagnosis/diagnose.h"
#include "knowledge/catalogue.h"

namespace gpumedic::plan {

/// Fills action, verification and blast radius of the finding's incident. Pure; thread-safe.
void add_plan(const knowledge::Index& catalogue, diagnosis::Finding& finding);

/// Does the condition hold for this incident? Names are signals about it ("xid.*" a family) or "fault:<id>".
[[nodiscard]] bool holds(const knowledge::Condition& condition, const diagnosis::Finding& finding);

}  // namespace gpumedic::plan
