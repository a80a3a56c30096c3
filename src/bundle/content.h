// What a file holds, judged by its first bytes: text, an archive or compressed file, something that another tool must
// open, or neither.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace gpumedic::bundle {

enum class ContentKind : std::uint8_t {
    empty,
    text,
    binary,
    packed,  // an archive or a compressed file that is read through
    closed   // a form that must be opened by its own tool first
};

struct Content {
    ContentKind kind{ContentKind::text};
    std::string_view note{};  // a literal: what it is and what to do, for closed and binary
};

/// How much of a file is looked at.
inline constexpr std::size_t kContentHeadBytes = 8 * 1024;

/// Pure. NUL bytes alone do not make a text binary: a log that was cut while its writer ran starts with a hole of them,
/// and the lines of a crashed node's log stand around one. Text in a legacy 8-bit encoding (EUC-KR) is text too: its
/// lines are kept.
[[nodiscard]] Content classify_content(std::string_view head);

/// A line worth reading among binary content: long enough not to be chance, and nothing but characters.
[[nodiscard]] bool is_readable_line(std::string_view line);

/// No NUL and other control characters that no text has (escape, form feed and backspace are text).
[[nodiscard]] bool is_control_byte(char byte);

/// Length of the valid UTF-8 character at the start of `text`, 0 where there is none.
[[nodiscard]] std::size_t utf8_length(std::string_view text);

}  // namespace gpumedic::bundle
