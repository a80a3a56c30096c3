#include "knowledge/suggest.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>

namespace gpumedic::knowledge {
namespace {

constexpr std::size_t kLongestName = 80;  // distance costs length squared; longer names are no typing mistakes
constexpr std::size_t kMaxListed = 12;

/// Insertions, deletions, replacements and swaps of neighbours: what fingers do wrong.
std::size_t edit_distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> before(b.size() + 1);
    std::vector<std::size_t> above(b.size() + 1);
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(above.begin(), above.end(), std::size_t{0});
    for (std::size_t i = 1; i <= a.size(); ++i) {
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t replaced = above[j - 1] + (a[i - 1] == b[j - 1] ? 0U : 1U);
            row[j] = std::min({replaced, row[j - 1] + 1, above[j] + 1});
            const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
            if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
        }
        before.swap(above);
        above.swap(row);
    }
    return above[b.size()];
}

}  // namespace

std::string nearest_name(std::string_view name, const std::vector<std::string_view>& known) {
    if (name.empty() || name.size() > kLongestName) return {};
    const std::size_t allowed = std::max<std::size_t>(1, name.size() / 4);
    std::size_t best_distance = allowed + 1;
    std::string_view best;
    for (const auto candidate : known) {
        if (candidate.size() > name.size() + allowed || candidate.size() + allowed < name.size()) continue;
        const std::size_t distance = edit_distance(name, candidate);
        if (distance >= best_distance) continue;
        best_distance = distance;
        best = candidate;
    }
    return std::string(best);
}

std::string suggest(std::string_view name, const std::vector<std::string_view>& known) {
    if (const std::string nearest = nearest_name(name, known); !nearest.empty()) {
        return fmt::format("did you mean '{}'?", nearest);
    }
    if (known.empty() || known.size() > kMaxListed) return {};
    return fmt::format("one of: {}", fmt::join(known, ", "));
}

}  // namespace gpumedic::knowledge
