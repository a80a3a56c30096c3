#include "diagnosis/incident.h"

#include <algorithm>
#include <map>
#include <set>

#include "base/text.h"
#include "diagnosis/naming.h"
#include "diagnosis/select.h"
#include "knowledge/decode.h"

namespace gpumedic::diagnosis {
namespace {

using knowledge::About;
using model::Device;
using model::How;

Device device_of(const signals::KnownDevice& known, Device::Role role, How joined) {
    Device d;
    d.kind = known.nvswitch ? "nvswitch" : known.kind.empty() ? "gpu" : known.kind;
    if (known.pci) d.pci = known.pci->to_string();
    d.uuid = known.uuid;
    d.index = known.index;
    d.nvswitch = known.nvswitch;
    d.iommu_group = known.iommu_group;
    d.role = role;
    d.joined = joined;
    d.holder = known.holder;
    return d;
}

class Builder {
public:
    Builder(const Scene& scene, const std::vector<std::size_t>& roots) : scene_(scene), roots_(roots) {
        for (const auto root : roots)
            for (const auto i : closure(scene.hypotheses, root))
                if (std::ranges::find(members_, i) == members_.end()) members_.push_back(i);
        for (const auto root : roots)
            for (const auto& [i, weight] : scene.hypotheses[root].cover) cover_[i] = std::max(cover_[i], weight);
    }

    Finding build() {
        const auto& fault = *root().fault;
        auto& incident = finding_.incident;
        incident.fault = fault.id;
        incident.class_ = fault.class_;
        incident.severity = fault.severity;
        incident.strategy = knowledge::to_string(fault.strategy);
        incident.node = scene_.node.name;
        incident.boot = root().epoch == 0 ? "0" : "-" + std::to_string(root().epoch);
        for (const auto r : roots_)
            incident.confidence = std::max(incident.confidence, scene_.hypotheses[r].confidence);
        for (const auto m : members_) add_fault(scene_.hypotheses[m].fault);
        add_devices();
        set_times();
        incident.state = root().epoch > 0 ? model::IncidentState::earlier_boot
                         : is_cleared()   ? model::IncidentState::cleared
                                          : model::IncidentState::open;
        incident.title = fill_text(fault.title, incident);
        incident.cause = fill_text(fault.cause, incident);
        incident.blast_radius.scheduling = first_scheduling();
        add_evidence();
        add_chain();
        add_against();
        add_missing();
        add_alternatives();
        add_context();
        return std::move(finding_);
    }

private:
    [[nodiscard]] const Hypothesis& root() const { return scene_.hypotheses[roots_.front()]; }
    [[nodiscard]] const Observation& seen(std::size_t i) const { return scene_.node.observations[i]; }

    void add_fault(const knowledge::Fault* fault) {
        if (std::ranges::find(finding_.faults, fault) == finding_.faults.end()) finding_.faults.push_back(fault);
    }

    void add_device(std::size_t number, Device::Role role, How joined) {
        if (placed_.insert(number).second)
            finding_.incident.devices.push_back(device_of(scene_.node.devices[number], role, joined));
    }

    [[nodiscard]] bool is_guest(const std::optional<std::size_t>& device) const {
        return device && *device >= scene_.node.first_guest_device;
    }

    void add_vm(const model::Holder& vm, Device::Role role) {
        if (vm.vm.empty() || std::ranges::any_of(vms_, [&](const auto& known) { return signals::same_vm(known, vm); }))
            return;
        vms_.push_back(vm);
        Device d;
        d.kind = "vm";
        d.role = role;
        d.holder = vm;
        finding_.incident.devices.push_back(d);
    }

    void add_root_devices() {
        const bool host_root =
            std::ranges::any_of(roots_, [&](auto r) { return !is_guest(scene_.hypotheses[r].device); });
        const bool strong_root =
            std::ranges::any_of(roots_, [&](auto r) { return is_strong(scene_.hypotheses[r].device); });
        for (const auto guest :
             {false, true}) {  // what the guest sees of the same card under its own address is not a second culprit
            for (const auto r : roots_) {
                const auto& h = scene_.hypotheses[r];
                if (!h.device || is_guest(h.device) != guest || (strong_root && !is_strong(h.device))) continue;
                if (is_strong(h.device) || !a_consequence_names_it())
                    add_device(*h.device, guest && host_root ? Device::Role::victim : Device::Role::root, How::seen);
            }
        }
        // A root without an address takes the device that its consequences name: an inference, and marked as one.
        if (placed_.empty() && root().fault->about == About::device)
            for (const auto m : members_)
                if (const auto& h = scene_.hypotheses[m]; h.device && is_strong(h.device))
                    add_device(*h.device, Device::Role::root, How::inferred);
    }

    [[nodiscard]] bool is_strong(const std::optional<std::size_t>& device) const {
        return device && !has_weak_name(scene_.node, *device);
    }
    [[nodiscard]] bool a_consequence_names_it() const {
        return std::ranges::any_of(members_, [&](auto m) { return is_strong(scene_.hypotheses[m].device); });
    }

    void add_devices() {
        add_root_devices();
        for (const auto r : roots_)
            if (const auto& h = scene_.hypotheses[r]; h.fault->about == About::vm) add_vm(h.vm, Device::Role::root);
        for (const auto m : members_) add_vm(scene_.hypotheses[m].vm, Device::Role::victim);
        for (const auto d : std::set(placed_)) add_vm(scene_.node.devices[d].holder, Device::Role::victim);
        for (const auto& [i, weight] : cover_)
            if (const auto device = seen(i).device; is_strong(device))
                add_device(*device, Device::Role::victim, How::seen);
        if (placed_.empty()) add_weakly_named_victim();
    }

    /// One that a reader can find again: by its index, the lowest, whatever the order of the files.
    void add_weakly_named_victim() {
        std::optional<std::size_t> best;
        const auto rank = [&](std::size_t d) {
            const auto index = scene_.node.devices[d].index;
            return std::pair(!index.has_value(), index.value_or(0));
        };
        for (const auto& [i, weight] : cover_)
            if (const auto device = seen(i).device; device && (!best || rank(*device) < rank(*best))) best = device;
        if (best) add_device(*best, Device::Role::victim, How::seen);
    }

    void set_times() {
        for (const auto& [i, weight] : cover_) {
            const auto& s = seen(i).signal();
            auto& first = finding_.incident.first_seen;
            auto& last = finding_.incident.last_seen;
            if (s.first && (!first || s.first->clock < first->clock ||
                            (s.first->clock == first->clock && s.first->value < first->value)))
                first = s.first;
            if (s.last &&
                (!last || s.last->clock < last->clock || (s.last->clock == last->clock && s.last->value > last->value)))
                last = s.last;
        }
        // Sources write their own zones; one incident is told in one.
        auto& incident = finding_.incident;
        if (incident.first_seen && incident.last_seen && incident.first_seen->zone)
            incident.last_seen->zone = incident.first_seen->zone;
    }

    /// Over only when something later shows it. An undated state read is "now", but then nothing undated may still
    /// speak for the fault.
    [[nodiscard]] bool is_cleared() const {
        const auto& last = finding_.incident.last_seen;
        const bool undated = std::ranges::any_of(
            cover_, [&](const auto& c) { return seen(c.first).is_problem() && !seen(c.first).signal().last; });
        if (undated || !last) return false;
        for (const auto& rule : root().fault->cleared_by) {
            for (const auto& o : scene_.node.observations) {
                if (o.epoch != 0 || !listed(rule.signals, o.signal().id) || !in_any_scope(o, rule.scope)) continue;
                const auto& when = o.signal().last;
                const bool comparable = when && when->clock == last->clock;
                // Dated by another clock than the log: a reading was taken after the log was.
                if (!when || (comparable ? when->value > last->value : !is_event(o.signal().record))) return true;
                if (comparable && when->value == last->value && stands_below_all(o)) return true;
            }
        }
        return false;
    }

    /// In the second of the last evidence only the order of the lines tells.
    [[nodiscard]] bool stands_below_all(const Observation& o) const {
        const auto last_line = [](const Observation& x) { return x.signal().evidence.back().line; };
        return std::ranges::all_of(cover_, [&](const auto& c) {
            const auto& x = seen(c.first);
            return !x.is_problem() || (x.folded->source == o.folded->source && last_line(x) < last_line(o));
        });
    }

    [[nodiscard]] bool in_any_scope(const Observation& o, knowledge::Scope scope) const {
        if (scope == knowledge::Scope::holder_vm || scope == knowledge::Scope::same_vm)
            return std::ranges::any_of(vms_, [&](const auto& vm) { return signals::same_vm(vm, o.vm); });
        if (scope != knowledge::Scope::same_node && o.device) return placed_.contains(*o.device);
        return std::ranges::any_of(roots_,
                                   [&](auto r) { return in_scope(scene_.node, scene_.hypotheses[r], o, scope); });
    }

    [[nodiscard]] model::Localized first_scheduling() const {
        for (const auto* fault : finding_.faults)
            if (!fault->scheduling.empty()) return fill_text(fault->scheduling, finding_.incident);
        return {};
    }

    /// In the order of the story: which step of the chain shows it, then where it stands.
    void add_evidence() {
        std::vector<std::size_t> order;
        for (const auto& [i, weight] : cover_) order.push_back(i);
        std::ranges::stable_sort(order, {}, [&](std::size_t i) {
            return std::tuple(step_of(seen(i).signal().id), -cover_[i], seen(i).folded->source,
                              seen(i).signal().evidence.front().line);
        });
        for (const auto i : order) {
            items_of_[i] = finding_.incident.evidence.size();
            for (auto& item : evidence_items(scene_, i)) finding_.incident.evidence.push_back(std::move(item));
        }
    }

    [[nodiscard]] std::size_t step_of(std::string_view id) const {
        std::size_t step = 0;
        for (const auto* fault : finding_.faults)
            for (const auto& s : fault->chain) {
                if (listed(s.shown_by, id)) return step;
                ++step;
            }
        return step;
    }

    /// Links between the steps of the story. A step is seen when evidence shows it; the first one stands in `from` of
    /// the first link.
    void add_chain() {
        std::vector<const knowledge::ChainStep*> steps;
        for (const auto* fault : finding_.faults)
            for (const auto& step : fault->chain) steps.push_back(&step);
        for (std::size_t i = steps.size() == 1 ? 0 : 1; i < steps.size(); ++i) {
            model::ChainLink link;
            link.from = fill_text(steps[i == 0 ? 0 : i - 1]->text, finding_.incident);
            link.to = fill_text(steps[i]->text, finding_.incident);
            link.evidence = items_showing(*steps[i]);
            link.how = link.evidence.empty() ? How::inferred : How::seen;
            finding_.incident.chain.push_back(std::move(link));
        }
    }

    [[nodiscard]] std::vector<std::size_t> items_showing(const knowledge::ChainStep& step) const {
        std::vector<std::size_t> items;
        for (const auto& [i, item] : items_of_)
            if (listed(step.shown_by, seen(i).signal().id)) items.push_back(item);
        std::ranges::sort(items);
        return items;
    }

    void add_against() {
        std::set<std::size_t> against;
        for (const auto r : roots_)
            against.insert(scene_.hypotheses[r].against.begin(), scene_.hypotheses[r].against.end());
        for (const auto i : against)
            for (auto& item : evidence_items(scene_, i)) finding_.incident.against.push_back(std::move(item));
    }

    void add_missing() {
        std::set<std::string> asked;
        for (const auto* fault : finding_.faults) {
            for (const auto& id : fault->ask_for) {
                const bool have = std::ranges::any_of(scene_.node.observations, [&](const auto& o) {
                    return o.epoch == root().epoch && knowledge::matches_id(id, o.signal().id);
                });
                const auto* signal = scene_.catalogue.signal(id);
                if (have || signal == nullptr || signal->obtain.empty()) continue;
                const auto command = fill_command(signal->obtain_command, finding_.incident);
                if (asked.insert(command.empty() ? id : command).second)
                    finding_.incident.missing.push_back({fill_text(signal->obtain, finding_.incident), command});
            }
        }
    }

    void add_alternatives() {
        std::map<std::string, model::Alternative> by_fault;
        for (std::size_t i = 0; i < scene_.hypotheses.size(); ++i) {
            const auto& h = scene_.hypotheses[i];
            if (std::ranges::find(members_, i) != members_.end() || h.fault->benign() ||
                h.fault->id == root().fault->id)
                continue;
            const bool shares = std::ranges::any_of(
                h.own, [&](const auto& o) { return seen(o.first).is_problem() && cover_.contains(o.first); });
            // The alternative explains part of the same evidence: it cannot be surer than what explains all of it.
            const double confidence = std::min(h.confidence * 0.7, finding_.incident.confidence * 0.8);
            if (!shares || confidence < 0.1) continue;
            auto& alternative = by_fault[h.fault->id];
            if (confidence <= alternative.confidence) continue;
            alternative = {h.fault->id, h.fault->class_, fill_text(h.fault->title, finding_.incident), confidence,
                           fill_text(h.fault->why_less, finding_.incident)};
        }
        auto& alternatives = finding_.incident.alternatives;
        for (auto& [id, alternative] : by_fault) alternatives.push_back(std::move(alternative));
        std::ranges::stable_sort(alternatives, std::greater{}, &model::Alternative::confidence);
        constexpr std::size_t kShown = 3;
        if (alternatives.size() > kShown) alternatives.resize(kShown);
    }

    void add_context() {
        std::set<std::string> related;
        std::set<std::string> vms;
        for (std::size_t i = 0; i < scene_.node.observations.size(); ++i) {
            const auto& o = seen(i);
            if (o.epoch != root().epoch) continue;
            const bool about_vm = std::ranges::any_of(vms_, [&](const auto& vm) { return signals::same_vm(vm, o.vm); });
            if (cover_.contains(i) || about_vm || (names_no_device(o) && o.vm.vm.empty()) ||
                (o.device && placed_.contains(*o.device)))
                related.insert(o.signal().id);
            const auto& s = o.signal().subject;
            const bool here =
                scene_.node.name.empty() || base::lower(s.node.substr(0, s.node.find('.'))) == scene_.node.name;
            if (!s.vm.empty() && !s.node.empty() && here) vms.insert(vm_name(o.vm));
        }
        for (const auto& vm : vms_) vms.insert(vm_name(vm));
        finding_.related_signals.assign(related.begin(), related.end());
        finding_.node_vms.assign(vms.begin(), vms.end());
        for (const auto& d : scene_.node.devices) finding_.node_devices.push_back(d.name());
    }

    const Scene& scene_;
    const std::vector<std::size_t>& roots_;
    std::vector<std::size_t> members_;
    std::map<std::size_t, double> cover_;
    std::map<std::size_t, std::size_t> items_of_;  // observation -> its first evidence item
    std::set<std::size_t> placed_;
    std::vector<model::Holder> vms_;
    Finding finding_;
};

}  // namespace

std::vector<model::EvidenceItem> evidence_items(const Scene& scene, std::size_t observation) {
    const auto& signal = scene.node.observations[observation].signal();
    std::vector<model::EvidenceItem> items;
    for (std::size_t i = 0; i < signal.evidence.size(); ++i) {
        const auto& ref = signal.evidence[i];
        model::EvidenceItem item;
        if (ref.source < scene.evidence.sources.size()) item.source = scene.evidence.sources[ref.source].name;
        item.line = ref.line;
        item.time = ref.time;
        item.text = base::printable(ref.text);
        item.signal = signal.id;
        item.title = scene.catalogue.title_of(signal.id);
        item.count = i == 0 ? signal.count : 1;
        // The fields kept are those of the first line.
        if (const auto* definition = scene.catalogue.signal(signal.id); definition != nullptr && i == 0)
            for (auto& d : knowledge::decode(scene.catalogue, *definition, signal.fields))
                item.decoded.push_back({d.field, d.value, d.name, d.text});
        items.push_back(std::move(item));
    }
    return items;
}

Finding make_finding(const Scene& scene, const std::vector<std::size_t>& roots) {
    return Builder(scene, roots).build();
}

model::BenignFinding make_benign(const Scene& scene, std::size_t root) {
    const auto& h = scene.hypotheses[root];
    model::Incident incident;  // only for its names
    incident.node = scene.node.name;
    if (h.device) incident.devices.push_back(device_of(scene.node.devices[*h.device], Device::Role::root, How::seen));
    model::BenignFinding finding;
    finding.title = fill_text(h.fault->title, incident);
    finding.why = fill_text(h.fault->cause, incident);
    for (const auto& [i, weight] : h.own) {
        if (!scene.node.observations[i].is_problem() && !finding.evidence.empty()) continue;
        if (finding.signal.empty()) finding.signal = scene.node.observations[i].signal().id;
        for (auto& item : evidence_items(scene, i)) finding.evidence.push_back(std::move(item));
    }
    return finding;
}

}  // namespace gpumedic::diagnosis
