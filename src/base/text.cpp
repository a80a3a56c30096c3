#include "base/text.h"

#include <algorithm>
#include <cstdint>

namespace gpumedic::base {
namespace {

constexpr std::string_view kBlanks = " \t\r\n";

char lower_char(char c) { return (c >= 'A' && c <= 'Z') ? static_cast<char>(c + ('a' - 'A')) : c; }

/// One code point, or a single byte that is no valid UTF-8 (valid = false).
struct CodePoint {
    std::uint32_t value{};
    std::size_t length{1};
    bool valid{false};
};

CodePoint next_code_point(std::string_view text) {
    const auto byte = [&](std::size_t i) { return static_cast<std::uint8_t>(text[i]); };
    const std::uint8_t first = byte(0);
    if (first < 0x80) return {first, 1, true};
    std::size_t length = 0;
    std::uint32_t value = 0;
    if (first >= 0xc2 && first <= 0xdf) {
        length = 2, value = first & 0x1fu;
    } else if (first >= 0xe0 && first <= 0xef) {
        length = 3, value = first & 0x0fu;
    } else if (first >= 0xf0 && first <= 0xf4) {
        length = 4, value = first & 0x07u;
    }
    if (length == 0 || text.size() < length) return {};
    for (std::size_t i = 1; i < length; ++i) {
        if ((byte(i) & 0xc0) != 0x80) return {};
        value = (value << 6) | (byte(i) & 0x3fu);
    }
    const bool overlong = (length == 3 && value < 0x800) || (length == 4 && value < 0x10000);
    const bool surrogate = value >= 0xd800 && value <= 0xdfff;
    if (overlong || surrogate || value > 0x10ffff) return {};
    return {value, length, true};
}

struct Range {
    std::uint32_t first;
    std::uint32_t last;
};

bool in_ranges(std::uint32_t value, const Range* begin, const Range* end) {
    return std::any_of(begin, end, [&](const Range& r) { return value >= r.first && value <= r.last; });
}

// Unicode East Asian Width W and F, in the blocks that reach our reports.
constexpr Range kWide[] = {{0x1100, 0x115f},   {0x2e80, 0x303e},   {0x3041, 0x33ff},  {0x3400, 0x4dbf},
                           {0x4e00, 0x9fff},   {0xa000, 0xa4cf},   {0xa960, 0xa97f},  {0xac00, 0xd7a3},
                           {0xf900, 0xfaff},   {0xfe30, 0xfe6f},   {0xff00, 0xff60},  {0xffe0, 0xffe6},
                           {0x1f300, 0x1f64f}, {0x1f900, 0x1f9ff}, {0x20000, 0x3fffd}};
constexpr Range kZero[] = {{0x0300, 0x036f}, {0x1160, 0x11ff}, {0x200b, 0x200f},
                           {0x20d0, 0x20ff}, {0xfe00, 0xfe0f}, {0xfeff, 0xfeff}};

}  // namespace

std::string_view trim_left(std::string_view text) {
    const auto start = text.find_first_not_of(kBlanks);
    return start == std::string_view::npos ? std::string_view{} : text.substr(start);
}

std::string_view trim_right(std::string_view text) {
    const auto end = text.find_last_not_of(kBlanks);
    return end == std::string_view::npos ? std::string_view{} : text.substr(0, end + 1);
}

std::string_view trim(std::string_view text) { return trim_right(trim_left(text)); }

std::vector<std::string_view> split(std::string_view text, char separator) {
    std::vector<std::string_view> pieces;
    for (;;) {
        const auto at = text.find(separator);
        pieces.push_back(text.substr(0, at));
        if (at == std::string_view::npos) return pieces;
        text.remove_prefix(at + 1);
    }
}

std::vector<std::string_view> split_blanks(std::string_view text) {
    std::vector<std::string_view> pieces;
    for (text = trim_left(text); !text.empty(); text = trim_left(text)) {
        const auto end = text.find_first_of(kBlanks);
        pieces.push_back(text.substr(0, end));
        if (end == std::string_view::npos) break;
        text.remove_prefix(end);
    }
    return pieces;
}

std::pair<std::string_view, std::string_view> split_once(std::string_view text, std::string_view separator) {
    const auto at = text.find(separator);
    if (at == std::string_view::npos) return {text, {}};
    return {text.substr(0, at), text.substr(at + separator.size())};
}

std::string lower(std::string_view text) {
    std::string out(text);
    std::ranges::transform(out, out.begin(), lower_char);
    return out;
}

bool contains_ignoring_case(std::string_view text, std::string_view piece) {
    const auto same = [](char a, char b) { return lower_char(a) == lower_char(b); };
    return std::search(text.begin(), text.end(), piece.begin(), piece.end(), same) != text.end() || piece.empty();
}

std::string replace_all(std::string_view text, std::string_view from, std::string_view to) {
    if (from.empty()) return std::string(text);
    std::string out;
    for (;;) {
        const auto at = text.find(from);
        out += text.substr(0, at);
        if (at == std::string_view::npos) return out;
        out += to;
        text.remove_prefix(at + from.size());
    }
}

std::optional<double> parse_decimal(std::string_view text) {
    double value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size() || text.empty()) return std::nullopt;
    return value;
}

std::string printable(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    while (!text.empty()) {
        const CodePoint c = next_code_point(text);
        if (!c.valid) {
            out += "\xef\xbf\xbd";
        } else if ((c.value < 0x20 && c.value != '\t') || (c.value >= 0x7f && c.value < 0xa0)) {
            out += ' ';
        } else if ((c.value >= 0x202a && c.value <= 0x202e) || (c.value >= 0x2066 && c.value <= 0x2069)) {
            out += ' ';  // bidirectional overrides can make a report read as something else
        } else {
            out += text.substr(0, c.length);
        }
        text.remove_prefix(c.length);
    }
    return out;
}

bool is_valid_utf8(std::string_view text) {
    while (!text.empty()) {
        if (static_cast<std::uint8_t>(text.front()) < 0x80) {
            text.remove_prefix(1);
            continue;
        }
        const CodePoint c = next_code_point(text);
        if (!c.valid) return false;
        text.remove_prefix(c.length);
    }
    return true;
}

std::size_t display_width(std::string_view utf8) {
    std::size_t width = 0;
    while (!utf8.empty()) {
        const CodePoint c = next_code_point(utf8);
        if (in_ranges(c.value, std::begin(kZero), std::end(kZero))) {
            width += 0;
        } else {
            width += in_ranges(c.value, std::begin(kWide), std::end(kWide)) ? 2 : 1;
        }
        utf8.remove_prefix(c.length);
    }
    return width;
}

}  // namespace gpumedic::base
