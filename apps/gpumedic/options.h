// The options of each command, as CLI11 is told them.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "arguments.h"

namespace gpumedic::cli {

/// CLI11 wants variables to write to; they are read back into Arguments afterwards.
struct Raw {
    Arguments arguments;
    std::string format{"text"};
    std::string colour{"auto"};
    int boot{0};
    int boots{0};
};

/// The forms of a command's result, the default first.
[[nodiscard]] std::vector<std::string> forms_of(Command command);

/// Options of one command, and its operands. `raw` must outlive the parsing.
void define(CLI::App& app, Command command, Raw& raw);

}  // namespace gpumedic::cli
