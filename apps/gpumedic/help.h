// Help texts, made from the command table. Pure.
#pragma once

#include <string>
#include <vector>

#include "cli.h"

namespace gpumedic::cli {

[[nodiscard]] std::string render_overview(const std::vector<CommandInfo>& table);
[[nodiscard]] std::string render_help(const CommandInfo& command);

}  // namespace gpumedic::cli
