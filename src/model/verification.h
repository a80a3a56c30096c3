// The answer of `verify`: schema gpumedic.verification/v1 as values. Renderers (src/report) turn it into bytes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "model/localized.h"

namespace gpumedic::model {

/// Unknown is never pass: what was not seen proves nothing.
enum class CheckResult : std::uint8_t { pass, unknown, fail };
[[nodiscard]] std::string_view to_string(CheckResult result);
/// Exit code of `verify`: pass 0, fail 1, unknown 2.
[[nodiscard]] int exit_code(CheckResult result);

struct Check {
    std::string id{};  // "vm_running"
    Localized title{};
    Localized expected{};
    Localized seen{};
    CheckResult result{CheckResult::unknown};
    Localized why{};        // of fail and unknown
    std::string command{};  // with which a person would see it; of fail and unknown
};

struct Verification {
    CheckResult result{CheckResult::unknown};
    Localized summary{};
    std::string node{};
    std::string incident{};  // fault whose repair is verified; empty: none was given
    std::vector<Check> checks{};
    std::uint64_t rounds{1};  // how often everything was read (--soak)
    std::string catalogue{};
};

}  // namespace gpumedic::model
