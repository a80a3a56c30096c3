// Reads what dcgmi prints.
#pragma once

#include "ports/reader.h"

namespace gpumedic::evidence {

/// `dcgmi health -c` and `dcgmi diag` (tables and -j), `dcgmi dmon`, `dcgmi nvlink -s`. Gives `dcgm` and `nvlink`
/// records; lines outside of any report go on as `text`, other tables of dcgmi give nothing. Thread-safe.
[[nodiscard]] ports::ReaderKind dcgm_kind();

}  // namespace gpumedic::evidence
