#include "signals/signal_set.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

#include "signals/year_fitting.h"

namespace gpumedic::signals {
namespace {

using model::Signal;

std::string subject_key(const Signal& signal) {
    const auto& s = signal.subject;
    const auto number = [](const std::optional<int>& n) { return n ? std::to_string(*n) : std::string("-"); };
    return fmt::format("{}|{}|{}|{}|{}|{}|{}|{}|{}|{}|{}|{}|{}", signal.id, s.pci ? s.pci->to_string() : "-", s.uuid,
                       number(s.index), number(s.instance), number(s.link), number(s.nvswitch), s.iommu_group, s.vm,
                       s.namespace_, s.pod, s.node, signal.host);
}

bool same_line(const model::EvidenceRef& a, const model::EvidenceRef& b) {
    return a.time && a.time == b.time && a.text == b.text;
}

/// Times of different clocks cannot be ordered; the first seen stays.
void widen(Signal& into, const Signal& from) {
    if (into.record == model::RecordType::text) into.record = from.record;
    const auto comparable = [](const auto& a, const auto& b) { return a && b && a->clock == b->clock; };
    if (!into.first) into.first = from.first;
    if (!into.last) into.last = from.last;
    if (comparable(into.first, from.first))
        into.first = std::min(*into.first, *from.first, [](auto& a, auto& b) { return a.value < b.value; });
    if (comparable(into.last, from.last))
        into.last = std::max(*into.last, *from.last, [](auto& a, auto& b) { return a.value < b.value; });
}

void append_evidence(Signal& into, Signal& from) {
    for (auto& ref : from.evidence) {
        if (into.evidence.size() < Signal::kMaxEvidence) {
            into.evidence.push_back(std::move(ref));
        } else {
            into.evidence.back() = std::move(ref);  // the last place keeps the latest
        }
    }
}

/// The same lines in two sources (kern.log and journal) count once; other lines add up.
void merge_sources(Signal& into, Signal& from) {
    const bool overlap = std::ranges::any_of(from.evidence, [&](const auto& ref) {
        return std::ranges::any_of(into.evidence, [&](const auto& have) { return same_line(have, ref); });
    });
    into.count = overlap ? std::max(into.count, from.count) : into.count + from.count;
    widen(into, from);
    std::erase_if(from.evidence, [&](const auto& ref) {
        return std::ranges::any_of(into.evidence, [&](const auto& have) { return same_line(have, ref); });
    });
    append_evidence(into, from);
}

/// Vantage of each source, the unknown ones joined to the only vantage there is.
std::vector<model::Vantage> vantages_of(const std::vector<model::Source>& sources,
                                        const std::vector<FoldedSignal>& signals) {
    using model::Vantage;
    std::vector<Vantage> vantages;
    for (const auto& source : sources) vantages.push_back(source.vantage);
    if (std::ranges::find(vantages, Vantage::guest) == vantages.end()) return vantages;
    if (std::ranges::find(vantages, Vantage::host) != vantages.end()) return vantages;
    std::map<std::uint32_t, std::set<std::string>> devices;
    std::set<std::string> of_guests;
    for (const auto& s : signals) {
        if (s.source >= vantages.size() || !s.signal.subject.pci) continue;
        devices[s.source].insert(s.signal.subject.pci->to_string());
        if (vantages[s.source] == Vantage::guest) of_guests.insert(s.signal.subject.pci->to_string());
    }
    for (const auto& [source, named] : devices)
        if (vantages[source] == Vantage::unknown && std::ranges::includes(of_guests, named))
            vantages[source] = Vantage::guest;
    return vantages;
}

}  // namespace

void SignalSet::mark_boot(std::uint32_t source) { ++boots_[source]; }

void SignalSet::add(std::uint32_t source, Signal signal) {
    const auto boot = boots_[source];
    const auto key = fmt::format("{}|{}|{}", subject_key(signal), source, boot);
    const auto it = index_.find(key);
    if (it == index_.end()) {
        if (signals_.size() >= kMaxSignals) {
            ++dropped_;
            return;
        }
        index_.emplace(key, signals_.size());
        signals_.push_back({std::move(signal), source, boot});
        return;
    }
    auto& folded = signals_[it->second].signal;
    folded.count += signal.count;
    widen(folded, signal);
    append_evidence(folded, signal);
}

std::vector<FoldedSignal> SignalSet::finish(const std::vector<model::Source>& sources,
                                            std::optional<std::chrono::microseconds> present) {
    fit_years(signals_, present);
    const auto vantages = vantages_of(sources, signals_);
    std::vector<FoldedSignal> merged;
    std::unordered_map<std::string, std::size_t> places;
    for (auto& folded : signals_) {
        const auto vantage = folded.source < vantages.size() ? vantages[folded.source] : model::Vantage::unknown;
        folded.signal.vantage = vantage;
        // How many boots of its source lie behind it is what can be compared across sources; 0 is the last one.
        const auto back = boots_[folded.source] - folded.boot;
        const auto key = fmt::format("{}|{}|{}", subject_key(folded.signal), static_cast<int>(vantage), back);
        const auto [it, fresh] = places.try_emplace(key, merged.size());
        folded.boot = back;
        if (fresh) {
            merged.push_back(std::move(folded));
        } else {
            merge_sources(merged[it->second].signal, folded.signal);
        }
    }
    signals_.clear();
    index_.clear();
    return merged;
}

}  // namespace gpumedic::signals
