// Actions, checks and the commands that people are told to run.
#include <fmt/format.h>

#include <algorithm>

#include "knowledge/compiler.h"
#include "knowledge/suggest.h"

namespace gpumedic::knowledge {
namespace {

/// The ladder, lowest rung first; update_firmware_or_driver stands beside it.
const std::vector<std::string_view>& rungs() {
    static const std::vector<std::string_view> kRungs{
        "none",      "wait",        "investigate", "restart_app",        "fix_config", "reload_driver",
        "reset_gpu", "warm_reboot", "cold_reboot", "reseat_or_check_hw", "replace_hw", "update_firmware_or_driver"};
    return kRungs;
}

bool is_word(char c) { return (c >= 'a' && c <= 'z') || c == '_'; }

}  // namespace

std::vector<std::string> unknown_placeholders(std::string_view text, const std::vector<std::string_view>& known) {
    std::vector<std::string> unknown;
    for (std::size_t open = text.find('{'); open != std::string_view::npos; open = text.find('{', open + 1)) {
        std::size_t end = open + 1;
        while (end < text.size() && is_word(text[end])) ++end;
        const std::string_view name = text.substr(open + 1, end - open - 1);
        const bool closed = end < text.size() && text[end] == '}';
        const bool shell = open > 0 && text[open - 1] == '$';
        if (name.empty() || !closed || shell || name == "print") continue;
        if (std::find(known.begin(), known.end(), name) == known.end()) unknown.emplace_back(name);
    }
    return unknown;
}

void check_command(const std::string& command, const Place& place, ProblemList& problems) {
    static const std::vector<std::string_view> kKnown{"pci", "node", "vm", "namespace", "uuid", "index", "iommu_group"};
    for (const auto& name : unknown_placeholders(command, kKnown)) {
        problems.warn(Mistake::unknown_placeholder, place, fmt::format("a command has no placeholder '{{{}}}'", name),
                      suggest(name, kKnown));
    }
}

void compile_actions(const Collected& collected, ProblemList& problems) {
    for (const auto& definition : collected.definitions.actions) {
        if (definition.node == nullptr) continue;
        const Action& action = definition.value;
        if (!action.class_.empty() && std::find(rungs().begin(), rungs().end(), action.class_) == rungs().end()) {
            problems.error(
                Mistake::not_a_rung, locate(definition.node, definition.place, "class", action.class_),
                fmt::format("the class '{}' of action '{}' is no rung of the ladder", action.class_, action.id),
                suggest(action.class_, rungs()));
        }
        for (const auto& step : action.steps) {
            check_command(step.command, locate(definition.node, definition.place, "steps", step.command), problems);
        }
    }
    for (const auto& definition : collected.definitions.checks) {
        if (definition.node == nullptr) continue;
        const std::string& command = definition.value.command;
        check_command(command, locate(definition.node, definition.place, "command", command), problems);
    }
}

}  // namespace gpumedic::knowledge
