#include "evidence/log_lines/json_log.h"

#include <algorithm>
#include <array>
#include <span>

#include "base/text.h"
#include "codec/value.h"
#include "evidence/log_lines/header_forms.h"

namespace gpumedic::evidence {
namespace {

constexpr codec::TreeLimits kLimits{.bytes = std::size_t{1} << 20, .nodes = 100'000, .depth = 16};
constexpr std::int64_t kMaxSeconds = 253'402'300'800;  // year 10000

using namespace std::string_view_literals;
using Keys = std::span<const std::string_view>;
constexpr std::array kMessages{"msg"sv, "message"sv, "log"sv, "MESSAGE"sv};
constexpr std::array kTimes{"ts"sv, "time"sv, "timestamp"sv, "@timestamp"sv, "t"sv};
constexpr std::array kStreams{"stream"sv};
constexpr std::array kLevels{"level"sv, "severity"sv, "lvl"sv, "log.level"sv};
constexpr std::array kErrors{"error"sv, "err"sv, "reason"sv, "stderr"sv};
constexpr std::array kHosts{"host"sv, "hostname"sv, "node"sv, "nodeName"sv};
constexpr std::array kPrograms{"program"sv, "component"sv,         "logger"sv,           "app"sv,
                               "ident"sv,   "syslog_identifier"sv, "SYSLOG_IDENTIFIER"sv};

bool has_key(std::string_view line, Keys keys) {
    return std::any_of(keys.begin(), keys.end(), [line](std::string_view key) {
        for (auto at = line.find(key); at != std::string_view::npos; at = line.find(key, at + 1))
            if (at > 0 && line[at - 1] == '"' && line.substr(at + key.size()).starts_with('"')) return true;
        return false;
    });
}

std::string_view first_of(const codec::Value& object, Keys keys) {
    for (const auto key : keys) {
        const auto* const value = object.find(key);
        if (value != nullptr && value->is_scalar() && !value->scalar.empty()) return value->scalar;
    }
    return {};
}

/// RFC 3339, or seconds since 1970 with a fraction (zap's default), or milliseconds.
std::optional<base::Timestamp> time_of(std::string_view text, const base::TimeContext& context) {
    if (const auto time = base::parse_iso_time(text, context)) return time->time;
    const auto number = base::parse_decimal(text);
    if (!number || *number < 100'000'000) return std::nullopt;
    const double seconds = *number > static_cast<double>(kMaxSeconds) ? *number / 1000 : *number;
    if (seconds > static_cast<double>(kMaxSeconds)) return std::nullopt;
    return base::Timestamp{base::Timestamp::Clock::wall,
                           std::chrono::microseconds{static_cast<std::int64_t>(seconds * 1e6)}, std::chrono::minutes{0},
                           true};
}

}  // namespace

bool looks_like_json_log(std::string_view line) {
    if (!line.starts_with("{\"") && !line.starts_with("{ \"")) return false;
    if (base::contains(line, "\"component\":\"virt-") || base::contains(line, "\"apiVersion\"")) return false;
    return has_key(line, kMessages) && (has_key(line, kTimes) || has_key(line, kLevels) || has_key(line, kStreams));
}

std::optional<JsonLogLine> parse_json_log(std::string_view line, const base::TimeContext& context) {
    const auto value = codec::parse_json(line, kLimits);
    if (!value || !value->is_map()) return std::nullopt;
    JsonLogLine parsed;
    parsed.message = base::trim(first_of(*value, kMessages));
    for (const auto key : kErrors) {
        const auto* const error = value->find(key);
        if (error == nullptr || !error->is_scalar() || error->scalar.empty()) continue;
        parsed.message += (parsed.message.empty() ? "" : ": ") + error->scalar;
        break;
    }
    if (parsed.message.empty()) return std::nullopt;
    parsed.time = time_of(first_of(*value, kTimes), context);
    parsed.priority = level_priority(first_of(*value, kLevels));
    parsed.host = first_of(*value, kHosts);
    parsed.program = first_of(*value, kPrograms);
    return parsed;
}

}  // namespace gpumedic::evidence
