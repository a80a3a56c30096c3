// All signals of a run, repeats folded.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "model/diagnosis.h"
#include "model/signal.h"

namespace gpumedic::signals {

/// One signal of the folded set, with what only the whole run could tell.
struct FoldedSignal {
    model::Signal signal;
    std::uint32_t source{};  // of its first evidence
    std::uint32_t boot{};    // after finish(): boots that began in its source after it; 0: it belongs to the last one
};

/// Folds signals of the same id, subject, host, source and boot; then (finish) the same line seen in overlapping
/// sources. Bounded: beyond kMaxSignals distinct ones, new ones are dropped and counted. Not thread-safe.
class SignalSet {
public:
    static constexpr std::size_t kMaxSignals = 50'000;

    void add(std::uint32_t source, model::Signal signal);
    /// The source's kernel started anew here.
    void mark_boot(std::uint32_t source);

    /// Everything folded, in order of first appearance. `sources` tells the vantage of each; one that does not know it
    /// is taken for a guest's where no source is the host's and all devices it names are those of the guest. Times without a year are
    /// moved to the year that fits the dated evidence, else to the last one before `present` (microseconds since 1970).
    [[nodiscard]] std::vector<FoldedSignal> finish(const std::vector<model::Source>& sources,
                                                   std::optional<std::chrono::microseconds> present = std::nullopt);
    [[nodiscard]] std::uint64_t dropped() const { return dropped_; }

private:
    std::unordered_map<std::string, std::size_t> index_;
    std::vector<FoldedSignal> signals_;
    std::unordered_map<std::uint32_t, std::uint32_t> boots_;
    std::uint64_t dropped_{0};
};

}  // namespace gpumedic::signals
