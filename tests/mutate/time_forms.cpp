// The same kernel lines as other tools print them.
#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <ctime>

#include "base/text.h"
#include "base/timestamp.h"
#include "codec/json_writer.h"
#include "evidence/log_lines/line_header.h"
#include "kernel_log.h"
#include "variant.h"

namespace gpumedic::mutate {
namespace {

using namespace std::chrono_literals;
using std::chrono::microseconds;

constexpr microseconds kSomeDay = std::chrono::seconds{1781524800};  // 2026-06-15T12:00:00Z

enum class Form {
    dmesg,
    dmesg_ctime,
    dmesg_iso,
    dmesg_decoded,
    journal_short,
    journal_short_precise,
    journal_iso,
    journal_iso_precise,
    rfc3164_with_uptime,
    rfc5424,
    journal_json,
    kmsg
};

std::string date(const char* form, microseconds time, microseconds zone = 0us) {
    const auto seconds = std::chrono::floor<std::chrono::seconds>(time + zone).count();
    const auto at = static_cast<std::time_t>(seconds);
    std::tm parts{};
    gmtime_r(&at, &parts);
    std::array<char, 64> out{};
    return {out.data(), std::strftime(out.data(), out.size(), form, &parts)};
}

std::int64_t fraction(microseconds time) { return ((time.count() % 1'000'000) + 1'000'000) % 1'000'000; }

std::string uptime(microseconds time) { return fmt::format("{:5}.{:06}", time.count() / 1'000'000, fraction(time)); }

/// dmesg and journalctl pad what follows a newline; syslog daemons write it as an octal number.
std::string padded(const std::string& prefix, const std::string& message) {
    return prefix + base::replace_all(message, "\n", "\n" + std::string(prefix.size(), ' ')) + "\n";
}
std::string escaped(const std::string& prefix, const std::string& message, std::string_view newline) {
    return prefix + base::replace_all(message, "\n", newline) + "\n";
}

std::string tag(const Entry& e) {
    return fmt::format("{} {}{}: ", e.host, e.program, e.pid.empty() ? "" : "[" + e.pid + "]");
}

std::string json(const Entry& e, std::size_t boot) {
    codec::JsonWriter out(codec::JsonWriter::Layout::compact);
    out.begin_object()
        .member("__REALTIME_TIMESTAMP", std::to_string(e.wall.count()))
        .member("_BOOT_ID", fmt::format("{:032x}", 0xabcdef0123ULL + boot))
        .member("PRIORITY", std::to_string(e.priority))
        .member("SYSLOG_IDENTIFIER", e.program)
        .member("_TRANSPORT", e.program == "kernel" ? "kernel" : "syslog")
        .member("_HOSTNAME", e.host)
        .member("MESSAGE", e.message)
        .end_object();
    return std::string(base::trim(out.take())) + "\n";
}

std::string dmesg_line(const Entry& e, Form form) {
    if (form == Form::dmesg) return padded("[" + uptime(e.uptime) + "] ", e.message);
    if (form == Form::dmesg_ctime) return padded(date("[%a %b %e %H:%M:%S %Y] ", e.wall), e.message);
    if (form == Form::dmesg_iso)
        return padded(date("%Y-%m-%dT%H:%M:%S,", e.wall) + fmt::format("{:06}+00:00 ", fraction(e.wall)), e.message);
    if (form == Form::dmesg_decoded)
        return padded(fmt::format("kern  :{:<6}: [{}] ", evidence::priority_name(e.priority), uptime(e.uptime)),
                      e.message);
    return escaped(fmt::format("{},{},{},-;", e.priority, 1000 + e.uptime.count() % 100000, e.uptime.count()),
                   e.message, "\\x0a");
}

std::string journal_line(const Entry& e, Form form) {
    constexpr microseconds kSeoul = 9h;
    const auto micro = fmt::format("{:06}", fraction(e.wall));
    switch (form) {
        case Form::journal_short: return padded(date("%b %d %H:%M:%S ", e.wall) + tag(e), e.message);
        case Form::journal_short_precise:
            return padded(date("%b %d %H:%M:%S.", e.wall) + micro + " " + tag(e), e.message);
        case Form::journal_iso: return padded(date("%Y-%m-%dT%H:%M:%S+0900 ", e.wall, kSeoul) + tag(e), e.message);
        case Form::journal_iso_precise:
            return padded(date("%Y-%m-%dT%H:%M:%S.", e.wall, kSeoul) + micro + "+09:00 " + tag(e), e.message);
        case Form::rfc3164_with_uptime:
            return escaped(
                date("%b %e %H:%M:%S ", e.wall) + tag(e) + (e.program == "kernel" ? "[" + uptime(e.uptime) + "] " : ""),
                e.message, "#012");
        default:
            return escaped(
                fmt::format("<{}>1 {}{}+09:00 {} {} {} - - ", e.priority, date("%Y-%m-%dT%H:%M:%S.", e.wall, kSeoul),
                            micro, e.host, e.program, e.pid.empty() ? "-" : e.pid),
                e.message, "#012");
    }
}

bool only_kernel(Form form) { return form <= Form::dmesg_decoded || form == Form::kmsg; }

std::string told(const Log& log, Form form) {
    std::string out;
    std::size_t boot = 0;
    for (const auto& e : log.entries) {
        if (e.message.starts_with("Linux version ")) ++boot;
        if (only_kernel(form)) {
            if (e.program == "kernel") out += dmesg_line(e, form);
        } else {
            out += form == Form::journal_json ? json(e, boot) : journal_line(e, form);
        }
    }
    return out;
}

/// dmesg shows the kernel's lines of this boot only: the form cannot tell what decides, if another program or an
/// earlier boot said it.
bool form_can_tell(const Step& step, const std::string& file, const Log& log, Form form) {
    if (!only_kernel(form)) return true;
    const auto decides = [&](const Entry& e) {
        return std::ranges::any_of(step.subject->truth->deciding, [&](const auto& d) {
            return file.ends_with(d.file) && e.message.find(d.contains) != std::string::npos;
        });
    };
    std::size_t boots = 0;
    for (const auto& e : log.entries) {
        if (e.program != "kernel" && decides(e)) return false;
        if (e.message.starts_with("Linux version ") && &e != &log.entries.front()) ++boots;
    }
    return boots == 0 || form == Form::dmesg_ctime || form == Form::dmesg_iso;
}

/// "2026-06-15T..." or "Mon Jun 15 ... 2026" at this place.
std::optional<base::ParsedTime> full_time(std::string_view text) {
    if (text.starts_with("20")) return base::parse_iso_time(text, {});
    return base::parse_ctime(text, {});
}

/// The last moment that the other files tell, so that a log without dates ends where they do.
microseconds end_of_story(const replay::Files& files) {
    microseconds last{0};
    for (const auto& [name, text] : files)
        for (std::size_t at = 0; at < text.size(); ++at) {
            const bool starts = at == 0 || std::isalnum(static_cast<unsigned char>(text[at - 1])) == 0;
            if (!starts || (text[at] != '2' && std::string_view("MTWFS").find(text[at]) == std::string_view::npos))
                continue;
            const auto time = full_time(std::string_view(text).substr(at, 40));
            if (time && time->time.clock == base::Timestamp::Clock::wall) last = std::max(last, time->time.value);
        }
    return last.count() == 0 ? kSomeDay : last;
}

std::optional<Variant> retell(const Step& step, Variant variant, Form form) {
    const auto end = end_of_story(variant.files);
    const auto host = step.subject->node.empty() ? std::string("gx-u17") : step.subject->node;
    bool any = false;
    for (auto& [name, text] : variant.files) {
        auto log = parse_log(text, end);
        if (!log) continue;
        if (!form_can_tell(step, name, *log, form)) return std::nullopt;
        for (auto& e : log->entries) {
            if (e.host.empty()) e.host = host;
            if (e.program.empty()) e.program = "app";
        }
        text = told(*log, form);
        any = true;
    }
    return any ? std::optional(std::move(variant)) : std::nullopt;
}

template <Form form>
std::optional<Variant> as(const Step& step, Variant variant) {
    return retell(step, std::move(variant), form);
}

/// Every RFC 3339 time of every file, in another zone: the moments stay.
std::optional<Variant> other_zone(const Step& step, Variant variant) {
    constexpr std::array<int, 3> kZones{540, -330, 0};
    const std::chrono::minutes zone{kZones.at(step.number % kZones.size())};
    for (auto& [name, text] : variant.files) {
        std::string out;
        for (std::size_t at = 0; at < text.size();) {
            const auto rest = std::string_view(text).substr(at, 40);
            const bool starts =
                rest.starts_with("20") && (at == 0 || std::isalnum(static_cast<unsigned char>(text[at - 1])) == 0);
            const auto time = starts ? base::parse_iso_time(rest, {}) : std::nullopt;
            if (!time || !time->time.zone || rest[10] != 'T') {
                out += text[at++];
                continue;
            }
            const auto told_as = rest.substr(0, time->length);
            const auto mark = told_as.find_first_of(".,");
            const auto digits = mark == std::string_view::npos
                                    ? std::string_view{}
                                    : told_as.substr(mark, told_as.find_first_of("Z+-", mark) - mark);
            out += date("%Y-%m-%dT%H:%M:%S", time->time.value, zone) + std::string(digits);
            const auto minutes = std::abs(zone.count());
            out +=
                zone == 0min ? "Z" : fmt::format("{}{:02}:{:02}", zone < 0min ? '-' : '+', minutes / 60, minutes % 60);
            at += time->length;
        }
        text = out;
    }
    return variant;
}

}  // namespace

std::vector<Kind> time_kinds() {
    using enum Form;
    constexpr auto kAlso = Kind::Use::also_combined;
    return {{"time dmesg seconds", 1, as<dmesg>, kAlso},
            {"time dmesg -T", 1, as<dmesg_ctime>, kAlso},
            {"time dmesg iso", 1, as<dmesg_iso>, kAlso},
            {"time dmesg -x", 1, as<dmesg_decoded>, kAlso},
            {"time journal short", 1, as<journal_short>, kAlso},
            {"time journal short-precise", 1, as<journal_short_precise>, kAlso},
            {"time journal short-iso", 1, as<journal_iso>, kAlso},
            {"time journal short-iso-precise +09:00", 1, as<journal_iso_precise>, kAlso},
            {"time RFC 3164 with uptime", 1, as<rfc3164_with_uptime>, kAlso},
            {"time RFC 5424", 1, as<rfc5424>, kAlso},
            {"time journal JSON", 1, as<journal_json>},
            {"time kmsg", 1, as<kmsg>, kAlso},
            {"time other zone", 3, other_zone, kAlso}};
}

}  // namespace gpumedic::mutate
