#include "signals/year_fitting.h"

#include <algorithm>
#include <map>

namespace gpumedic::signals {
namespace {

using base::Timestamp;
using std::chrono::microseconds;

constexpr std::chrono::hours kClockError{26};  // a zone that was not named, and a clock that is a bit ahead
constexpr std::chrono::hours kYear{8766};

bool lacks_year(const Timestamp& time) { return time.clock == Timestamp::Clock::wall && !time.has_year; }

template <class Take>
void for_each_time(FoldedSignal& folded, Take take) {
    if (folded.signal.first) take(*folded.signal.first);
    if (folded.signal.last) take(*folded.signal.last);
    for (auto& ref : folded.signal.evidence)
        if (ref.time) take(*ref.time);
}

/// How many years `time` has to move to come nearest to one of `dated` (sorted, not empty).
int years_to_nearest(const Timestamp& time, const std::vector<microseconds>& dated) {
    const auto rough = [&](microseconds to) {
        return static_cast<int>(std::chrono::round<std::chrono::hours>(to - time.value) / kYear);
    };
    constexpr int kMaxYears = 100;
    int best = 0;
    auto best_distance = microseconds::max();
    const int from = std::max(rough(dated.front()) - 1, -kMaxYears);
    const int until = std::min(rough(dated.back()) + 1, kMaxYears);
    for (int years = from; years <= until; ++years) {
        const auto moved = base::shifted_by_years(time, years).value;
        const auto above = std::lower_bound(dated.begin(), dated.end(), moved);
        auto distance = microseconds::max();
        if (above != dated.end()) distance = std::min(distance, *above - moved);
        if (above != dated.begin()) distance = std::min(distance, moved - *(above - 1));
        if (distance < best_distance) best = years;
        best_distance = std::min(best_distance, distance);
    }
    return best;
}

}  // namespace

void fit_years(std::vector<FoldedSignal>& signals, std::optional<microseconds> present) {
    std::vector<microseconds> dated;
    std::map<std::uint32_t, Timestamp> last_of_source;
    for (auto& folded : signals)
        for_each_time(folded, [&](const Timestamp& time) {
            if (time.clock != Timestamp::Clock::wall) return;
            if (time.has_year) return dated.push_back(time.value);
            const auto [it, fresh] = last_of_source.try_emplace(folded.source, time);
            if (!fresh && it->second.value < time.value) it->second = time;
        });
    std::sort(dated.begin(), dated.end());
    std::map<std::uint32_t, int> years_of_source;
    for (const auto& [source, last] : last_of_source) {
        const bool is_future = present && last.value > *present + kClockError;
        years_of_source[source] = dated.empty() ? (is_future ? -1 : 0) : years_to_nearest(last, dated);
    }
    for (auto& folded : signals) {
        const auto found = years_of_source.find(folded.source);
        if (found == years_of_source.end() || found->second == 0) continue;
        for_each_time(folded, [&](Timestamp& time) {
            if (lacks_year(time)) time = base::shifted_by_years(time, found->second);
        });
    }
}

}  // namespace gpumedic::signals
