// A fault may not follow from itself: effects fold under their cause, and a cycle has no root to fold under.
#include <fmt/format.h>

#include <unordered_map>

#include "knowledge/compiler.h"

namespace gpumedic::knowledge {
namespace {

using FaultDefinitions = std::vector<Definition<Fault>>;
using Edges = std::vector<std::vector<std::size_t>>;

Edges edges_of(const FaultDefinitions& faults) {
    std::unordered_map<std::string_view, std::size_t> position;
    for (std::size_t i = 0; i < faults.size(); ++i) position.emplace(faults[i].value.id, i);
    Edges edges(faults.size());
    for (std::size_t i = 0; i < faults.size(); ++i) {
        for (const auto& effect : faults[i].value.effects) {
            const auto found = position.find(effect.fault);
            if (found != position.end()) edges[i].push_back(found->second);
        }
    }
    return edges;
}

void report(const FaultDefinitions& faults, const std::vector<std::size_t>& path, std::size_t first,
            ProblemList& problems) {
    std::string shown;
    for (std::size_t i = first; i < path.size(); ++i) shown += faults[path[i]].value.id + " -> ";
    shown += faults[path[first]].value.id;
    const auto& from = faults[path.back()];
    problems.error(Mistake::cycle, locate(from.node, from.place, "effects", faults[path[first]].value.id),
                   fmt::format("faults cause each other in a circle: {}", shown),
                   "take out the weakest of these effects, or make the two faults one");
}

}  // namespace

void check_cycles(const Collected& collected, ProblemList& problems) {
    const auto& faults = collected.definitions.faults;
    const Edges edges = edges_of(faults);
    enum class Mark : std::uint8_t { fresh, on_path, done };
    std::vector<Mark> marks(faults.size(), Mark::fresh);
    // Depth first without recursion: a site catalogue's chain may be longer than a stack is deep.
    std::vector<std::size_t> path;
    std::vector<std::size_t> next;
    for (std::size_t root = 0; root < faults.size(); ++root) {
        if (marks[root] != Mark::fresh) continue;
        path.assign(1, root);
        next.assign(1, 0);
        marks[root] = Mark::on_path;
        while (!path.empty()) {
            const std::size_t here = path.back();
            if (next.back() == edges[here].size()) {
                marks[here] = Mark::done;
                path.pop_back();
                next.pop_back();
                continue;
            }
            const std::size_t there = edges[here][next.back()++];
            if (marks[there] == Mark::on_path) {
                std::size_t first = path.size() - 1;
                while (path[first] != there) --first;
                report(faults, path, first, problems);
            } else if (marks[there] == Mark::fresh) {
                marks[there] = Mark::on_path;
                path.push_back(there);
                next.push_back(0);
            }
        }
    }
}

}  // namespace gpumedic::knowledge
