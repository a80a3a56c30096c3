#include "diagnosis/select.h"

#include <algorithm>
#include <set>
#include <tuple>

namespace gpumedic::diagnosis {
namespace {

/// What a root must explain to be worth assuming: less than one weak effect of a common fault would let noise in.
constexpr double kRootCost = 0.15;

double prior_factor(knowledge::Prior prior) {
    switch (prior) {
        case knowledge::Prior::common: return 1.0;
        case knowledge::Prior::uncommon: return 0.97;
        case knowledge::Prior::rare: return 0.9;
    }
    return 1.0;
}

double gain_of(const NodeView& node, const Hypothesis& h, const std::set<std::size_t>& covered) {
    double explained = 0;
    for (const auto& [i, weight] : h.cover)
        if (!covered.contains(i) && node.observations[i].is_problem()) explained += weight;
    // What speaks against the hypothesis speaks against letting it explain anything.
    const double doubt = h.against.empty() ? 1.0 : 0.5;
    return explained * prior_factor(h.fault->prior) * doubt - kRootCost;
}

std::string device_name(const NodeView& node, const Hypothesis& h) {
    return h.device ? node.devices[*h.device].name() : h.vm.namespace_ + "/" + h.vm.vm;
}

}  // namespace

Selection select_roots(const NodeView& node, const std::vector<Hypothesis>& hypotheses, std::uint32_t epoch) {
    Selection selection;
    std::set<std::size_t> covered;
    std::set<std::size_t> taken;
    for (;;) {
        std::optional<std::size_t> best;
        // The last three decide between equals, so that the answer does not depend on the order of files.
        std::tuple<double, double, std::string, std::string> best_rank;
        for (std::size_t i = 0; i < hypotheses.size(); ++i) {
            if (taken.contains(i)) continue;
            const auto& h = hypotheses[i];
            const double gain = gain_of(node, h, covered);
            std::tuple rank{gain, h.confidence, h.fault->id, device_name(node, h)};
            if (gain > 0 && (!best || rank > best_rank)) best = i, best_rank = std::move(rank);
        }
        if (!best) break;
        // Devices that show the same in the same measure: nothing tells which of them drew the others along.
        const auto& chosen = hypotheses[*best];
        std::vector<std::size_t> equals{*best};
        for (std::size_t i = 0; i < hypotheses.size(); ++i) {
            const auto& h = hypotheses[i];
            if (i == *best || taken.contains(i) || h.fault != chosen.fault || !h.device || !chosen.device) continue;
            if (h.confidence == chosen.confidence && gain_of(node, h, covered) == std::get<0>(best_rank))
                equals.push_back(i);
        }
        for (const auto root : equals) {
            selection.roots.push_back(root);
            for (const auto i : closure(hypotheses, root)) taken.insert(i);
            for (const auto& [i, weight] : hypotheses[root].cover) covered.insert(i);
        }
    }
    for (std::size_t i = 0; i < node.observations.size(); ++i)
        if (node.observations[i].epoch == epoch && node.observations[i].is_problem() && !covered.contains(i))
            selection.unexplained.push_back(i);
    return selection;
}

std::vector<std::size_t> closure(const std::vector<Hypothesis>& hypotheses, std::size_t root) {
    std::vector<std::size_t> all{root};
    for (std::size_t i = 0; i < all.size(); ++i)
        for (const auto& consequence : hypotheses[all[i]].consequences)
            if (std::ranges::find(all, consequence.hypothesis) == all.end()) all.push_back(consequence.hypothesis);
    return all;
}

}  // namespace gpumedic::diagnosis
