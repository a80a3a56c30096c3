// The year of times that have none ("Oct 10 22:25:01").
#pragma once

#include <chrono>
#include <optional>
#include <vector>

#include "signals/signal_set.h"

namespace gpumedic::signals {

/// Moves the year-less times of each source together, by whole years: near to the dated times of the other evidence,
/// else so that the last of them does not lie after `present` (microseconds since 1970). Pure but for its argument.
void fit_years(std::vector<FoldedSignal>& signals, std::optional<std::chrono::microseconds> present);

}  // namespace gpumedic::signals
