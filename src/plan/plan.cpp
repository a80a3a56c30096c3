#include "plan/plan.h"

#include <algorithm>
#include <set>

#include "diagnosis/naming.h"

namespace gpumedic::plan {
namespace {

using diagnosis::Finding;
using knowledge::Action;
using model::Localized;

bool present(const std::string& name, const Finding& finding) {
    constexpr std::string_view kFault = "fault:";
    if (name.starts_with(kFault)) {
        const auto id = std::string_view(name).substr(kFault.size());
        return std::ranges::any_of(finding.faults, [&](const auto* f) { return f->id == id; });
    }
    return std::ranges::any_of(finding.related_signals,
                               [&](const auto& id) { return knowledge::matches_id(name, id); });
}

std::vector<model::PlanStep> steps_of(const Action& action, const model::Incident& incident) {
    std::vector<model::PlanStep> steps;
    for (const auto& step : action.steps) {
        model::PlanStep out;
        out.do_ = diagnosis::fill_text(step.do_, incident);
        out.why = diagnosis::fill_text(step.why, incident);
        out.command = diagnosis::fill_command(step.command, incident);
        out.risk = diagnosis::fill_text(step.risk, incident);
        steps.push_back(std::move(out));
    }
    return steps;
}

void add_once(std::vector<Localized>& list, Localized text) {
    if (!text.empty() && std::ranges::find(list, text) == list.end()) list.push_back(std::move(text));
}

/// The rule of the root fault; where it only says to investigate, a consequence that knows a step may not overrule it:
/// the root does.
const knowledge::PlanRule* choose_rule(const Finding& finding) {
    for (const auto& rule : finding.faults.front()->plan)
        if (holds(rule.when, finding)) return &rule;
    return nullptr;
}

void add_action(const knowledge::Index& catalogue, Finding& finding) {
    auto& incident = finding.incident;
    const auto* rule = choose_rule(finding);
    const auto* action = rule == nullptr ? nullptr : catalogue.action(rule->action);
    if (action == nullptr) return;
    incident.action.class_ = action->class_;
    incident.action.title = diagnosis::fill_text(action->title, incident);
    incident.action.steps = steps_of(*action, incident);
    incident.action.why_not_less = diagnosis::fill_text(rule->why_not_less, incident);
    if (!incident.action.steps.empty() && incident.action.steps.front().why.empty())
        incident.action.steps.front().why = diagnosis::fill_text(rule->why, incident);
    // The root's prohibitions hold for its consequences too; theirs would say the same in other words.
    for (const auto& text : finding.faults.front()->must_not)
        add_once(incident.action.must_not, diagnosis::fill_text(text, incident));
    for (const auto& text : action->must_not) add_once(incident.action.must_not, diagnosis::fill_text(text, incident));
    for (const auto& other : finding.faults.front()->alternatives) {
        const auto* alternative = catalogue.action(other.action);
        if (alternative == nullptr || alternative->id == action->id) continue;
        incident.action.alternatives.push_back({alternative->class_, diagnosis::fill_text(alternative->title, incident),
                                                steps_of(*alternative, incident),
                                                diagnosis::fill_text(other.when, incident)});
    }
}

void add_blast_radius(const Action& action, Finding& finding) {
    auto& incident = finding.incident;
    std::set<std::string> vms;
    for (const auto& device : incident.devices)
        if (!device.holder.vm.empty()) vms.insert(diagnosis::vm_name(device.holder));
    if (action.reach == knowledge::Reach::node) vms.insert(finding.node_vms.begin(), finding.node_vms.end());
    incident.blast_radius.vms.assign(vms.begin(), vms.end());
    if (action.reach != knowledge::Reach::node) return;
    for (const auto& name : finding.node_devices) {
        const bool own = std::ranges::any_of(
            incident.devices, [&](const auto& d) { return d.pci == name && d.role == model::Device::Role::root; });
        if (!own) incident.blast_radius.peers.push_back(name);
    }
}

void add_checks(const knowledge::Index& catalogue, Finding& finding) {
    std::set<std::string> added;
    for (const auto* fault : finding.faults) {
        for (const auto& id : fault->checks) {
            const auto* check = catalogue.check(id);
            if (check == nullptr || !added.insert(id).second) continue;
            finding.incident.verification.push_back({diagnosis::fill_text(check->title, finding.incident),
                                                     diagnosis::fill_command(check->command, finding.incident),
                                                     diagnosis::fill_text(check->expect, finding.incident)});
        }
    }
}

}  // namespace

bool holds(const knowledge::Condition& condition, const Finding& finding) {
    const auto there = [&](const auto& name) { return present(name, finding); };
    return finding.boots >= condition.boots && (condition.any.empty() || std::ranges::any_of(condition.any, there)) &&
           std::ranges::all_of(condition.all, there) && std::ranges::none_of(condition.none, there);
}

void add_plan(const knowledge::Index& catalogue, Finding& finding) {
    add_action(catalogue, finding);
    const auto* rule = choose_rule(finding);
    if (const auto* action = rule == nullptr ? nullptr : catalogue.action(rule->action))
        add_blast_radius(*action, finding);
    add_checks(catalogue, finding);
}

}  // namespace gpumedic::plan
