// "did you mean": the nearest of the known names. Private to the module. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gpumedic::knowledge {

/// The known name that differs from `name` by a typing mistake or two, or "".
[[nodiscard]] std::string nearest_name(std::string_view name, const std::vector<std::string_view>& known);

/// "did you mean 'x'?", else "one of: a, b, c" (at most a dozen names), else "".
[[nodiscard]] std::string suggest(std::string_view name, const std::vector<std::string_view>& known);

}  // namespace gpumedic::knowledge
