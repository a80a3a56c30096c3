// How sure we are that a text is kubectl's. Pure.
#pragma once

#include "ports/reader.h"

namespace gpumedic::evidence::kubectl {

/// 0..100, by the command of a transcript, else by what the text begins with.
[[nodiscard]] int certainty(const ports::Head& head);

}  // namespace gpumedic::evidence::kubectl
