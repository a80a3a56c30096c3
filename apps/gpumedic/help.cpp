#include "help.h"

#include <fmt/format.h>

#include <algorithm>

namespace gpumedic::cli {
namespace {

std::string left_column(const OptionInfo& option) {
    const std::string indent = option.names.starts_with("--") ? "    " : "";  // long names stand in one column
    return indent + option.names + (option.value.empty() ? "" : " " + option.value);
}

std::string choices(const OptionInfo& option) {
    std::string out;
    for (const std::string& choice : option.choices) out += (out.empty() ? ": " : ", ") + choice;
    return out;
}

}  // namespace

std::string render_overview(const std::vector<CommandInfo>& table) {
    std::string out =
        "gpumedic diagnoses GPU faults on Kubernetes nodes that pass NVIDIA GPUs to VMs.\n\n"
        "Usage: gpumedic COMMAND [OPTION...]\n\nCommands:\n";
    for (const CommandInfo& command : table) out += fmt::format("  {:<17} {}\n", command.name, command.summary);
    out +=
        "\nStart here:\n"
        "  gpumedic diagnose evidence/            what is wrong, and what to do\n"
        "  journalctl -k -b | gpumedic diagnose - the same for a stream\n"
        "  gpumedic explain Xid 79                what a code or a line means\n"
        "\nExit codes:\n"
        "  0   healthy, or done                   64  usage\n"
        "  1   fault, failed check, difference    66  no such input, or none of it readable\n"
        "  2   inconclusive, or not known         70  internal error, or the result could not be written\n"
        "                                         78  bad catalogue\n"
        "\n'gpumedic COMMAND --help' tells the options of a command; 'gpumedic --version' the versions.\n";
    return out;
}

std::string render_help(const CommandInfo& command) {
    std::string out{command.summary};
    out += fmt::format("\n\nUsage: gpumedic {}{}{}", command.name, command.options.empty() ? "" : " [OPTION...]",
                       command.operands.empty() ? "" : " ");
    out += fmt::format("{}\n", command.operands);
    std::size_t width = 0;
    for (const OptionInfo& option : command.options) width = std::max(width, left_column(option).size());
    std::string group;
    for (const OptionInfo& option : command.options) {
        if (option.group != group) out += fmt::format("\n{}:\n", option.group);
        group = option.group;
        out += fmt::format("  {:<{}}  {}{}\n", left_column(option), width, option.description, choices(option));
    }
    if (!command.notes.empty()) out += fmt::format("\n{}", command.notes);
    return out;
}

}  // namespace gpumedic::cli
