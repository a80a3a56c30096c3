#include "kernel_log.h"

#include <algorithm>

#include "base/text.h"
#include "evidence/log_lines/line_header.h"

namespace gpumedic::mutate {
namespace {

using namespace std::chrono_literals;
using base::Timestamp;

constexpr base::TimeContext kContext{.zone = 0min, .year = 2026};

bool is_prompt(std::string_view line) { return line.starts_with("$ ") || line.find("# dmesg") < 60; }

/// The driver's longer messages hold newlines, and not every tool indents what follows one.
bool goes_on(std::string_view line) {
    return line.starts_with(' ') || line.starts_with('\t') || line.starts_with("NVRM: ");
}

/// Wall and uptime of each entry: the source tells one of them, a "Linux version" line starts another boot.
void complete_times(Log& log, std::chrono::microseconds end) {
    auto& entries = log.entries;
    if (!log.dated) {
        const auto start = end - entries.back().uptime;
        for (auto& e : entries) e.wall = start + e.uptime;
        return;
    }
    auto boot = entries.front().wall - 100s;
    for (auto& e : entries) {
        if (e.message.starts_with("Linux version ")) boot = e.wall;
        e.uptime = std::max(e.wall - boot, std::chrono::microseconds{0});
    }
}

}  // namespace

std::vector<std::string_view> lines_of(std::string_view text) {
    if (text.ends_with('\n')) text.remove_suffix(1);
    return base::split(text, '\n');
}

std::optional<Log> parse_log(std::string_view text, std::chrono::microseconds end) {
    Log log;
    std::size_t kernel = 0;
    std::size_t others = 0;
    for (const auto line : lines_of(text)) {
        evidence::LineHeader header;
        if (base::trim(line).empty() || is_prompt(line)) continue;
        if (!evidence::parse_line_header(line, kContext, header) || !header.time) {
            if (log.entries.empty() || !goes_on(line)) {
                ++others;
                continue;
            }
            (log.entries.back().message += '\n') += base::trim(line);
            continue;
        }
        const bool is_kernel = header.type == model::RecordType::kernel;
        (is_kernel ? kernel : others) += 1;
        Entry entry;
        log.dated = header.time->clock == Timestamp::Clock::wall;
        (log.dated ? entry.wall : entry.uptime) = header.time->value;
        entry.host = header.host;
        entry.program = is_kernel ? "kernel" : std::string(header.program);
        entry.pid = header.pid;
        entry.priority = header.priority >= 0 ? header.priority : 6;
        entry.message = header.message;
        log.entries.push_back(std::move(entry));
    }
    if (kernel == 0 || others > kernel + log.entries.size() / 2) return std::nullopt;
    complete_times(log, end);
    return log;
}

bool is_kernel_log(std::string_view text) { return parse_log(text, 0us).has_value(); }

}  // namespace gpumedic::mutate
