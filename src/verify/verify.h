// The checks that prove a recovery (last part of the recovery rules in docs/verify.md). Pure, thread-safe.
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "model/diagnosis.h"
#include "model/verification.h"
#include "verify/baseline.h"
#include "verify/inventory.h"
#include "verify/repair.h"

namespace gpumedic::verify {

/// What a site's own command found inside of a VM.
struct GuestAnswer {
    std::string vm{};       // "namespace/name"
    std::string command{};  // as it was run
    enum class End { answered, failed } end{End::failed};
    std::string why{};         // of failed
    std::uint32_t gpus{};      // that it listed
    bool shows_errors{false};  // an Xid, ERR!, or a fault's line
};

struct Question {
    const model::Diagnosis& diagnosis;  // of the evidence after the repair
    const Seen& seen;                   // the same evidence's inventory
    const Repair* repair{};             // none: no saved incident
    const Baseline* baseline{};         // none
    std::vector<GuestAnswer> guests{};  // empty: nobody configured a command
};

/// Each check that applies, in the order of the table; fail outweighs unknown, unknown outweighs pass. Without any
/// check that applies the result is unknown.
[[nodiscard]] model::Verification verify(const Question& question);

}  // namespace gpumedic::verify
