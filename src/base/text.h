// Small text operations on views. Pure, thread-safe, no allocation unless a std::string is returned.
#pragma once

#include <charconv>
#include <concepts>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gpumedic::base {

[[nodiscard]] std::string_view trim(std::string_view text);
[[nodiscard]] std::string_view trim_left(std::string_view text);
[[nodiscard]] std::string_view trim_right(std::string_view text);

/// Pieces between separators; empty pieces are kept, so "a,,b" gives three.
[[nodiscard]] std::vector<std::string_view> split(std::string_view text, char separator);
/// Pieces between runs of blanks and tabs; no empty pieces.
[[nodiscard]] std::vector<std::string_view> split_blanks(std::string_view text);
/// Everything before the first separator (or all), and the rest after it (or nothing).
[[nodiscard]] std::pair<std::string_view, std::string_view> split_once(std::string_view text,
                                                                       std::string_view separator);

/// ASCII only: log words and tool output are ASCII where case matters.
[[nodiscard]] std::string lower(std::string_view text);
[[nodiscard]] bool contains_ignoring_case(std::string_view text, std::string_view piece);
[[nodiscard]] inline bool contains(std::string_view text, std::string_view piece) {
    return text.find(piece) != std::string_view::npos;
}
[[nodiscard]] std::string replace_all(std::string_view text, std::string_view from, std::string_view to);

/// The whole view must be a number in the given base, else nothing.
template <std::integral T>
[[nodiscard]] std::optional<T> parse_number(std::string_view text, int number_base = 10) {
    T value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, number_base);
    if (error != std::errc{} || end != text.data() + text.size() || text.empty()) return std::nullopt;
    return value;
}
[[nodiscard]] std::optional<double> parse_decimal(std::string_view text);

/// Valid UTF-8 as it is; each byte that is not becomes U+FFFD, control characters other than tab become blanks.
/// For everything that is printed: kernel logs carry arbitrary bytes, and terminals obey escape sequences.
[[nodiscard]] std::string printable(std::string_view text);
[[nodiscard]] bool is_valid_utf8(std::string_view text);

/// Terminal columns: East Asian wide characters (Hangul, CJK, full width) take two, combining marks none.
[[nodiscard]] std::size_t display_width(std::string_view utf8);

}  // namespace gpumedic::base
