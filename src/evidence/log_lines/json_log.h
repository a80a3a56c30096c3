// Log lines that are JSON objects: zap, logrus, slog, fluentd and Loki exports, docker's files. The journal's own JSON
// is in journal_entry.h, KubeVirt's components have a reader of their own.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/timestamp.h"

namespace gpumedic::evidence {

/// Owns its texts. `priority` is -1 where the line has no level.
struct JsonLogLine {
    std::optional<base::Timestamp> time{};
    std::string host{};
    std::string program{};
    int priority{-1};
    std::string message{};  // with the error behind it; may itself be a log line (docker, fluentd)
};

/// By its first bytes and its keys; it may still be cut off. Pure, no allocation.
[[nodiscard]] bool looks_like_json_log(std::string_view line);

/// Nothing where the line is no JSON object with a message. Pure, thread-safe.
[[nodiscard]] std::optional<JsonLogLine> parse_json_log(std::string_view line, const base::TimeContext& context);

}  // namespace gpumedic::evidence
