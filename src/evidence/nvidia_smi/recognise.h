// Whether a source is something that nvidia-smi printed. Pure.
#pragma once

#include <string_view>

#include "ports/reader.h"

namespace gpumedic::evidence::nvidia_smi {

/// "sudo nvidia-smi -q | grep x" and "docker run img nvidia-smi": the tool's name is a word of the first stage of the
/// pipe.
[[nodiscard]] bool runs_nvidia_smi(std::string_view command);
/// How sure the command or the first lines make us, 0 to 100.
[[nodiscard]] int recognise(const ports::Head& head);

}  // namespace gpumedic::evidence::nvidia_smi
