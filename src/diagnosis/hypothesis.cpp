#include "diagnosis/hypothesis.h"

#include <algorithm>
#include <cstdlib>
#include <set>

namespace gpumedic::diagnosis {
namespace {

using knowledge::Effect;
using knowledge::Fault;
using knowledge::Scope;
using knowledge::Weight;

bool is_about_device(Scope scope) {
    return scope == Scope::same_device || scope == Scope::same_card || scope == Scope::same_group;
}

bool same_card(const NodeView& node, std::size_t a, std::size_t b) {
    const auto& x = node.devices[a];
    const auto& y = node.devices[b];
    return a == b || (x.pci && y.pci && x.pci->same_card(*y.pci));
}

bool same_group(const NodeView& node, std::size_t a, std::size_t b) {
    return same_card(node, a, b) ||
           (!node.devices[a].iommu_group.empty() && node.devices[a].iommu_group == node.devices[b].iommu_group);
}

using Clock = base::Timestamp::Clock;
std::optional<std::chrono::microseconds> distance(const std::optional<base::Timestamp>& a,
                                                  const std::optional<base::Timestamp>& b) {
    if (!a || !b || a->clock != b->clock) return std::nullopt;
    return b->value - a->value;
}

/// Builds the hypotheses of one boot. Two passes: bind and collect own effects, then link consequences and score.
class Builder {
public:
    Builder(const knowledge::Index& catalogue, const NodeView& node, std::uint32_t epoch)
        : catalogue_(catalogue), node_(node), epoch_(epoch) {}

    std::vector<Hypothesis> build() {
        for (const auto& fault : catalogue_.catalogue().faults) {
            for (auto& h : bind(fault)) {
                collect_own(h);
                if (!h.own.empty() && shows_what_it_must(h)) hypotheses_.push_back(std::move(h));
            }
        }
        for (auto& h : hypotheses_) link(h);
        std::vector<bool> done(hypotheses_.size(), false);
        for (std::size_t i = 0; i < hypotheses_.size(); ++i) score(i, done, 0);
        return std::move(hypotheses_);
    }

private:
    [[nodiscard]] bool current(const Observation& o) const { return o.epoch == epoch_; }

    std::vector<Hypothesis> bind(const Fault& fault) const {
        if (fault.about == knowledge::About::node) return {Hypothesis{.fault = &fault, .epoch = epoch_}};
        if (fault.about == knowledge::About::vm) return bind_vms(fault);
        return bind_devices(fault);
    }

    std::vector<Hypothesis> bind_vms(const Fault& fault) const {
        std::vector<Hypothesis> bound;
        for (const auto& o : node_.observations) {
            if (!current(o) || !any_effect(fault, o.signal().id, [](Scope s) { return s == Scope::same_vm; })) continue;
            const auto known = std::ranges::find_if(bound, [&](const auto& h) { return is_vm(h.vm, o.vm); });
            if (known == bound.end())
                bound.push_back({.fault = &fault, .vm = o.vm, .epoch = epoch_});
            else if (known->vm.namespace_.empty())
                known->vm.namespace_ = o.vm.namespace_;
        }
        return bound;
    }

    std::vector<Hypothesis> bind_devices(const Fault& fault) const {
        std::set<std::size_t> devices;
        const Observation* nameless = nullptr;
        for (const auto scope : {Scope::same_device, Scope::same_card, Scope::same_group}) {
            for (const auto& o : node_.observations) {
                if (!current(o) || !any_effect(fault, o.signal().id, [&](Scope s) { return s == scope; })) continue;
                if (!o.device)
                    nameless = &o;
                else if (scope == Scope::same_device)
                    devices.insert(*o.device);
                // A wider scope binds only where no exact one did: "group 1 is not viable" names the GPU, the fault
                // sits in its neighbour.
                else if (std::ranges::none_of(devices, [&](auto d) { return same_group(node_, d, *o.device); }))
                    devices.insert(*o.device);
            }
        }
        std::vector<Hypothesis> bound;
        // A line that names only the VM is about the device that the VM holds, if it holds one.
        if (devices.empty() && nameless != nullptr)
            if (const auto device = only_device_of(nameless->vm)) devices.insert(*device);
        for (const auto device : devices)
            bound.push_back({.fault = &fault, .device = device, .vm = holder_of(device), .epoch = epoch_});
        if (devices.empty() && nameless != nullptr)
            bound.push_back({.fault = &fault, .vm = nameless->vm, .epoch = epoch_});
        return bound;
    }

    [[nodiscard]] std::optional<std::size_t> only_device_of(const model::Holder& vm) const {
        std::optional<std::size_t> only;
        for (std::size_t i = 0; i < node_.devices.size(); ++i) {
            if (!signals::same_vm(node_.devices[i].holder, vm)) continue;
            if (only) return std::nullopt;
            only = i;
        }
        return only;
    }

    /// A card goes to a VM whole: the holder of any of its functions holds it.
    [[nodiscard]] model::Holder holder_of(std::size_t device) const {
        if (!node_.devices[device].holder.empty()) return node_.devices[device].holder;
        for (std::size_t i = 0; i < node_.devices.size(); ++i)
            if (same_card(node_, device, i) && !node_.devices[i].holder.empty()) return node_.devices[i].holder;
        return {};
    }

    /// "Harmless" needs its proof in full: a benign explanation without an effect that it always shows is none.
    [[nodiscard]] bool shows_what_it_must(const Hypothesis& h) const {
        return !h.fault->benign() || std::ranges::all_of(h.fault->effects, [&](const Effect& e) {
            return e.signals.empty() || e.strength != knowledge::Strength::always || shown(h, e);
        });
    }

    [[nodiscard]] bool shown(const Hypothesis& h, const Effect& effect) const {
        return std::ranges::any_of(h.own, [&](const auto& entry) {
            return listed(effect.signals, node_.observations[entry.first].signal().id);
        });
    }

    template <class ScopeTest>
    static bool any_effect(const Fault& fault, std::string_view id, ScopeTest fits) {
        return std::ranges::any_of(fault.effects,
                                   [&](const Effect& e) { return fits(e.scope) && listed(e.signals, id); });
    }

    /// Observations that the effect means, in the evidence's order. An effect that counts needs its true repeats: too
    /// few are none.
    [[nodiscard]] std::vector<std::size_t> matches(const Hypothesis& h, const Effect& effect,
                                                   const std::set<std::size_t>& used,
                                                   const std::optional<base::Timestamp>& own_anchor) const {
        std::vector<std::size_t> found;
        auto anchor = own_anchor;
        for (std::size_t i = 0; i < node_.observations.size(); ++i) {
            const auto& o = node_.observations[i];
            const bool in_time = current(o) || (effect.min_boots > 1 && o.epoch > epoch_);
            if (used.contains(i) || !in_time || !listed(effect.signals, o.signal().id) ||
                !in_scope(node_, h, o, effect.scope) || !in_window(effect, anchor, o))
                continue;
            if (!anchor) anchor = o.signal().first;
            if (effect.scope == Scope::same_device && h.device && names_no_device(o) &&
                neighbour(*h.fault, o).value_or(*h.device) != *h.device)
                continue;
            found.push_back(i);
        }
        if (!repeats_enough(effect, found)) found.clear();
        return found;
    }

    [[nodiscard]] bool repeats_enough(const Effect& effect, const std::vector<std::size_t>& found) const {
        std::uint64_t count = 0;
        std::set<std::uint32_t> boots;
        std::optional<base::Timestamp> first;
        std::optional<base::Timestamp> last;
        for (const auto i : found) {
            const auto& s = node_.observations[i].signal();
            count += s.count;
            boots.insert(node_.observations[i].epoch);
            if (s.first && (!first || (s.first->clock == first->clock && s.first->value < first->value)))
                first = s.first;
            if (s.last && (!last || (s.last->clock == last->clock && s.last->value > last->value))) last = s.last;
        }
        if (count < effect.min_count || boots.size() < effect.min_boots) return false;
        return !effect.apart || distance(first, last).value_or(std::chrono::microseconds{0}) >= *effect.apart;
    }

    void collect_own(Hypothesis& h) const {
        std::set<std::size_t> used;
        std::optional<base::Timestamp> anchor;
        double miss = 1.0;
        for (const auto& effect : h.fault->effects) {
            if (effect.signals.empty()) continue;
            const double weight = value_of(effect.weight);
            const auto found = matches(h, effect, used, anchor);
            for (const auto i : found) {
                used.insert(i);
                h.own[i] = weight;
                if (!anchor) anchor = node_.observations[i].signal().first;
            }
            if (!found.empty()) miss *= 1.0 - weight;
        }
        h.own_support = 1.0 - miss;
    }

    /// A line without an address belongs to the device that the nearest line of the same story in the same source
    /// names.
    [[nodiscard]] std::optional<std::size_t> neighbour(const Fault& fault, const Observation& nameless) const {
        const auto line_of = [](const Observation& o) {
            return static_cast<std::int64_t>(o.signal().evidence.front().line);
        };
        std::optional<std::size_t> device;
        std::int64_t nearest = 0;
        for (const auto& o : node_.observations) {
            if (!o.device || !current(o) || o.folded->source != nameless.folded->source ||
                !any_effect(fault, o.signal().id, is_about_device))
                continue;
            const auto distance_in_lines = std::abs(line_of(o) - line_of(nameless));
            if (!device || distance_in_lines < nearest) device = o.device, nearest = distance_in_lines;
        }
        return device;
    }

    static bool in_window(const Effect& effect, const std::optional<base::Timestamp>& anchor, const Observation& o) {
        if (!effect.within) return true;
        const auto apart = distance(anchor, o.signal().first);
        return !apart || std::chrono::abs(*apart) <= *effect.within;
    }

    void link(Hypothesis& h) {
        for (const auto& effect : h.fault->effects) {
            if (effect.fault.empty()) continue;
            for (std::size_t i = 0; i < hypotheses_.size(); ++i)
                if (hypotheses_[i].fault->id == effect.fault && follows(h, hypotheses_[i], effect))
                    h.consequences.push_back({i, effect.inferred});
        }
    }

    bool follows(const Hypothesis& cause, const Hypothesis& effect, const Effect& how) const {
        // A consequence may be logged a little earlier than its cause (other clock, buffered log), not much.
        constexpr std::chrono::minutes kClockSlack{10};
        const auto apart = distance(first_of(cause), first_of(effect));
        if (apart && (*apart < -kClockSlack || (how.within && *apart > *how.within))) return false;
        if (!cause.device || how.scope == Scope::same_node) return true;  // joined by inference
        switch (how.scope) {
            case Scope::same_card: return effect.device && same_card(node_, *cause.device, *effect.device);
            case Scope::same_group: return effect.device && same_group(node_, *cause.device, *effect.device);
            case Scope::peer: return effect.device && *effect.device != *cause.device;
            case Scope::holder_vm:
            case Scope::same_vm: return is_vm(cause.vm, effect.vm);
            // "GPU4" of the driver and an address of libvirt can be one device; which, only inference tells.
            default:
                return !effect.device || *effect.device == *cause.device ||
                       has_weak_name(node_, *cause.device) != has_weak_name(node_, *effect.device);
        }
    }

    /// When it began to show. A reading tells when somebody looked, which can be long after.
    [[nodiscard]] std::optional<base::Timestamp> first_of(const Hypothesis& h) const {
        std::optional<base::Timestamp> first;
        for (const auto& [i, weight] : h.own) {
            if (!is_event(node_.observations[i].signal().record)) continue;
            const auto& t = node_.observations[i].signal().first;
            if (t && t->clock == Clock::wall && (!first || t->value < first->value)) first = t;
        }
        return first;
    }

    [[nodiscard]] std::optional<base::Timestamp> last_of(const Hypothesis& h) const {
        std::optional<base::Timestamp> last;
        for (const auto& [i, weight] : h.cover) {
            const auto& t = node_.observations[i].signal().last;
            if (t && (!last || (t->clock == last->clock && t->value > last->value))) last = t;
        }
        return last;
    }

    void score(std::size_t number, std::vector<bool>& done, int depth) {
        constexpr int kMaxDepth = 16;  // the catalogue compiler refuses cycles; this bounds a chain of site overlays
        if (done[number] || depth > kMaxDepth) return;
        done[number] = true;
        auto& h = hypotheses_[number];
        h.cover = h.own;
        double doubt = 1.0 - h.own_support;
        // What is hardly seen itself must not live on what would follow from it, nor what only its surroundings show.
        if (h.own_support < kRootSupport || !shows_a_problem(h)) h.consequences.clear();
        for (const auto& consequence : h.consequences) {
            score(consequence.hypothesis, done, depth + 1);
            const auto& follower = hypotheses_[consequence.hypothesis];
            doubt *= 1.0 - follower.own_support * (consequence.inferred ? 0.6 : 0.8);
            for (const auto& [i, weight] : follower.cover) h.cover[i] = std::max(h.cover[i], weight * 0.97);
        }
        double confidence = (1.0 - doubt) * expectation(h);
        for (const auto& opposition : h.fault->contradicted_by) confidence *= oppose(h, opposition);
        h.confidence = std::min(confidence, kMaxConfidence);
    }

    [[nodiscard]] bool shows_a_problem(const Hypothesis& h) const {
        return std::ranges::any_of(h.own, [&](const auto& entry) { return node_.observations[entry.first].is_problem(); });
    }

    /// What the fault usually shows, in sources that were read, and is not there.
    [[nodiscard]] double expectation(const Hypothesis& h) const {
        double factor = 1.0;
        for (const auto& effect : h.fault->effects) {
            if (effect.signals.empty() || effect.strength == knowledge::Strength::sometimes) continue;
            if (!shown(h, effect) && would_show(effect))
                factor *= effect.strength == knowledge::Strength::always ? 0.85 : 0.95;
        }
        return factor;
    }

    [[nodiscard]] bool would_show(const Effect& effect) const {
        for (const auto& id : effect.signals) {
            const auto* signal = catalogue_.signal(id);
            if (signal == nullptr) continue;
            for (const auto type : signal->in)
                if (type != model::RecordType::text && (node_.read_types >> static_cast<unsigned>(type) & 1u) != 0)
                    return true;
        }
        return false;
    }

    double oppose(Hypothesis& h, const knowledge::Opposition& opposition) const {
        const auto last = last_of(h);
        double factor = 1.0;
        for (std::size_t i = 0; i < node_.observations.size(); ++i) {
            const auto& o = node_.observations[i];
            if (!current(o) || !listed(opposition.signals, o.signal().id) || !in_scope(node_, h, o, opposition.scope))
                continue;
            const auto apart = distance(last, o.signal().last);
            if (opposition.after_last_effect && apart && *apart <= std::chrono::microseconds{0}) continue;
            h.against.push_back(i);
            factor = std::min(factor, 1.0 - 0.8 * value_of(opposition.weight));
        }
        return factor;
    }

    const knowledge::Index& catalogue_;
    const NodeView& node_;
    std::uint32_t epoch_;
    std::vector<Hypothesis> hypotheses_;
};

}  // namespace

double value_of(Weight weight) {
    switch (weight) {
        case Weight::decisive: return 0.9;
        case Weight::strong: return 0.7;
        case Weight::moderate: return 0.45;
        case Weight::weak: return 0.2;
    }
    return 0;
}

bool listed(const std::vector<std::string>& wanted, std::string_view id) {
    return std::ranges::any_of(wanted, [&](const auto& w) { return knowledge::matches_id(w, id); });
}

bool names_no_device(const Observation& o) { return !o.device; }

bool has_weak_name(const NodeView& node, std::size_t device) {
    return !node.devices[device].pci && node.devices[device].uuid.empty();
}

bool is_vm(const model::Holder& a, const model::Holder& b) {
    return signals::same_vm(a, b) || (a.vm.empty() && b.vm.empty());
}

bool in_scope(const NodeView& node, const Hypothesis& h, const Observation& o, Scope scope) {
    switch (scope) {
        case Scope::same_node: return true;
        case Scope::same_vm: return is_vm(h.vm, o.vm);
        case Scope::holder_vm: return signals::same_vm(h.vm, o.vm);
        case Scope::peer: return o.device && o.device != h.device;
        default: break;
    }
    if (h.fault->about == knowledge::About::vm) return is_vm(h.vm, o.vm);
    if (!o.device) return o.vm.vm.empty() || h.vm.vm.empty() || signals::same_vm(h.vm, o.vm);
    if (!h.device) return h.fault->about == knowledge::About::node;
    if (scope == Scope::same_card) return same_card(node, *h.device, *o.device);
    if (scope == Scope::same_group) return same_group(node, *h.device, *o.device);
    return *h.device == *o.device;
}

std::vector<Hypothesis> make_hypotheses(const knowledge::Index& catalogue, const NodeView& node, std::uint32_t epoch) {
    return Builder(catalogue, node, epoch).build();
}

}  // namespace gpumedic::diagnosis
