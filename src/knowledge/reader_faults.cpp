// catalog/faults/*.yaml -> definitions.
#include <fmt/format.h>

#include <array>

#include "base/text.h"
#include "knowledge/definitions.h"

namespace gpumedic::knowledge {
namespace {

template <class E, std::size_t N>
using Table = std::array<std::pair<std::string_view, E>, N>;

constexpr Table<Scope, 7> kScopes{{{"same_device", Scope::same_device},
                                   {"same_card", Scope::same_card},
                                   {"same_group", Scope::same_group},
                                   {"peer", Scope::peer},
                                   {"holder_vm", Scope::holder_vm},
                                   {"same_vm", Scope::same_vm},
                                   {"same_node", Scope::same_node}}};
constexpr Table<Strength, 3> kStrengths{
    {{"sometimes", Strength::sometimes}, {"usual", Strength::usual}, {"always", Strength::always}}};
constexpr Table<Weight, 4> kWeights{{{"weak", Weight::weak},
                                     {"moderate", Weight::moderate},
                                     {"strong", Weight::strong},
                                     {"decisive", Weight::decisive}}};
constexpr Table<About, 3> kAbouts{{{"device", About::device}, {"vm", About::vm}, {"node", About::node}}};
constexpr Table<Prior, 3> kPriors{{{"rare", Prior::rare}, {"uncommon", Prior::uncommon}, {"common", Prior::common}}};
constexpr Table<bool, 1> kAfter{{{"last_effect", true}}};
constexpr Table<Strategy, 3> kStrategies{
    {{"observe", Strategy::observe}, {"advise", Strategy::advise}, {"act", Strategy::act}}};

/// `signal: x` or `signals: [x, y]`.
std::vector<std::string> read_signal_names(MapView& view) {
    std::vector<std::string> names = view.texts("signals", Need::optional);
    if (std::string one = view.text("signal", Need::optional); !one.empty()) names.push_back(std::move(one));
    return names;
}

int count_of(const codec::Value& node, std::initializer_list<std::string_view> keys) {
    int count = 0;
    for (const auto key : keys) count += node.find(key) != nullptr ? 1 : 0;
    return count;
}

std::optional<std::chrono::seconds> read_span(MapView& view, std::string_view key) {
    const std::string written = view.prose(key, Need::optional);
    if (written.empty()) return std::nullopt;
    auto span = parse_span(written);
    if (!span) {
        view.scene().problems->error(Mistake::bad_number, view.place_at(key),
                                     fmt::format("'{}' is no span of time", written), "write 30s, 10m, 2h or 1d");
    }
    return span;
}

std::uint64_t read_count(MapView& view, std::string_view key, std::uint64_t otherwise) {
    const std::string written = view.prose(key, Need::optional);
    if (written.empty()) return otherwise;
    const auto count = base::parse_number<std::uint32_t>(written);
    if (count && *count > 0) return *count;
    view.scene().problems->error(Mistake::bad_number, view.place_at(key), fmt::format("'{}' is no count", written),
                                 "write a whole number from 1");
    return otherwise;
}

Effect read_effect(const codec::Value& node, Scene scene) {
    MapView view(node, scene, "effect");
    Effect effect;
    effect.signals = read_signal_names(view);
    effect.fault = view.text("fault", Need::optional);
    if (node.is_map() && count_of(node, {"signal", "signals", "fault"}) != 1) {
        scene.problems->error(Mistake::bad_effect, view.place(),
                              "an effect names exactly one of 'signal', 'signals' and 'fault'");
    }
    effect.scope = view.word<Scope>("scope", Need::required, kScopes, Scope::same_device);
    effect.strength = view.word<Strength>("strength", Need::optional, kStrengths, Strength::usual);
    effect.weight = view.word<Weight>("weight", Need::optional, kWeights, Weight::moderate);
    effect.inferred = view.flag("inferred");
    effect.within = read_span(view, "within");
    effect.min_count = read_count(view, "min_count", 1);
    effect.apart = read_span(view, "apart");
    effect.min_boots = read_count(view, "min_boots", 1);
    view.refuse_others();
    return effect;
}

Opposition read_opposition(const codec::Value& node, Scene scene) {
    MapView view(node, scene, "contradiction or clearing");
    Opposition opposition;
    opposition.signals = read_signal_names(view);
    if (node.is_map() && count_of(node, {"signal", "signals"}) != 1) {
        scene.problems->error(Mistake::bad_effect, view.place(), "it names exactly one of 'signal' and 'signals'");
    }
    opposition.scope = view.word<Scope>("scope", Need::required, kScopes, Scope::same_device);
    opposition.weight = view.word<Weight>("weight", Need::optional, kWeights, Weight::strong);
    opposition.after_last_effect = view.word<bool>("after", Need::optional, kAfter, false);
    view.refuse_others();
    return opposition;
}

std::vector<Opposition> read_oppositions(MapView& view, std::string_view key) {
    std::vector<Opposition> result;
    view.each(key, Need::optional,
              [&](const codec::Value& item) { result.push_back(read_opposition(item, view.scene())); });
    return result;
}

ChainStep read_chain_step(const codec::Value& node, Scene scene) {
    MapView view(node, scene, "step of the chain");
    ChainStep step;
    step.text = view.localized("text", Need::required);
    step.shown_by = view.texts("shown_by", Need::optional);
    view.refuse_others();
    return step;
}

PlanRule read_plan_rule(const codec::Value& node, Scene scene) {
    MapView view(node, scene, "rule of the plan");
    PlanRule rule;
    rule.action = view.text("action", Need::required);
    if (const codec::Value* when = view.get("when", Need::optional)) {
        MapView condition(*when, scene, "'when' of a rule");
        rule.when.any = condition.texts("any", Need::optional);
        rule.when.all = condition.texts("all", Need::optional);
        rule.when.none = condition.texts("none", Need::optional);
        rule.when.boots = read_count(condition, "boots", 0);
        condition.refuse_others();
    }
    rule.why = view.localized("why", Need::required);
    rule.why_not_less = view.localized("why_not_less", Need::optional);
    view.refuse_others();
    return rule;
}

AlternativeRule read_alternative(const codec::Value& node, Scene scene) {
    MapView view(node, scene, "alternative");
    AlternativeRule rule;
    rule.action = view.text("action", Need::required);
    rule.when = view.localized("when", Need::required);
    view.refuse_others();
    return rule;
}

void read_about(MapView& view, Fault& fault) {
    fault.id = view.id("id", Need::required);
    fault.class_ = view.text("class", Need::required);
    fault.about = view.word<About>("about", Need::required, kAbouts, About::device);
    fault.prior = view.word<Prior>("prior", Need::optional, kPriors, Prior::uncommon);
    fault.strategy = view.word<Strategy>("strategy", Need::optional, kStrategies, Strategy::advise);
    fault.severity = view.severity("severity", Need::required, model::Severity::error);
    fault.title = view.localized("title", Need::required);
    fault.cause = view.localized("cause", Need::required);
    fault.why_less = view.localized("why_less", Need::required);
    fault.scheduling = view.localized("scheduling", Need::optional);
    fault.source = source_or(view, view.prose("source", Need::optional), {}, "fault");
}

}  // namespace

void read_fault_file(const codec::Value& root, Scene scene, Definitions& out) {
    MapView view(root, scene, "fault");
    Fault fault;
    read_about(view, fault);
    view.each("effects", Need::required,
              [&](const codec::Value& item) { fault.effects.push_back(read_effect(item, scene)); });
    fault.contradicted_by = read_oppositions(view, "contradicted_by");
    fault.cleared_by = read_oppositions(view, "cleared_by");
    view.each("chain", Need::optional,
              [&](const codec::Value& item) { fault.chain.push_back(read_chain_step(item, scene)); });
    view.each("plan", Need::optional,
              [&](const codec::Value& item) { fault.plan.push_back(read_plan_rule(item, scene)); });
    view.each("alternatives", Need::optional,
              [&](const codec::Value& item) { fault.alternatives.push_back(read_alternative(item, scene)); });
    fault.must_not = view.localized_list("must_not");
    fault.checks = view.texts("checks", Need::optional);
    fault.ask_for = view.texts("ask_for", Need::optional);
    view.refuse_others();
    fault.file = file_and_line(view.place());
    if (!fault.id.empty()) out.faults.push_back({std::move(fault), view.place(), &root, 0});
}

}  // namespace gpumedic::knowledge
