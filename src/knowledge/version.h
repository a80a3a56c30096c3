// The catalogue's version string. Private to the module.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gpumedic::knowledge {

/// "<project version>+<8 hex digits>": an FNV-1a hash of the texts, in the order given (that of the paths).
[[nodiscard]] std::string catalogue_version(const std::vector<std::string_view>& texts);

}  // namespace gpumedic::knowledge
