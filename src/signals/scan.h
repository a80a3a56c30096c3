// Finds the catalogue's signals in records.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "knowledge/catalogue.h"
#include "model/record.h"
#include "model/signal.h"

namespace gpumedic::signals {

/// Looks for all definitions at once: a gate over the literals that patterns must contain, then the few candidate
/// patterns, which are compiled when they are first needed. Not thread-safe. The catalogue must outlive it.
class Scanner {
public:
    explicit Scanner(const knowledge::Catalogue& catalogue);
    ~Scanner();
    Scanner(Scanner&&) noexcept;
    Scanner& operator=(Scanner&&) noexcept;

    /// Every signal of the record, in the order of the catalogue (usually none). `source` goes into the evidence
    /// reference.
    [[nodiscard]] std::vector<model::Signal> scan(std::uint32_t source, const model::Record& record);

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace gpumedic::signals
