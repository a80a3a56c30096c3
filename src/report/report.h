// The answer as bytes. Pure: model in, text out; the same model gives the same bytes. Thread-safe.
#pragma once

#include <string>

#include "model/diagnosis.h"
#include "model/localized.h"
#include "model/verification.h"

namespace gpumedic::report {

enum class Colour { off, on };
enum class Detail { summary, full };  // full: -v, the reasoning

struct TextOptions {
    model::Language language{model::Language::en};
    Colour colour{Colour::off};
    Detail detail{Detail::summary};
    std::size_t width{100};  // terminal columns, 40..400; long lines are folded by display width (Hangul counts two)
};

/// For people: verdict first, one screen.
[[nodiscard]] std::string render_text(const model::Diagnosis& diagnosis, const TextOptions& options);

/// Schema gpumedic.diagnosis/v1 (docs/schemas/diagnosis.schema.json).
[[nodiscard]] std::string render_json(const model::Diagnosis& diagnosis);

/// Verdict first, then the checks; expected, seen and why of those that did not pass, of all in full detail.
[[nodiscard]] std::string render_text(const model::Verification& answer, const TextOptions& options);
/// Schema gpumedic.verification/v1 (docs/schemas/verification.schema.json).
[[nodiscard]] std::string render_json(const model::Verification& answer);

}  // namespace gpumedic::report
