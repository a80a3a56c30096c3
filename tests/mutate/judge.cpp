#include "judge.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "truth.h"

namespace gpumedic::mutate {
namespace {

using namespace std::string_view_literals;
using model::Verdict;

constexpr std::array kLadder{"none"sv,
                             "wait"sv,
                             "investigate"sv,
                             "restart_app"sv,
                             "fix_config"sv,
                             "update_firmware_or_driver"sv,
                             "reload_driver"sv,
                             "reset_gpu"sv,
                             "warm_reboot"sv,
                             "cold_reboot"sv,
                             "reseat_or_check_hw"sv,
                             "replace_hw"sv};

long rung(std::string_view action) { return std::ranges::find(kLadder, action) - kLadder.begin(); }

long highest_right(const replay::Case& truth) {
    auto highest = rung(truth.action);
    for (const auto& also : truth.also_actions) highest = std::max(highest, rung(also));
    return highest;
}

const model::Incident* first_open(const model::Diagnosis& answer, const std::string& node) {
    const auto it = std::ranges::find_if(answer.incidents, [&](const auto& i) {
        return i.state == model::IncidentState::open && (node.empty() || i.node == node);
    });
    return it == answer.incidents.end() ? nullptr : &*it;
}

Verdict verdict_of(const model::Diagnosis& answer, const std::string& node) {
    const auto it = std::ranges::find(answer.nodes, node, &model::NodeVerdict::node);
    return node.empty() || it == answer.nodes.end() ? answer.verdict : it->verdict;
}

/// A culprit that the truth does not name.
std::string wrong_device(const Variant& variant, const model::Incident& incident) {
    for (const auto& d : incident.devices)
        if (d.role == model::Device::Role::root && !d.pci.empty() && !replay::is_among(d.pci, variant.devices))
            return d.pci;
    return {};
}

std::string unnamed_device(const Variant& variant, const model::Incident& incident) {
    for (const auto& wanted : variant.devices)
        if (std::ranges::none_of(incident.devices, [&](const auto& d) { return replay::names(d, wanted); }))
            return wanted;
    return {};
}

Judgement weaker(const Variant& variant, Outcome when_all_is_there, std::string why) {
    return {variant.deciding == Deciding::all ? when_all_is_there : Outcome::weakened, std::move(why)};
}

Judgement judge_fault(const Subject& subject, const Variant& variant, const model::Incident& incident) {
    const auto& truth = *subject.truth;
    const auto& action = incident.action.class_;
    if (const auto device = wrong_device(variant, incident); !device.empty())
        return {Outcome::flipped, "wrong device " + device};
    if (rung(action) > highest_right(truth)) return {Outcome::flipped, "stronger action " + action};
    if (!replay::one_of(incident.class_, truth.fault_class, truth.also_classes))
        return weaker(variant, Outcome::flipped, "class " + incident.class_);
    if (const auto device = unnamed_device(variant, incident); !device.empty())
        return {Outcome::weakened, "device not named " + device};
    if (!replay::one_of(action, truth.action, truth.also_actions)) return {Outcome::weakened, "action " + action};
    return {};
}

bool accepts(const replay::Case& truth, std::string_view verdict) {
    const bool also_class =
        verdict == "healthy" && std::ranges::find(truth.also_classes, verdict) != truth.also_classes.end();
    return also_class || replay::one_of(std::string(verdict), truth.verdict, truth.also_verdicts);
}

Judgement judge_verdict(const Subject& subject, const Variant& variant, Verdict verdict,
                        const model::Incident* incident) {
    const auto& truth = *subject.truth;
    const bool fault_expected = truth.verdict == "fault";
    if (verdict == Verdict::fault && incident != nullptr) {
        const bool suspected = replay::one_of(incident->class_, truth.fault_class, truth.also_classes);
        if (fault_expected || (truth.verdict == "inconclusive" && suspected))
            return judge_fault(subject, variant, *incident);
        return {Outcome::flipped, fmt::format("false alarm {} {}", incident->class_, incident->action.class_)};
    }
    if (accepts(truth, model::to_string(verdict))) return {};
    if (verdict == Verdict::healthy) return weaker(variant, Outcome::flipped, "healthy");
    return {Outcome::weakened, std::string(model::to_string(verdict))};
}

bool is_shown_by(const replay::Rest& rest, const Variant& variant, Verdict verdict, const model::Incident* incident) {
    if (verdict != Verdict::fault || incident == nullptr)
        return rest.fault_class == "healthy" && verdict == Verdict::healthy;
    if (incident->class_ != rest.fault_class || rung(incident->action.class_) > rung(rest.action)) return false;
    auto devices = variant.devices;
    if (!rest.devices.empty()) devices = rest.devices;
    return devices.empty() || std::ranges::all_of(incident->devices, [&](const auto& d) {
               return d.role != model::Device::Role::root || d.pci.empty() || replay::is_among(d.pci, devices);
           });
}

}  // namespace

Judgement judge(const Subject& subject, const Variant& variant, const model::Diagnosis& answer) {
    const auto* incident = first_open(answer, variant.node);
    auto out = judge_verdict(subject, variant, verdict_of(answer, variant.node), incident);
    const auto shown = [&](const auto& rest) {
        return is_shown_by(rest, variant, verdict_of(answer, variant.node), incident);
    };
    if (out.outcome == Outcome::flipped && variant.deciding != Deciding::all &&
        std::ranges::any_of(subject.truth->rest, shown))
        return {Outcome::rest, std::move(out.why)};
    if (incident == nullptr) return out;
    out.confidence = incident->confidence;
    out.right = subject.truth->fault_class != "healthy" && judge_fault(subject, variant, *incident).why.empty();
    return out;
}

}  // namespace gpumedic::mutate
