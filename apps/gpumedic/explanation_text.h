// Explanations as bytes: text, one JSON document, or a JSON line. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "pipeline/pipeline.h"
#include "report/report.h"

namespace gpumedic::cli {

struct Answer {
    std::string query;
    std::vector<pipeline::Explanation>
        explanations;  // as Explainer gives them: one with an empty kind when nothing is known
    [[nodiscard]] bool known() const { return !explanations.empty() && !explanations.front().kind.empty(); }
};

[[nodiscard]] std::string render_explanation_text(const pipeline::Explanation& explanation,
                                                  const report::TextOptions& options);
/// Said on standard error when a query is not known.
[[nodiscard]] std::string not_known(std::string_view query, const report::TextOptions& options);
/// Schema gpumedic.explanation/v1: {"schema","answers":[{"query","explanations":[...]}]}.
[[nodiscard]] std::string render_explanations_json(const std::vector<Answer>& answers);
/// {"line": "...", "signal": "xid.79" or null, "fields": {...}} of the gravest signal, with a line end.
[[nodiscard]] std::string render_json_line(const Answer& answer);

}  // namespace gpumedic::cli
