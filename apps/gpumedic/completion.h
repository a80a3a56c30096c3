// Completion scripts, made from the command table so that they cannot fall behind it. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "cli.h"

namespace gpumedic::cli {

/// Shells: bash, zsh, fish. Another name is ErrorCode::usage.
[[nodiscard]] base::Result<std::string> render_completion(std::string_view shell,
                                                          const std::vector<CommandInfo>& table);

}  // namespace gpumedic::cli
