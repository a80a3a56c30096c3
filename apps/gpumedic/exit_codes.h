// Exit codes: part of the contract (gpumedic --help lists them). sysexits.h where it has a fitting one.
#pragma once

#include "base/result.h"

namespace gpumedic::cli {

inline constexpr int kDone = 0;     // healthy, or done
inline constexpr int kFault = 1;    // a fault, a check that failed, a difference
inline constexpr int kUnknown = 2;  // inconclusive (diagnose), not known (explain, catalog show)
inline constexpr int kUsage = 64;
inline constexpr int kNoInput = 66;
inline constexpr int kInternal = 70;  // our bug, or a result that could not be written
inline constexpr int kBadCatalogue = 78;
inline constexpr int kInterrupted = 130;  // Ctrl-C or SIGTERM while a bundle was written: shells' habit

[[nodiscard]] inline int exit_code_of(base::ErrorCode code) {
    return code == base::ErrorCode::usage ? kUsage : kNoInput;
}

}  // namespace gpumedic::cli
