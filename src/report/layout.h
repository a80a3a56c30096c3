// Text in columns: folding and cutting by display width. Pure, thread-safe; widths are terminal columns.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace gpumedic::report {

/// What may go to a terminal: one line, valid UTF-8, no control characters (tabs and line ends become blanks).
[[nodiscard]] std::string clean_line(std::string_view text);

/// Folds at blanks; a word wider than `width` is broken. Line ends in the text start a new line. Text is cleaned.
/// Nothing for a text without words.
[[nodiscard]] std::vector<std::string> fold(std::string_view text, std::size_t width);

/// Folds a shell command at blanks outside quotes, with " \" at the end of each line but the last, so that it can be
/// pasted. What cannot be folded stays longer than `width`: a command is never cut.
[[nodiscard]] std::vector<std::string> fold_command(std::string_view command, std::size_t width);

/// At most `width` columns (at least 4); what was cut ends in "...". Text is cleaned.
[[nodiscard]] std::string cut(std::string_view text, std::size_t width);
/// As cut(), but the end is kept ("...arch/kernel.log:17"): the interesting part of a path is its end.
[[nodiscard]] std::string cut_front(std::string_view text, std::size_t width);

/// Filled with blanks up to `width` columns; longer text stays as it is.
[[nodiscard]] std::string pad(std::string text, std::size_t width);

/// Puts the values, in order, where `pattern` has "{}".
[[nodiscard]] std::string fill(std::string_view pattern, std::initializer_list<std::string_view> values);

}  // namespace gpumedic::report
