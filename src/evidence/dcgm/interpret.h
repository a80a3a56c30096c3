// Entries of a report's table -> findings. Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "evidence/dcgm/finding.h"
#include "evidence/dcgm/report_table.h"

namespace gpumedic::evidence::dcgm {

/// Findings of a health report or of a diagnostic's report; none for other tables (discovery, groups ...).
[[nodiscard]] std::vector<Finding> findings_of(const std::vector<Entry>& entries);

/// "GPU 3 ...", "GPU3: ..." -> "3"; "" where the text names no GPU first.
[[nodiscard]] std::string_view gpu_of_message(std::string_view message);
/// "Pass", "Fail", "Warn", "Skip", "Healthy", "Warning", "Failure" (any case) in lower case; nothing for other words.
[[nodiscard]] std::optional<std::string> parse_result_word(std::string_view word);
/// "GPU 0's link ... down., GPU 1's ..." -> one message for each GPU that begins a sentence.
[[nodiscard]] std::vector<std::string> split_messages(std::string_view text);

}  // namespace gpumedic::evidence::dcgm
