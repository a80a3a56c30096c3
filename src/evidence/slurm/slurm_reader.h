// Reads what Slurm's tools print.
#pragma once

#include "ports/reader.h"

namespace gpumedic::evidence {

/// sinfo, squeue, sacct, `scontrol show node|job`, and fragments of slurm.conf and gres.conf. Gives `slurm_node` and
/// `slurm_job` records; every other line goes on as `text`. Thread-safe.
[[nodiscard]] ports::ReaderKind slurm_kind();

}  // namespace gpumedic::evidence
