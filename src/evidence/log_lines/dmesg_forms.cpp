#include <algorithm>
#include <array>

#include "base/text.h"
#include "evidence/log_lines/header_forms.h"

namespace gpumedic::evidence {
namespace {

using base::TimeContext;
using base::Timestamp;
using model::RecordType;

constexpr std::size_t kMaxStamp = 64;

/// "   12.345678" as boot time. The kernel prints microseconds; an X server's log has three digits and other messages.
std::optional<Timestamp> boot_time(std::string_view text) {
    text = base::trim_left(text);
    std::int64_t whole = 0;
    std::size_t at = 0;
    for (; at < text.size() && at <= 10 && is_digit(text[at]); ++at) whole = whole * 10 + (text[at] - '0');
    if (at == 0 || at > 10 || at >= text.size() || text[at] != '.') return std::nullopt;
    std::int64_t micros = 0;
    std::int64_t unit = 100'000;
    const std::size_t point = at++;
    for (; at < text.size() && is_digit(text[at]); ++at, unit /= 10) micros += (text[at] - '0') * unit;
    if (at != text.size() || at - point != 7) return std::nullopt;
    return Timestamp{Timestamp::Clock::boot, std::chrono::microseconds{whole * 1'000'000 + micros}, std::nullopt, true};
}

/// "[T1772]", "[    C12]": printk's caller mark.
bool is_caller_mark(std::string_view inside) {
    inside = base::trim_left(inside);
    return inside.size() >= 2 && (inside.front() == 'T' || inside.front() == 'C') && is_digit(inside[1]);
}

std::string_view without_caller_mark(std::string_view text) {
    const auto start = text.find_first_not_of(' ');
    if (start == std::string_view::npos || text[start] != '[') return text;
    const auto end = text.substr(0, start + kMaxStamp).find(']', start);
    if (end == std::string_view::npos || !is_caller_mark(text.substr(start + 1, end - start - 1))) return text;
    return text.substr(end + 1);
}

/// journalctl -o short-monotonic puts host and program behind what else looks like dmesg's stamp.
bool has_host_and_program(std::string_view message) {
    const auto [host, rest] = first_word(message);
    if (host.empty() || rest.empty() || host.back() == ':' || !(is_letter(host.front()) || is_digit(host.front())))
        return false;
    if (rest.starts_with("kernel: ")) return true;
    const auto program = first_word(rest).word;
    return program.ends_with("]:") && program.size() > 3 && is_digit(program[program.size() - 3]) &&
           base::contains(program, "[");
}

bool parse_boot_message(std::string_view message, LineHeader& header) {
    message = without_caller_mark(message);
    header.type = RecordType::kernel;
    header.message = base::trim(message);
    if (!has_host_and_program(header.message)) return true;
    LineHeader behind_stamp = header;
    if (parse_host_and_tag(header.message, behind_stamp)) header = behind_stamp;
    return true;
}

/// "[Dec 19 2024 03:59:01] [INFO] [tid 1584] message": the fabric manager's own log file.
bool parse_fabric_manager(std::string_view stamp, std::string_view rest, const TimeContext& context,
                          LineHeader& header) {
    constexpr std::size_t kStampSize = 20;
    if (stamp.size() != kStampSize || !base::trim_left(rest).starts_with('[')) return false;
    const auto year = base::parse_number<int>(stamp.substr(7, 4));
    if (!year || *year < 1970) return false;
    std::array<char, 15> yearless{};
    std::copy_n(stamp.data(), 7, yearless.data());
    std::copy_n(stamp.data() + 12, 8, yearless.data() + 7);
    auto time = base::parse_syslog_time({yearless.data(), yearless.size()}, {context.zone, *year});
    if (!time) return false;
    time->time.has_year = true;
    header.type = RecordType::syslog;
    header.time = time->time;
    header.program = "nv-fabricmanager";
    for (int marks = 0; marks < 2; ++marks) {
        const auto text = base::trim_left(rest);
        const auto end = text.starts_with('[') ? text.find(']') : std::string_view::npos;
        if (end == std::string_view::npos) break;
        if (text.starts_with("[tid ")) header.pid = base::trim(text.substr(5, end - 5));
        rest = text.substr(end + 1);
    }
    header.message = base::trim(rest);
    return true;
}

constexpr std::array<std::string_view, 8> kPriorities{"emerg", "alert",  "crit", "err",
                                                      "warn",  "notice", "info", "debug"};

int priority_of(std::string_view name) {
    if (name == "warning") return 4;
    if (name == "error") return 3;
    const auto* const found = std::find(kPriorities.begin(), kPriorities.end(), name);
    return found == kPriorities.end() ? -1 : static_cast<int>(found - kPriorities.begin());
}

bool is_facility(std::string_view name) {
    constexpr std::array<std::string_view, 12> kFacilities{"kern", "user", "mail", "daemon", "auth",     "syslog",
                                                           "lpr",  "news", "uucp", "cron",   "authpriv", "ftp"};
    return std::find(kFacilities.begin(), kFacilities.end(), name) != kFacilities.end() || name.starts_with("local");
}

/// What follows "kern  :warn  : ": a stamp of any kind, or the message alone (dmesg -x -t).
bool parse_after_level(std::string_view rest, const TimeContext& context, LineHeader& header) {
    const int priority = header.priority;
    header.type = RecordType::kernel;
    const auto text = base::trim_left(rest);
    if (!text.empty() && is_digit(text.front())) {
        if (const auto time = base::parse_iso_time(text, context)) {
            header.time = time->time;
            header.message = base::trim(text.substr(time->length));
            return true;
        }
    }
    if (text.starts_with('[')) {
        const auto end = text.find("]: ");
        const auto time = base::parse_iso_time(text.substr(1), context);
        if (time && end == time->length + 1) {  // Talos
            header.time = time->time;
            header.message = base::trim(text.substr(end + 3));
            return true;
        }
        if (parse_bracket_form(text, context, header)) {
            header.priority = priority;
            header.type = RecordType::kernel;
            return true;
        }
    }
    header.message = base::trim(text);
    return true;
}

/// "kern  :warn  : " at the start; the rest behind it.
std::optional<std::string_view> take_level(std::string_view line, LineHeader& header) {
    const auto first = line.substr(0, 16).find(':');
    if (first == std::string_view::npos || !is_facility(base::trim_right(line.substr(0, first)))) return std::nullopt;
    const auto level = line.substr(first + 1);
    const auto second = level.substr(0, 16).find(':');
    if (second == std::string_view::npos) return std::nullopt;
    header.priority = priority_of(base::trim(level.substr(0, second)));
    if (header.priority < 0) return std::nullopt;
    return level.substr(second + 1);
}

}  // namespace

std::string_view priority_name(int priority) {
    return priority >= 0 && priority < 8 ? kPriorities[static_cast<std::size_t>(priority)] : std::string_view{};
}

std::string_view without_printk_marks(std::string_view message) {
    if (!message.starts_with('[')) return message;
    const auto end = message.substr(0, kMaxStamp).find(']');
    if (end == std::string_view::npos || !boot_time(message.substr(1, end - 1))) return message;
    return base::trim_left(without_caller_mark(message.substr(end + 1)));
}

bool parse_bracket_form(std::string_view line, const TimeContext& context, LineHeader& header) {
    const auto end = line.substr(0, kMaxStamp).find(']');
    if (end == std::string_view::npos || end < 2) return false;
    auto stamp = line.substr(1, end - 1);
    const auto rest = line.substr(end + 1);
    if (is_letter(stamp.front()) || static_cast<unsigned char>(stamp.front()) >= 0x80) {
        const auto time = base::parse_ctime(stamp, context);
        if (!time || time->length != stamp.size()) return parse_fabric_manager(stamp, rest, context, header);
        header.time = time->time;
        return parse_boot_message(rest, header);
    }
    if (stamp.size() > 4 && stamp[4] == '-') {  // Slurm
        const auto time = base::parse_iso_time(stamp, context);
        if (!time || time->length != stamp.size()) return false;
        header.type = RecordType::syslog;
        header.time = time->time;
        header.message = base::trim(rest);
        return true;
    }
    const auto delta = base::trim_left(stamp);
    if (delta.starts_with('+') || delta.starts_with('<')) {  // dmesg --reltime, --show-delta: no moment of its own
        if (!boot_time(base::trim(delta.substr(1, delta.size() - (delta.ends_with('>') ? 2 : 1))))) return false;
        return parse_boot_message(rest, header);
    }
    stamp = base::trim_right(stamp.substr(0, stamp.find('<')));
    header.time = boot_time(stamp);
    return header.time && parse_boot_message(rest, header);
}

bool parse_decoded_form(std::string_view line, const TimeContext& context, LineHeader& header) {
    auto rest = take_level(line, header);
    if (!rest) {
        const auto [node, after] = first_word(line);
        if (node.size() < 2 || node.back() != ':' || after.empty() || !is_letter(after.front())) return false;
        rest = take_level(after, header);
        if (!rest || !base::trim_left(*rest).starts_with('[')) return false;
        header.host = node.substr(0, node.size() - 1);
    }
    return parse_after_level(*rest, context, header);
}

bool parse_kmsg_form(std::string_view line, LineHeader& header) {
    const auto end = line.substr(0, 128).find(';');
    if (end == std::string_view::npos) return false;
    const auto prefix = line.substr(0, end);
    const auto first = prefix.find(',');
    const auto second = prefix.find(',', first + 1);
    const auto third = prefix.find(',', second + 1);
    if (first == std::string_view::npos || second == std::string_view::npos || third == std::string_view::npos)
        return false;
    const auto level = base::parse_number<unsigned>(prefix.substr(0, first));
    const auto sequence = base::parse_number<std::uint64_t>(prefix.substr(first + 1, second - first - 1));
    const auto micros = base::parse_number<std::int64_t>(prefix.substr(second + 1, third - second - 1));
    if (!level || !sequence || !micros || *micros < 0) return false;
    header.type = RecordType::kernel;
    header.priority = static_cast<int>(*level & 7U);
    header.time = Timestamp{Timestamp::Clock::boot, std::chrono::microseconds{*micros}, std::nullopt, true};
    header.form = MessageForm::kmsg_escaped;
    header.message = base::trim(line.substr(end + 1));
    return true;
}

}  // namespace gpumedic::evidence
