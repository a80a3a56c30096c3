// The catalogue that the build compiled into the program.
#pragma once

#include <string_view>

namespace gpumedic::knowledge {

/// The bytes that apps/catalogc wrote, for read_blob(). Lives as long as the program. Implemented by the target
/// gpumedic_embedded_catalogue (apps/catalogc), which only the programs link: tests load catalogues of their own.
[[nodiscard]] std::string_view embedded_catalogue();

}  // namespace gpumedic::knowledge
