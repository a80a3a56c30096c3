#include "evidence/log_lines/journal_entry.h"

#include <algorithm>

#include "base/text.h"
#include "codec/value.h"

namespace gpumedic::evidence {
namespace {

constexpr codec::TreeLimits kLimits{.bytes = std::size_t{1} << 20, .nodes = 400'000, .depth = 16};
constexpr std::int64_t kMaxMicros = 253'402'300'800'000'000;  // year 10000
constexpr std::size_t kBinaryLengthBytes = 8;

/// The journal's times are microseconds since 1970, as decimal strings.
std::optional<base::Timestamp> epoch_time(std::string_view text) {
    const auto micros = base::parse_number<std::int64_t>(text);
    if (!micros || *micros <= 0 || *micros >= kMaxMicros) return std::nullopt;
    return base::Timestamp{base::Timestamp::Clock::wall, std::chrono::microseconds{*micros}, std::chrono::minutes{0},
                           true};
}

/// A string, or the array of byte values that journalctl writes for text that is no UTF-8 or holds control characters.
std::optional<std::string> message_of(const codec::Value& value) {
    if (value.is_scalar()) return value.scalar;
    if (!value.is_list()) return std::nullopt;
    std::string bytes;
    bytes.reserve(value.items.size());
    for (const auto& item : value.items) {
        const auto byte = base::parse_number<unsigned>(item.scalar);
        if (!byte || *byte > 255) return std::nullopt;
        bytes.push_back(static_cast<char>(*byte));
    }
    return bytes;
}

int priority_of(std::string_view text) {
    const auto number = base::parse_number<int>(text);
    return number && *number >= 0 && *number <= 7 ? *number : -1;
}

bool is_export_key(std::string_view key) {
    return !key.empty() && key.size() <= 64 && std::all_of(key.begin(), key.end(), [](char c) {
        return (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    });
}

}  // namespace

bool looks_like_journal_json(std::string_view line) {
    if (!line.starts_with('{') || !base::contains(line, "\"MESSAGE\"")) return false;
    return base::contains(line, "\"__REALTIME_TIMESTAMP\"") || base::contains(line, "\"_TRANSPORT\"") ||
           base::contains(line, "\"SYSLOG_IDENTIFIER\"") || base::contains(line, "\"_SOURCE_REALTIME_TIMESTAMP\"");
}

std::optional<JournalEntry> parse_journal_json(std::string_view line) {
    const auto value = codec::parse_json(line, kLimits);
    if (!value || !value->is_map()) return std::nullopt;
    const auto* const message = value->find("MESSAGE");
    auto text = message == nullptr ? std::nullopt : message_of(*message);
    if (!text) return std::nullopt;
    JournalEntry entry;
    entry.message = std::move(*text);
    entry.time = epoch_time(value->text({"_SOURCE_REALTIME_TIMESTAMP"}));
    if (!entry.time) entry.time = epoch_time(value->text({"__REALTIME_TIMESTAMP"}));
    entry.host = value->text({"_HOSTNAME"});
    entry.priority = priority_of(value->text({"PRIORITY"}));
    entry.program = value->text({"SYSLOG_IDENTIFIER"});
    if (entry.program.empty()) entry.program = value->text({"_COMM"});
    if (value->text({"_TRANSPORT"}) == "kernel") entry.program = "kernel";
    entry.boot = value->text({"_BOOT_ID"});
    entry.pid = value->text({"_PID"});
    if (entry.pid.empty()) entry.pid = value->text({"SYSLOG_PID"});
    return entry;
}

bool JournalBlock::add(std::string_view line, std::uint64_t number) {
    if (!open_) {
        if (!line.starts_with("__CURSOR=") && !line.starts_with("__REALTIME_TIMESTAMP=")) return false;
        open_ = true;
    }
    if (binary_) {
        binary_ = false;
        if (line.size() > kBinaryLengthBytes && entry_.message.empty()) {
            entry_.message = line.substr(kBinaryLengthBytes);
            message_line_ = number;
            raw_ = line.substr(kBinaryLengthBytes);
        }
        return true;
    }
    const auto equals = line.find('=');
    const auto key = line.substr(0, equals);
    if (!is_export_key(key)) return true;  // the further lines of a binary value
    if (equals == std::string_view::npos) {
        binary_ = key == "MESSAGE";
        return true;
    }
    add_field(key, line.substr(equals + 1));
    if (key == "MESSAGE") {
        message_line_ = number;
        raw_ = line;
    }
    return true;
}

void JournalBlock::add_field(std::string_view key, std::string_view value) {
    if (key == "MESSAGE") {
        entry_.message = value;
    } else if (key == "_SOURCE_REALTIME_TIMESTAMP" || (key == "__REALTIME_TIMESTAMP" && !source_time_)) {
        if (const auto time = epoch_time(value)) {
            entry_.time = time;
            source_time_ = key.starts_with("_SOURCE");
        }
    } else if (key == "_BOOT_ID") {
        entry_.boot = value;
    } else if (key == "_HOSTNAME") {
        entry_.host = value;
    } else if (key == "PRIORITY") {
        entry_.priority = priority_of(value);
    } else if (key == "_TRANSPORT" && value == "kernel") {
        entry_.program = value;
    } else if (key == "SYSLOG_IDENTIFIER" && entry_.program.empty()) {
        entry_.program = value;
    } else if (key == "_PID" || (key == "SYSLOG_PID" && entry_.pid.empty())) {
        entry_.pid = value;
    }
}

std::optional<JournalEntry> JournalBlock::take() {
    std::optional<JournalEntry> done;
    if (open_ && !entry_.message.empty()) done = std::move(entry_);
    entry_ = JournalEntry{};
    open_ = binary_ = source_time_ = false;
    return done;
}

}  // namespace gpumedic::evidence
