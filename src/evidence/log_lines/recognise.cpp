#include "evidence/log_lines/recognise.h"

#include <algorithm>
#include <array>
#include <string>

#include "base/text.h"
#include "evidence/log_lines/header_forms.h"
#include "evidence/log_lines/journal_entry.h"
#include "evidence/log_lines/json_log.h"
#include "evidence/log_lines/line_text.h"

namespace gpumedic::evidence {
namespace {

using model::RecordType;

constexpr std::size_t kMaxLines = 400;
constexpr std::size_t kMaxHeadBytes = 64 * 1024;
constexpr int kAcceptHalf = 80;

bool is_log_line(std::string_view line, std::string& buffer) {
    LineHeader header;
    line = without_collector_prefix(without_colours(without_leading_nuls(line), buffer));
    if (looks_like_journal_json(line) || looks_like_json_log(line)) return true;
    if (!parse_line_header(line, {}, header)) return false;
    if (header.type == RecordType::kernel || header.type == RecordType::syslog) return true;
    // Without a host these are the programs' own log files, which another reader knows better.
    return (header.type == RecordType::libvirt || header.type == RecordType::qemu) && !header.host.empty();
}

struct Counts {
    std::size_t lines{0};
    std::size_t log_lines{0};
};

Counts count_lines(std::string_view text) {
    Counts counts;
    std::string buffer;
    while (!text.empty() && counts.lines < kMaxLines) {
        const auto end = text.find('\n');
        const bool cut = end == std::string_view::npos && counts.lines > 0;
        const auto line = base::trim_right(text.substr(0, end));
        text = end == std::string_view::npos ? std::string_view{} : text.substr(end + 1);
        if (line.empty() || line.front() == ' ' || line.front() == '\t' || line.starts_with("-- ")) continue;
        const bool mine = is_log_line(line, buffer);
        if (cut && !mine) continue;
        ++counts.lines;
        if (mine) ++counts.log_lines;
    }
    return counts;
}

/// "● nvidia-fabricmanager.service - NVIDIA fabric manager service", perhaps without any line of the unit's log.
bool is_unit_status(std::string_view text) {
    const auto first = base::split_once(base::trim_left(text), "\n").first;
    const bool marked =
        first.starts_with("● ") || first.starts_with("○ ") || first.starts_with("× ") || first.starts_with("* ");
    return marked && base::contains(first, ".service") && base::contains(text.substr(0, 2000), "Active: ");
}

/// What the scripts in NVIDIA's driver and fabric manager containers print, without times.
bool is_driver_container_log(std::string_view text) {
    constexpr std::array<std::string_view, 12> kStarts{"Starting NVIDIA fabric manager daemon",
                                                       "Starting NVIDIA persistence daemon",
                                                       "NVIDIA Fabric Manager Start Script",
                                                       "Mounting NVIDIA driver rootfs",
                                                       "Unmounting NVIDIA driver rootfs",
                                                       "Loading NVIDIA driver kernel modules",
                                                       "Installing NVIDIA driver kernel modules",
                                                       "Unloading NVIDIA driver kernel modules",
                                                       "Stopping NVIDIA ",
                                                       "Parsing kernel module parameters",
                                                       "Checking NVIDIA driver packages",
                                                       "Could not unload NVIDIA driver kernel modules"};
    constexpr std::size_t kFirstLines = 60;
    for (std::size_t count = 0; count < kFirstLines && !text.empty(); ++count) {
        const auto [line, rest] = base::split_once(text, "\n");
        if (std::any_of(kStarts.begin(), kStarts.end(), [&](auto start) { return line.starts_with(start); }))
            return true;
        text = rest;
    }
    return false;
}

bool is_export(std::string_view text) {
    return (text.starts_with("__CURSOR=") || text.starts_with("__REALTIME_TIMESTAMP=")) &&
           base::contains(text.substr(0, 4096), "\n_BOOT_ID=");
}

bool is_log_command(std::string_view command) {
    for (const auto word : base::split_blanks(command)) {
        if (word == "sudo") continue;
        return word == "dmesg" || word == "journalctl" || word.ends_with("/dmesg") || word.ends_with("/journalctl");
    }
    return false;
}

}  // namespace

bool prints_bare_kernel_lines(std::string_view command) {
    if (!is_log_command(command)) return false;
    bool kernel_only = false;
    bool bare = false;
    for (const auto word : base::split_blanks(command)) {
        if (word == "|" || word == "||" || word == "&&") break;
        if (word == "dmesg" || word.ends_with("/dmesg")) kernel_only = bare = true;
        if (word == "-k" || word == "--dmesg") kernel_only = true;
        if (word == "cat" || word == "--output=cat" || word == "-ocat") bare = true;
    }
    return kernel_only && bare;
}

int boots_back(std::string_view command) {
    if (!is_log_command(command)) return 0;
    std::string_view before;
    for (auto word : base::split_blanks(command)) {
        for (const std::string_view start : {"--boot=", "-b", "-kb"})
            if (word.starts_with(start) && word.size() > start.size()) {
                word.remove_prefix(start.size());
                before = "-b";
                break;
            }
        const bool is_boot = before == "-b" || before == "-kb" || before == "--boot";
        before = word;
        if (!is_boot || !word.starts_with('-')) continue;
        const auto back = base::parse_number<int>(word.substr(1));
        return back && *back > 0 && *back <= 100 ? *back : 0;
    }
    return 0;
}

int recognise_log(const ports::Head& head) {
    if (is_export(head.text)) return 92;
    const auto counts = count_lines(head.text.substr(0, kMaxHeadBytes));
    if (counts.lines == 0) return 0;
    if (is_log_command(head.command)) return kAcceptHalf + 5;
    const int percent = static_cast<int>(counts.log_lines * 100 / counts.lines);
    if (percent >= 50) return kAcceptHalf + percent * 15 / 100;
    if (is_driver_container_log(head.text) || is_unit_status(head.text)) return kAcceptHalf;
    return percent / 2 + (counts.log_lines > 0 ? 2 : 0);
}

int recognise_text(const ports::Head& head) {
    if (base::trim(head.text).empty()) return 0;
    const auto control = std::count_if(head.text.begin(), head.text.end(), [](char c) {
        return static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\r' && c != '\t' && c != '\x1b';
    });
    return control * 20 > static_cast<std::ptrdiff_t>(head.text.size()) ? 0 : 1;
}

}  // namespace gpumedic::evidence
