#include <fmt/format.h>

#include <algorithm>

#include "knowledge/compiler.h"
#include "knowledge/suggest.h"

namespace gpumedic::knowledge {
namespace {

constexpr std::string_view kBenignClass = "healthy";
constexpr std::string_view kFamilySuffix = ".*";

const codec::Value* find_below(const codec::Value& node, std::string_view text) {
    if (node.is_scalar()) return node.scalar == text ? &node : nullptr;
    for (const auto& item : node.items) {
        if (const auto* found = find_below(item, text)) return found;
    }
    for (const auto& member : node.members) {
        if (const auto* found = find_below(member.value, text)) return found;
    }
    return nullptr;
}

}  // namespace

void KnownNames::Names::add(std::string name) {
    const auto [position, added] = set.insert(std::move(name));
    if (added) list.push_back(*position);  // elements of a node-based set do not move
}

KnownNames::KnownNames(const Collected& collected) {
    const auto& all = collected.definitions;
    add_signals(all.signals);
    const auto add = [&](Kind kind, const auto& definitions, std::string_view folder) {
        Names& target = names_[static_cast<std::size_t>(kind)];
        for (const auto& definition : definitions) target.add(definition.value.id);
        target.complete = !collected.unreadable.contains(folder);
    };
    add(Kind::fault, all.faults, "faults");
    add(Kind::action, all.actions, "actions");
    add(Kind::check, all.checks, "checks");
    add(Kind::fault_class, all.classes, "classes");
    names_[static_cast<std::size_t>(Kind::fault_class)].add(std::string(kBenignClass));
    names_[static_cast<std::size_t>(Kind::signal)].complete = !collected.unreadable.contains("signals");
}

void KnownNames::add_signals(const std::vector<Definition<Signal>>& signals) {
    Names& target = names_[static_cast<std::size_t>(Kind::signal)];
    for (const auto& definition : signals) {
        const Signal& signal = definition.value;
        if (signal.codes.empty()) {
            target.add(signal.id);
            continue;
        }
        with_codes_.insert(signal.id);
        for (const auto& code : signal.codes) target.add(signal.id + "." + code.code);
        target.add(signal.id + ".other");
    }
}

bool KnownNames::has(Kind kind, std::string_view name) const {
    const Names& known = names(kind);
    if (!known.complete) return true;
    if (kind == Kind::signal && name.ends_with(kFamilySuffix)) {
        return std::any_of(known.list.begin(), known.list.end(),
                           [&](std::string_view id) { return matches_id(name, id); });
    }
    return known.set.contains(std::string(name));
}

std::string KnownNames::help_for(Kind kind, std::string_view name) const {
    if (kind == Kind::signal && with_codes_.contains(std::string(name))) {
        return fmt::format("'{0}' has codes and is seen as '{0}.<code>': write '{0}.*' or one code", name);
    }
    return suggest(name, names(kind).list);
}

Place locate(const codec::Value* node, const Place& definition, std::string_view section, std::string_view text) {
    const codec::Value* part = node == nullptr ? nullptr : node->find(section);
    if (part == nullptr || definition.document == nullptr) return definition;
    const codec::Value* found = find_below(*part, text);
    return place_of(*definition.document, found == nullptr ? *part : *found);
}

}  // namespace gpumedic::knowledge
