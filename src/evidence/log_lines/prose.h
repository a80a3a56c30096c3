// What a person wrote about a GPU: figures with their units, and what was tried. Weak evidence: it is hearsay.
#pragma once

#include <string_view>
#include <vector>

#include "model/record.h"

namespace gpumedic::evidence {

/// Fields of a `text` record, in English and Korean:
///   celsius, watts: the first figure with that unit ("95 C", "95도", "600 W")
///   tried: reboot, power_cycle, gpu_reset, driver_reload, reseat, swap, vm_restart (the first that is named)
///   result: unchanged, where the words say that it did not help
/// Empty for most lines; pure, thread-safe.
[[nodiscard]] std::vector<model::Field> prose_fields(std::string_view text);

}  // namespace gpumedic::evidence
