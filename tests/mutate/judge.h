// What a changed telling of the evidence did to the answer.
#pragma once

#include <optional>
#include <string>

#include "model/diagnosis.h"
#include "variant.h"

namespace gpumedic::mutate {

/// rest: what the evidence shows without the deciding line that is gone, as the case says.
enum class Outcome { kept, weakened, rest, flipped };

struct Judgement {
    Outcome outcome{Outcome::kept};
    std::string why{};                   // of what was not kept: "inconclusive", "stronger action cold_reboot" ...
    std::optional<double> confidence{};  // of the first open incident
    bool right{true};                    // class, devices and action of that incident are those of the truth
};

/// Never: a wrong device, a stronger action, a fault where there is none. A weaker answer is fair where something that
/// decides is gone; with all of it there, another class or a healthy verdict is a flip too. Without it, the answer that the case
/// itself names as shown by the rest is none.
[[nodiscard]] Judgement judge(const Subject& subject, const Variant& variant, const model::Diagnosis& answer);

}  // namespace gpumedic::mutate
