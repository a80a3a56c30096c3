// Reads what nvidia-smi prints.
#pragma once

#include "ports/reader.h"

namespace gpumedic::evidence {

/// nvidia-smi's table, `-L`, `-q` (whole, one section, or cut by grep) and `-q -x`, `nvlink -s` and
/// `--query-gpu ... --format=csv`; and the lines it prints instead. `topo` and the counters of `nvlink -e` and `-c` are
/// recognised and left out. Gives `gpu`, `nvlink` and `smi_line` records; what it does not know it leaves out,
/// or hands on as `smi_line` where the line belongs to no listing. Thread-safe.
[[nodiscard]] ports::ReaderKind nvidia_smi_kind();

}  // namespace gpumedic::evidence
