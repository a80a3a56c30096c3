#include "evidence/virt_log/plain_line.h"

#include <algorithm>
#include <array>

#include "base/text.h"

namespace gpumedic::evidence {
namespace {

using model::RecordType;

std::string_view base_name(std::string_view path) { return path.substr(path.rfind('/') + 1); }

/// "virPCIGetHeaderType:2788 : message": the place goes, where there is one.
std::string_view without_place(std::string_view text) {
    const auto separator = text.substr(0, 200).find(" : ");
    if (separator == std::string_view::npos) return text;
    const auto place = text.substr(0, separator);
    const auto colon = place.rfind(':');
    if (colon == std::string_view::npos || base::contains(place, " ")) return text;
    if (!base::parse_number<unsigned>(place.substr(colon + 1))) return text;
    return text.substr(separator + 3);
}

bool is_level(std::string_view word) {
    return word == "error" || word == "warning" || word == "info" || word == "debug";
}

/// What follows the time in a libvirt log: ": 1234: error : place : message".
std::optional<PlainLine> parse_libvirt_daemon(std::string_view rest) {
    const auto [thread, after_thread] = base::split_once(rest, ": ");
    if (!base::parse_number<std::uint64_t>(thread)) return std::nullopt;
    const auto [level, message] = base::split_once(after_thread, " : ");
    if (!is_level(level)) return std::nullopt;
    PlainLine line;
    line.type = RecordType::libvirt;
    line.level = level;
    line.message = base::trim(without_place(message));
    return line;
}

/// "qemu-system-x86_64: message", with or without a path.
std::optional<PlainLine> parse_qemu(std::string_view text) {
    const auto separator = text.substr(0, 128).find(": ");
    if (separator == std::string_view::npos) return std::nullopt;
    const auto program = base_name(text.substr(0, separator));
    if (program != "qemu-kvm" && !(program.starts_with("qemu-system-") && !base::contains(program, " ")))
        return std::nullopt;
    PlainLine line;
    line.program = program;
    line.message = base::trim(text.substr(separator + 2));
    return line;
}

std::optional<PlainLine> parse_timed(std::string_view line, const base::TimeContext& context) {
    const auto time = base::parse_iso_time(line, context);
    if (!time) return std::nullopt;
    const auto rest = line.substr(time->length);
    std::optional<PlainLine> parsed;
    if (rest.starts_with(": ")) {
        const auto text = rest.substr(2);
        parsed = parse_libvirt_daemon(text);
        if (!parsed && (text.starts_with("starting up") || text.starts_with("shutting down"))) {
            parsed = PlainLine{};
            parsed->message = base::trim(text);
        }
    } else if (rest.starts_with(' ')) {
        parsed = parse_qemu(rest.substr(1));
    }
    if (parsed) parsed->time = time->time;
    return parsed;
}

}  // namespace

bool is_libvirt_wording(std::string_view message) {
    constexpr std::array<std::string_view, 14> kStarts{"internal error: ",
                                                       "Requested operation is not valid: ",
                                                       "operation failed: ",
                                                       "unsupported configuration: ",
                                                       "Failed to start domain",
                                                       "Failed to create domain",
                                                       "Failed to attach device",
                                                       "Failed to detach device",
                                                       "Failed to reset device",
                                                       "Failed to re-attach device",
                                                       "XML error: ",
                                                       "End of file while reading data",
                                                       "Failed to shutdown domain",
                                                       "Failed to destroy domain"};
    return std::any_of(kStarts.begin(), kStarts.end(),
                       [message](std::string_view start) { return message.starts_with(start); });
}

std::optional<PlainLine> parse_plain_line(std::string_view line, const base::TimeContext& context) {
    if (line.empty()) return std::nullopt;
    if (line.front() >= '0' && line.front() <= '9') return parse_timed(line, context);
    PlainLine parsed;
    if (line.starts_with("error: ")) {
        parsed.type = RecordType::libvirt;
        parsed.level = "error";
        parsed.message = base::trim(line.substr(7));
        return parsed;
    }
    constexpr std::string_view kPython = "libvirt.libvirtError: ";
    if (line.starts_with(kPython)) {
        parsed.type = RecordType::libvirt;
        parsed.level = "error";
        parsed.message = base::trim(line.substr(kPython.size()));
        return parsed;
    }
    if (line.starts_with("-device ") && base::contains(line, ": vfio ")) {
        parsed.message = base::trim(line);
        return parsed;
    }
    return parse_qemu(line);
}

}  // namespace gpumedic::evidence
