// "did you mean": the known word that differs from a typed one by a slip or two. Pure.
#pragma once

#include <string_view>
#include <vector>

namespace gpumedic::cli {

/// "" when nothing is near.
[[nodiscard]] std::string_view nearest(std::string_view word, const std::vector<std::string_view>& known);

}  // namespace gpumedic::cli
