#include "evidence/log_lines/line_text.h"

#include <algorithm>

#include "base/text.h"

namespace gpumedic::evidence {
namespace {

constexpr char kEscape = '\x1b';

int hex_digit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

/// "gpu-agent-1  | ", "gpu-agent_1 | ": where the line itself begins; 0 where no such name stands before it. The number
/// of the instance tells it from a table.
std::size_t after_compose_name(std::string_view line) {
    const auto end = line.find(' ');
    if (end == std::string_view::npos || end < 3) return 0;
    const auto name = line.substr(0, end);
    const auto number = name.find_last_not_of("0123456789");
    const bool plain = std::ranges::all_of(name, [](unsigned char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_' ||
               c == '.';
    });
    if (!plain || number == std::string_view::npos || number + 1 == name.size()) return 0;
    if (name[number] != '-' && name[number] != '_') return 0;
    const auto bar = line.find_first_not_of(' ', end);
    if (bar == std::string_view::npos || !line.substr(bar).starts_with("| ")) return 0;
    return bar + 2;
}

}  // namespace

std::string_view without_colours(std::string_view line, std::string& buffer) {
    auto escape = line.find(kEscape);
    if (escape == std::string_view::npos) return line;
    buffer.clear();
    while (escape != std::string_view::npos) {
        buffer.append(line.substr(0, escape));
        line.remove_prefix(escape + 1);
        if (line.starts_with('[')) {
            const auto end = line.find_first_not_of("0123456789;:?", 1);
            line.remove_prefix(end == std::string_view::npos ? line.size() : end + 1);
        }
        escape = line.find(kEscape);
    }
    buffer.append(line);
    return buffer;
}

std::string_view without_leading_nuls(std::string_view line) {
    const auto start = line.find_first_not_of('\0');
    return start == std::string_view::npos ? std::string_view{} : line.substr(start);
}

std::string_view without_collector_prefix(std::string_view line) {
    constexpr std::size_t kMaxPrefix = 300;
    if (const auto rest = after_compose_name(line.substr(0, kMaxPrefix)); rest != 0) return line.substr(rest);
    if (!line.starts_with("[pod/")) return line;
    const auto end = line.substr(0, kMaxPrefix).find("] ");
    return end == std::string_view::npos ? line : line.substr(end + 2);
}

std::optional<Repeated> parse_repeated(std::string_view message) {
    constexpr std::string_view kText = "message repeated ";
    constexpr std::uint64_t kMaxTimes = 1'000'000'000;
    // An old syslogd names the host, but no program.
    if (const auto last = message.find("last message repeated "); last != std::string_view::npos)
        message.remove_prefix(last + 5);
    if (!message.starts_with(kText)) return std::nullopt;
    const auto [number, rest] = base::split_once(message.substr(kText.size()), " ");
    const auto times = base::parse_number<std::uint64_t>(number);
    if (!times || *times == 0 || *times > kMaxTimes || !rest.starts_with("times")) return std::nullopt;
    const auto open = rest.find('[');
    Repeated repeated{*times, {}};
    if (open != std::string_view::npos) {
        auto text = base::trim(rest.substr(open + 1));
        if (text.ends_with(']')) text.remove_suffix(1);
        repeated.text = base::trim(text);
    }
    return repeated;
}

bool is_boot_mark(std::string_view line) {
    return line == "-- Reboot --" || (line.starts_with("-- Boot ") && line.ends_with(" --") && line.size() == 43);
}

std::string unescaped_kmsg(std::string_view message) {
    std::string text;
    text.reserve(message.size());
    for (std::size_t i = 0; i < message.size(); ++i) {
        if (message[i] == '\\' && i + 3 < message.size() && message[i + 1] == 'x') {
            const int high = hex_digit(message[i + 2]);
            const int low = hex_digit(message[i + 3]);
            if (high >= 0 && low >= 0) {
                text.push_back(static_cast<char>(high * 16 + low));
                i += 3;
                continue;
            }
        }
        text.push_back(message[i]);
    }
    return text;
}

bool is_kmsg_property(std::string_view content) {
    const auto equals = content.find('=');
    if (equals == std::string_view::npos || equals == 0) return false;
    return std::all_of(content.begin(), content.begin() + static_cast<std::ptrdiff_t>(equals),
                       [](char c) { return (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'; });
}

bool is_binary(std::string_view content) {
    const bool control = std::any_of(content.begin(), content.end(), [](char c) {
        const auto byte = static_cast<unsigned char>(c);
        return (byte < 0x20 && c != '\t' && c != '\r' && c != kEscape) || byte == 0x7f;
    });
    return control || !base::is_valid_utf8(content);
}

}  // namespace gpumedic::evidence
