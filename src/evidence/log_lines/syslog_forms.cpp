#include <algorithm>
#include <array>

#include "base/text.h"
#include "evidence/log_lines/header_forms.h"

namespace gpumedic::evidence {
namespace {

using base::TimeContext;
using base::Timestamp;
using model::RecordType;

constexpr std::size_t kMaxTag = 128;

RecordType type_of_program(std::string_view program) {
    if (program == "kernel") return RecordType::kernel;
    switch (program.empty() ? '\0' : program.front()) {
        case 'l': return program == "libvirtd" ? RecordType::libvirt : RecordType::syslog;
        case 'v':
            if (program == "vmkernel") return RecordType::kernel;
            return program == "virtqemud" || program == "virtnodedevd" ? RecordType::libvirt : RecordType::syslog;
        case 'q':
            return program == "qemu-kvm" || program.starts_with("qemu-system-") ? RecordType::qemu : RecordType::syslog;
        default: return RecordType::syslog;
    }
}

void set_message(std::string_view message, LineHeader& header) {
    message = base::trim(message);
    if (header.program == "vmkernel" && parse_vmkernel_rest(message, header)) return;
    header.message = header.type == RecordType::kernel ? without_printk_marks(message) : message;
}

/// "program[pid]: message" or "program: message".
bool take_tag(std::string_view text, LineHeader& header) {
    const auto [word, rest] = first_word(text);
    if (word.size() < 2 || word.size() > kMaxTag || word.back() != ':') return false;
    auto program = word.substr(0, word.size() - 1);
    header.pid = {};
    if (program.back() == ']') {
        const auto open = program.rfind('[');
        if (open == std::string_view::npos || open == 0) return false;
        header.pid = program.substr(open + 1, program.size() - open - 2);
        program = program.substr(0, open);
    }
    header.program = program;
    header.type = type_of_program(program);
    set_message(rest, header);
    return true;
}

/// A word that stands where a host name would in logs that have none: a level or a stream.
bool is_no_host(std::string_view word) {
    constexpr std::array<std::string_view, 12> kWords{"info",  "warn",  "warning", "error",  "err",    "debug",
                                                      "trace", "fatal", "notice",  "stdout", "stderr", "critical"};
    if (word.size() > 8) return false;
    const auto name = base::lower(word);
    return std::find(kWords.begin(), kWords.end(), name) != kWords.end();
}

/// Letters, digits, dots, dashes, underscores, colons (IPv6); "(none)" before the name is set.
bool is_host_name(std::string_view word) {
    if (word.empty() || word.size() > 255) return false;
    if (word == "(none)") return true;
    const bool clean = std::all_of(word.begin(), word.end(), [](char c) {
        return is_letter(c) || is_digit(c) || c == '.' || c == '-' || c == '_' || c == ':' || c == '@';
    });
    return clean && !is_no_host(word);
}

/// "stderr F message" behind a container runtime's time.
std::string_view without_stream(std::string_view text) {
    if (!text.starts_with("stdout ") && !text.starts_with("stderr ")) return text;
    const auto flag = text.substr(7);
    return flag.starts_with("F ") || flag.starts_with("P ") ? flag.substr(2) : text;
}

/// A container's line may hold any other form: the inner time counts where it is as good. No form is looked for below
/// a second one, so hostile lines cannot nest.
bool parse_inner_form(const Timestamp& time, std::string_view text, const TimeContext& context, LineHeader& header) {
    LineHeader inner;
    if (text.size() < 8 || text.front() == '<') return false;
    if (text[4] == '-' && is_digit(text.front())) {
        const auto second = base::parse_iso_time(text, context);
        if (!second || text[10] != 'T') return false;
        const auto rest = text.substr(second->length);
        inner.time = second->time;
        if (!rest.starts_with(' ') || !parse_host_and_tag(rest, inner)) return false;
    } else if (!parse_line_header(text, context, inner) || inner.type == RecordType::text) {
        return false;
    }
    header = inner;
    if (!header.time || !header.time->has_year || header.time->clock == Timestamp::Clock::boot) header.time = time;
    return true;
}

/// A line of which no more than the time is known, unless what follows has a form of its own.
void set_time_only(const Timestamp& time, std::string_view rest, const TimeContext& context, LineHeader& header) {
    header = LineHeader{};
    header.time = time;
    header.message = base::trim(without_stream(base::trim_left(rest)));
    static_cast<void>(parse_inner_form(time, header.message, context, header));
}

/// Skips RFC 5424 structured data: "-" or "[id name=\"value\"][..]", in whose values a bracket may be escaped.
std::string_view without_structured_data(std::string_view text) {
    if (text.starts_with('-')) return base::trim_left(text.substr(1));
    std::size_t at = 0;
    bool quoted = false;
    while (at < text.size() && (quoted || text[at] == '[' || at > 0)) {
        if (text[at] == '\\') {
            ++at;
        } else if (text[at] == '"') {
            quoted = !quoted;
        } else if (text[at] == ']' && !quoted && (at + 1 >= text.size() || text[at + 1] != '[')) {
            return base::trim_left(text.substr(at + 1));
        }
        ++at;
    }
    return text;
}

std::optional<std::chrono::minutes> zone_by_name(std::string_view name) {
    if (name == "UTC" || name == "GMT") return std::chrono::minutes{0};
    if (name == "KST" || name == "JST") return std::chrono::minutes{540};
    return std::nullopt;
}

/// "1712352579.402118 host program[1]: message" (journal short-unix).
bool parse_unix_form(std::string_view line, LineHeader& header) {
    const auto [word, rest] = first_word(line);
    if (word.size() < 11 || word.size() > 20 || word[10] != '.') return false;
    const auto whole = base::parse_number<std::int64_t>(word.substr(0, 10));
    const auto part = word.substr(11);
    const auto fraction = base::parse_number<std::int64_t>(part);
    if (!whole || part.size() != 6 || !fraction || *fraction < 0) return false;
    header.time = Timestamp{Timestamp::Clock::wall, std::chrono::microseconds{*whole * 1'000'000 + *fraction},
                            std::chrono::minutes{0}, true};
    return parse_host_and_tag(rest, header);
}

}  // namespace

Word first_word(std::string_view text) {
    const auto end = text.find(' ');
    if (end == std::string_view::npos) return {text, {}};
    return {text.substr(0, end), base::trim_left(text.substr(end + 1))};
}

bool parse_host_and_tag(std::string_view text, LineHeader& header) {
    text = base::trim_left(text);
    const auto [word, rest] = first_word(text);
    if (word.empty()) return false;
    if (word.back() == ':') return take_tag(text, header);  // journalctl --no-hostname
    if (!is_host_name(word)) return false;
    header.host = word;
    return take_tag(rest, header);
}

void set_program(std::string_view program, std::string_view message, LineHeader& header) {
    header.program = program;
    header.type = type_of_program(program);
    set_message(message, header);
}

bool parse_iso_form(std::string_view line, const TimeContext& context, LineHeader& header) {
    const auto time = base::parse_iso_time(line, context);
    if (!time) return false;
    header.time = time->time;
    const auto after = line.substr(time->length);
    if (!after.starts_with(' ')) return false;
    const auto rest = base::trim_left(after);
    // Only util-linux writes a comma before the fraction together with a zone.
    if (line[19] == ',' && time->time.zone) {
        header.type = RecordType::kernel;
        header.message = without_printk_marks(base::trim_right(rest));
        return true;
    }
    // A time without zone, or with a blank in it, stands in applications' logs, whose next word is no host.
    if (parse_vmkernel_rest(rest, header)) return true;
    if (line[10] == 'T' && time->time.zone && parse_host_and_tag(rest, header)) return true;
    if (line[10] == ' ' && parse_dcgm_rest(rest, header)) return true;
    set_time_only(time->time, rest, context, header);
    return true;
}

bool parse_syslog_form(std::string_view line, const TimeContext& context, LineHeader& header) {
    const auto time = base::parse_syslog_time(line, context);
    if (!time || time->length >= line.size() || line[time->length] != ' ') return false;
    header.time = time->time;
    if (parse_subnet_manager_rest(line.substr(time->length), header)) return true;
    if (parse_host_and_tag(line.substr(time->length), header)) return true;
    header = LineHeader{};
    header.time = time->time;
    header.message = base::trim(without_stream(base::trim_left(line.substr(time->length))));
    return true;
}

bool parse_rfc5424_form(std::string_view line, const TimeContext& context, LineHeader& header) {
    if (!line.starts_with("1 ")) return false;
    const auto [stamp, after_time] = first_word(base::trim_left(line.substr(2)));
    const auto time = base::parse_iso_time(stamp, context);
    if (!time && stamp != "-") return false;
    if (time) header.time = time->time;
    const auto [host, after_host] = first_word(after_time);
    const auto [program, after_program] = first_word(after_host);
    const auto [pid, after_pid] = first_word(after_program);
    const auto [message_id, data] = first_word(after_pid);
    if (message_id.empty() || data.empty()) return false;
    if (host != "-") header.host = host;
    if (pid != "-") header.pid = pid;
    auto message = without_structured_data(data);
    constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
    if (message.starts_with(kByteOrderMark)) message.remove_prefix(kByteOrderMark.size());
    set_program(program == "-" ? std::string_view{} : program, message, header);
    return true;
}

bool parse_klog_form(std::string_view line, const TimeContext& context, LineHeader& header) {
    constexpr std::size_t kTimeSize = 15;  // 15:43:36.380682
    constexpr std::string_view kLevels = "IWEF";
    const auto level = line.size() < 30 ? std::string_view::npos : kLevels.find(line[0]);
    if (level >= kLevels.size() || line[5] != ' ') return false;
    const auto month = base::parse_number<unsigned>(line.substr(1, 2));
    if (!month || *month < 1 || *month > 12) return false;
    std::array<char, 26> iso{};  // 2024-mm-ddThh:mm:ss.uuuuuu in a leap year, so that every day is one
    constexpr std::string_view kFrame = "2024-00-00T";
    std::copy(kFrame.begin(), kFrame.end(), iso.begin());
    std::copy_n(line.data() + 1, 2, iso.data() + 5);
    std::copy_n(line.data() + 3, 2, iso.data() + 8);
    std::copy_n(line.data() + 6, kTimeSize, iso.data() + 11);
    const auto time = base::parse_iso_time({iso.data(), iso.size()}, context);
    if (!time || time->length != iso.size()) return false;
    const auto place_end = line.substr(0, 160).find("] ", kTimeSize);
    if (place_end == std::string_view::npos) return false;
    const std::chrono::sys_days read_as{std::chrono::year{2024} / 1 / 1};
    const std::chrono::sys_days meant{std::chrono::year{context.year} / 1 / 1};
    header.time = time->time;
    header.time->value += meant - read_as;
    const bool leap = std::chrono::year{context.year}.is_leap();
    if (*month > 2 && !leap) header.time->value -= std::chrono::days{1};
    header.time->has_year = false;
    constexpr std::array<int, 4> kPriority{6, 4, 3, 2};
    header.priority = kPriority.at(level);
    header.type = RecordType::syslog;
    header.pid = first_word(base::trim_left(line.substr(6 + kTimeSize))).word;
    header.message = base::trim(line.substr(place_end + 2));
    return true;
}

bool parse_rare_journal_form(std::string_view line, const TimeContext& context, LineHeader& header) {
    if (is_digit(line.front())) return parse_unix_form(line, header);
    const auto [weekday, rest] = first_word(line);
    if (weekday.size() > 12 || rest.size() < 24 || !is_digit(rest.front())) return false;
    auto time = base::parse_iso_time(rest, context);
    if (!time || time->time.zone) return false;
    const auto [zone_name, after] = first_word(base::trim_left(rest.substr(time->length)));
    if (zone_name.size() < 2 || zone_name.size() > 6) return false;
    if (const auto zone = zone_by_name(zone_name)) {
        time->time.value += context.zone - *zone;
        time->time.zone = zone;
    }
    header.time = time->time;
    return parse_host_and_tag(after, header);
}

}  // namespace gpumedic::evidence
