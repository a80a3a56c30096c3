// Log lines of programs that write files of their own: Go's log package, DCGM's host engine, logfmt, ESXi's vmkernel.
#include <algorithm>
#include <array>

#include "base/text.h"
#include "evidence/log_lines/header_forms.h"

namespace gpumedic::evidence {
namespace {

using base::TimeContext;
using model::RecordType;

constexpr std::size_t kGoTimeSize = 19;  // 2024/01/05 12:59:06

/// "[9596:9598] message [/path/File.cpp:12] [Class::Function]": the place behind the message goes.
std::string_view without_dcgm_place(std::string_view message) {
    for (int parts = 0; parts < 2 && message.ends_with(']'); ++parts) {
        const auto open = message.rfind(" [");
        if (open == std::string_view::npos || open == 0) break;
        message = base::trim_right(message.substr(0, open));
    }
    return message;
}

bool is_process_mark(std::string_view text) {
    const auto [process, thread] = base::split_once(text, ":");
    return base::parse_number<unsigned>(process) && base::parse_number<unsigned>(thread);
}

constexpr std::array<std::string_view, 4> kLogfmtTimes{"time=", "ts=", "t=", "timestamp="};

/// The raw value behind `key` ("msg="), quotes included; empty where there is none.
std::string_view logfmt_value(std::string_view line, std::string_view key) {
    std::size_t at = line.starts_with(key) ? 0 : std::string_view::npos;
    for (auto from = line.find(key); at == std::string_view::npos && from != std::string_view::npos;
         from = line.find(key, from + 1))
        if (line[from - (from > 0 ? 1 : 0)] == ' ') at = from;
    if (at == std::string_view::npos) return {};
    const auto value = line.substr(at + key.size());
    if (!value.starts_with('"')) return value.substr(0, value.find(' '));
    for (std::size_t i = 1; i < value.size(); ++i) {
        if (value[i] == '\\') {
            ++i;
        } else if (value[i] == '"') {
            return value.substr(0, i + 1);
        }
    }
    return value;
}

void append_unquoted(std::string_view value, std::string& out) {
    if (!value.starts_with('"')) {
        out.append(value);
        return;
    }
    value.remove_prefix(1);
    for (std::size_t i = 0; i < value.size() && value[i] != '"'; ++i) {
        if (value[i] == '\\' && i + 1 < value.size()) {
            const char escaped = value[++i];
            out.push_back(escaped == 'n' || escaped == 't' || escaped == 'r' ? ' ' : escaped);
        } else {
            out.push_back(value[i]);
        }
    }
}

}  // namespace

int level_priority(std::string_view level) {
    struct Level {
        std::string_view name;
        int priority;
    };
    constexpr std::array<Level, 17> kLevels{{{"emerg", 0},
                                             {"panic", 2},
                                             {"fatal", 2},
                                             {"critical", 2},
                                             {"crit", 2},
                                             {"alert", 1},
                                             {"error", 3},
                                             {"err", 3},
                                             {"warning", 4},
                                             {"warn", 4},
                                             {"notice", 5},
                                             {"info", 6},
                                             {"information", 6},
                                             {"debug", 7},
                                             {"trace", 7},
                                             {"dpanic", 2},
                                             {"verb", 7}}};
    if (level.size() > 12) return -1;
    const auto name = base::lower(level);
    const auto* const found =
        std::find_if(kLevels.begin(), kLevels.end(), [&](const auto& l) { return l.name == name; });
    return found == kLevels.end() ? -1 : found->priority;
}

bool parse_go_form(std::string_view line, const TimeContext& context, LineHeader& header) {
    if (line.size() <= kGoTimeSize || line[4] != '/' || line[7] != '/') return false;
    std::array<char, 26> iso{};
    // The fraction of log.Lmicroseconds is 7 bytes more.
    const bool has_fraction = line.size() > iso.size() && line[kGoTimeSize] == '.';
    const std::size_t size = has_fraction ? iso.size() : kGoTimeSize;
    std::copy_n(line.data(), size, iso.data());
    iso[4] = iso[7] = '-';
    const auto time = base::parse_iso_time({iso.data(), size}, context);
    if (!time || time->length != size || line[size] != ' ') return false;
    header.type = RecordType::syslog;
    header.time = time->time;
    header.message = base::trim(line.substr(size));
    return true;
}

bool parse_dcgm_rest(std::string_view rest, LineHeader& header) {
    const auto [level, after] = first_word(base::trim_left(rest));
    const int priority = level_priority(level);
    const auto close = after.starts_with('[') ? after.find(']') : std::string_view::npos;
    if (priority < 0 || close == std::string_view::npos || close > 32 || !is_process_mark(after.substr(1, close - 1)))
        return false;
    header.type = RecordType::syslog;
    header.priority = priority;
    header.program = "nv-hostengine";
    header.pid = base::split_once(after.substr(1, close - 1), ":").first;
    header.message = without_dcgm_place(base::trim(after.substr(close + 1)));
    return true;
}

bool parse_vmkernel_rest(std::string_view rest, LineHeader& header) {
    rest = base::trim_left(rest);
    const auto tag = rest.substr(0, 40).find("vmkernel: ");
    if (tag != std::string_view::npos) rest = base::trim_left(rest.substr(tag + 10));
    if (!rest.starts_with("cpu") || rest.size() < 6 || !is_digit(rest[3])) return false;
    const auto close = rest.substr(0, 64).find(')');
    const auto colon = rest.substr(0, 8).find(':');
    if (close == std::string_view::npos || colon == std::string_view::npos || colon > close) return false;
    header.type = RecordType::kernel;
    header.message = base::trim(rest.substr(close + 1));
    return true;
}

/// "123456 [7F3A] 0x01 -> message": OpenSM, on which NVLSM is built. The level is a mask: 1 is an error.
bool parse_subnet_manager_rest(std::string_view rest, LineHeader& header) {
    const auto [micros, after_micros] = first_word(base::trim_left(rest));
    const auto [thread, after_thread] = first_word(after_micros);
    const auto [level, message] = first_word(after_thread);
    if (micros.size() != 6 || !base::parse_number<unsigned>(micros) || !thread.starts_with('[') ||
        !thread.ends_with(']') || !level.starts_with("0x") || !message.starts_with("-> "))
        return false;
    header.type = RecordType::syslog;
    header.program = "nvlsm";
    header.priority = level == "0x01" ? 3 : 6;
    header.message = base::trim(message.substr(3));
    return true;
}

/// What container runtimes print to a terminal, without time.
bool parse_runtime_form(std::string_view line, LineHeader& header) {
    constexpr std::array<std::string_view, 5> kPrograms{
        "docker: Error response from daemon: ", "nvidia-container-cli: ", "Error response from daemon: ",
        "podman: Error: ", "OCI runtime create failed: "};
    for (const auto start : kPrograms) {
        if (!line.starts_with(start)) continue;
        header.type = RecordType::syslog;
        header.program = base::split_once(line, ":").first;
        if (base::contains(header.program, " ")) header.program = "docker";
        header.priority = 3;
        header.message = base::trim(line.substr(header.program == "nvidia-container-cli" ? start.size() : 0));
        return true;
    }
    return false;
}

bool looks_like_logfmt(std::string_view text) {
    const bool starts =
        std::any_of(kLogfmtTimes.begin(), kLogfmtTimes.end(), [&](auto key) { return text.starts_with(key); }) ||
        text.starts_with("level=");
    return starts && base::contains(text, "msg=") && base::contains(text, "level=");
}

bool parse_logfmt_form(std::string_view line, const TimeContext& context, LineHeader& header) {
    if (!looks_like_logfmt(line)) return false;
    for (const auto key : kLogfmtTimes) {
        auto value = logfmt_value(line, key);
        if (value.starts_with('"')) value.remove_prefix(1);
        const auto time = base::parse_iso_time(value, context);
        if (time) header.time = time->time;
        if (time) break;
    }
    header.type = RecordType::syslog;
    header.priority = level_priority(logfmt_value(line, "level="));
    header.message = line;  // logfmt_text() gives what it says
    return true;
}

std::string logfmt_text(std::string_view message) {
    std::string text;
    append_unquoted(logfmt_value(message, "msg="), text);
    for (const std::string_view key : {"error=", "err="}) {
        const auto value = logfmt_value(message, key);
        if (value.empty()) continue;
        if (!text.empty()) text += ": ";
        append_unquoted(value, text);
    }
    return text;
}

}  // namespace gpumedic::evidence
