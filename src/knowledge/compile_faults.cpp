// References, plan and texts of faults.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "knowledge/compiler.h"

namespace gpumedic::knowledge {
namespace {

using FaultDefinition = Definition<Fault>;
using Kind = KnownNames::Kind;

constexpr std::string_view kFaultPrefix = "fault:";

std::string_view name_of(Kind kind) {
    switch (kind) {
        case Kind::signal: return "signal";
        case Kind::fault: return "fault";
        case Kind::action: return "action";
        case Kind::check: return "check";
        case Kind::fault_class: return "class";
    }
    return "name";
}

Mistake mistake_of(Kind kind) {
    switch (kind) {
        case Kind::signal: return Mistake::unknown_signal;
        case Kind::fault: return Mistake::unknown_fault;
        case Kind::action: return Mistake::unknown_action;
        case Kind::check: return Mistake::unknown_check;
        case Kind::fault_class: return Mistake::unknown_class;
    }
    return Mistake::unknown_signal;
}

/// A condition names a signal, or "fault:<id>".
Reference condition_reference(const std::string& name) {
    if (!name.starts_with(kFaultPrefix)) return {Kind::signal, name, "plan"};
    return {Kind::fault, name.substr(kFaultPrefix.size()), "plan"};
}

void check_references(const FaultDefinition& definition, const KnownNames& known, ProblemList& problems) {
    std::set<std::tuple<Kind, std::string_view, std::string>> reported;
    for (const auto& reference : references_of(definition.value)) {
        if (reference.name.empty() || known.has(reference.kind, reference.name)) continue;
        if (!reported.emplace(reference.kind, reference.section, reference.name).second) continue;
        Place place = locate(definition.node, definition.place, reference.section, reference.name);
        if (reference.kind == Kind::fault && reference.section == "plan") {
            place = locate(definition.node, definition.place, "plan", std::string(kFaultPrefix) + reference.name);
        }
        problems.error(mistake_of(reference.kind), place,
                       fmt::format("unknown {} '{}'", name_of(reference.kind), reference.name),
                       known.help_for(reference.kind, reference.name));
    }
}

void check_plan(const FaultDefinition& definition, ProblemList& problems) {
    const Fault& fault = definition.value;
    if (fault.benign()) return;
    const codec::Value* plan = definition.node->find("plan");
    if (fault.plan.empty()) {
        problems.error(Mistake::no_plan, definition.place, fmt::format("fault '{}' has no plan", fault.id),
                       "add 'plan:' with at least one rule; 'investigate' is an honest action");
        return;
    }
    const auto place_of_rule = [&](std::size_t i) {
        const bool there = plan != nullptr && i < plan->items.size();
        return there ? place_of(*definition.place.document, plan->items[i]) : definition.place;
    };
    const std::size_t last = fault.plan.size() - 1;
    for (std::size_t i = 0; i < last; ++i) {
        if (!fault.plan[i].when.empty()) continue;
        problems.error(Mistake::plan_order, place_of_rule(i + 1),
                       fmt::format("this rule of '{}' is never reached", fault.id),
                       "the rule before it has no 'when' and always holds");
    }
    if (!fault.plan[last].when.empty()) {
        problems.error(Mistake::plan_order, place_of_rule(last),
                       fmt::format("the last rule of the plan of '{}' has a condition", fault.id),
                       "end with a rule without 'when', so that the fault always has an answer");
    }
}

/// `ask_for` prints the signal's `obtain`: without one there is nothing to print.
void check_ask_for(const FaultDefinition& definition, const Collected& collected, ProblemList& problems) {
    for (const auto& wanted : definition.value.ask_for) {
        const auto& signals = collected.definitions.signals;
        const bool nothing = std::any_of(signals.begin(), signals.end(), [&](const auto& signal) {
            const bool named =
                signal.value.id == wanted || (!signal.value.codes.empty() && wanted.starts_with(signal.value.id + "."));
            return named && signal.value.obtain.empty();
        });
        if (!nothing) continue;
        problems.warn(
            Mistake::nothing_to_obtain, locate(definition.node, definition.place, "ask_for", wanted),
            fmt::format("'{}' asks for '{}', which does not say how to obtain it", definition.value.id, wanted),
            "add 'obtain:' to the signal, or leave it out of 'ask_for'");
    }
}

void check_title(const FaultDefinition& definition, ProblemList& problems) {
    const std::vector<std::string_view> known{"device", "vm", "node"};
    for (const auto* text : {&definition.value.title.en, &definition.value.title.ko}) {
        for (const auto& name : unknown_placeholders(*text, known)) {
            problems.warn(Mistake::unknown_placeholder, locate(definition.node, definition.place, "title", *text),
                          fmt::format("a title has no placeholder '{{{}}}'", name),
                          "a title knows {device}, {vm} and {node}");
        }
    }
}

}  // namespace

std::vector<Reference> references_of(const Fault& fault) {
    std::vector<Reference> out;
    const auto add = [&](Kind kind, const auto& names, std::string_view section) {
        for (const auto& name : names) out.push_back({kind, name, section});
    };
    out.push_back({Kind::fault_class, fault.class_, "class"});
    for (const auto& effect : fault.effects) {
        add(Kind::signal, effect.signals, "effects");
        out.push_back({Kind::fault, effect.fault, "effects"});
    }
    for (const auto& opposition : fault.contradicted_by) add(Kind::signal, opposition.signals, "contradicted_by");
    for (const auto& opposition : fault.cleared_by) add(Kind::signal, opposition.signals, "cleared_by");
    for (const auto& step : fault.chain) add(Kind::signal, step.shown_by, "chain");
    for (const auto& rule : fault.plan) {
        out.push_back({Kind::action, rule.action, "plan"});
        for (const auto* names : {&rule.when.any, &rule.when.all, &rule.when.none}) {
            for (const auto& name : *names) out.push_back(condition_reference(name));
        }
    }
    for (const auto& rule : fault.alternatives) out.push_back({Kind::action, rule.action, "alternatives"});
    add(Kind::check, fault.checks, "checks");
    add(Kind::signal, fault.ask_for, "ask_for");
    return out;
}

void compile_faults(const Collected& collected, const KnownNames& known, ProblemList& problems) {
    for (const auto& definition : collected.definitions.faults) {
        check_references(definition, known, problems);  // the base's too: a layer may have replaced what they name
        if (definition.node == nullptr) continue;
        check_plan(definition, problems);
        check_ask_for(definition, collected, problems);
        check_title(definition, problems);
    }
    check_cycles(collected, problems);
}

}  // namespace gpumedic::knowledge
