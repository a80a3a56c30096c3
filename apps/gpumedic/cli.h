// The command line: text to values, and values about it (for help and completion). CLI11 and its exceptions end in
// cli.cpp.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "arguments.h"
#include "base/result.h"

namespace gpumedic::cli {

struct OptionInfo {
    std::string names;  // "-o, --output"
    std::string value;  // "FORM"; empty for a flag
    std::string description;
    std::string group;                 // heading in the help
    std::vector<std::string> choices;  // where the value is one of a few
};

struct CommandInfo {
    Command command;
    std::string_view name;      // "diagnose", "catalog list"
    std::string_view operands;  // "[PATH...]"
    std::string_view summary;
    std::string_view notes;  // examples and remarks, below the options
    std::vector<OptionInfo> options;
};

/// All commands with their options, in the order of the help.
[[nodiscard]] std::vector<CommandInfo> command_table();

/// `words` without the program's name. Errors are ErrorCode::usage, with what to do in `help`.
[[nodiscard]] base::Result<Arguments> parse_arguments(const std::vector<std::string>& words);

}  // namespace gpumedic::cli
