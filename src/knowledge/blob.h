// The compiled catalogue as bytes, embedded in the program: nothing is parsed as YAML at start.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "knowledge/catalogue.h"

namespace gpumedic::knowledge {

[[nodiscard]] std::string write_blob(const Catalogue& catalogue);
/// Nothing when the bytes are not of this build's form (our bug, or a damaged program).
[[nodiscard]] std::optional<Catalogue> read_blob(std::string_view bytes);

}  // namespace gpumedic::knowledge
