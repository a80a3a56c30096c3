#include "report/layout.h"

#include <algorithm>
#include <cstdint>

#include "base/text.h"

namespace gpumedic::report {
namespace {

// Combining marks have no width, so columns alone do not bound a hostile text.
constexpr std::size_t kMaxBytesPerColumn = 8;

/// Most text is ASCII without control characters (cleaned), where a byte is a column.
std::size_t columns_of(std::string_view text) {
    const bool ascii = std::ranges::all_of(text, [](char c) { return static_cast<std::uint8_t>(c) < 0x80; });
    return ascii ? text.size() : base::display_width(text);
}

/// Bytes of the code point at the front; the text is valid UTF-8 (cleaned).
std::size_t code_point_bytes(std::string_view text) {
    const auto lead = static_cast<std::uint8_t>(text.front());
    const std::size_t length = lead < 0x80 ? 1U : lead < 0xe0 ? 2U : lead < 0xf0 ? 3U : 4U;
    return std::min(length, text.size());
}

/// The longest front of a cleaned text that fits.
std::string_view front_that_fits(std::string_view text, std::size_t width) {
    std::size_t bytes = 0;
    std::size_t used = 0;
    while (bytes < text.size() && bytes < width * kMaxBytesPerColumn) {
        const std::size_t length = code_point_bytes(text.substr(bytes));
        const std::size_t columns = columns_of(text.substr(bytes, length));
        if (used + columns > width) break;
        used += columns;
        bytes += length;
    }
    return text.substr(0, bytes);
}

/// Lines under construction: words are put behind each other while they fit.
class Filler {
public:
    explicit Filler(std::size_t width) : width_(std::max<std::size_t>(width, 4)) {}

    void word(std::string_view text) {
        const std::size_t columns = columns_of(text);
        if (!line_.empty() && used_ + 1 + columns > width_) end_line();
        if (line_.empty() && (columns > width_ || text.size() > width_ * kMaxBytesPerColumn)) return long_word(text);
        if (!line_.empty()) line_ += ' ', ++used_;
        line_ += text;
        used_ += columns;
    }
    void end_line() {
        if (!line_.empty()) lines_.push_back(std::move(line_));
        line_.clear();
        used_ = 0;
    }
    std::vector<std::string> take() {
        end_line();
        return std::move(lines_);
    }

private:
    void long_word(std::string_view text) {
        while (!text.empty()) {
            std::string_view piece = front_that_fits(text, width_);
            if (piece.empty()) piece = text.substr(0, code_point_bytes(text));
            text.remove_prefix(piece.size());
            line_ = piece;
            used_ = columns_of(piece);
            if (!text.empty()) end_line();
        }
    }

    std::size_t width_;
    std::size_t used_{0};
    std::string line_;
    std::vector<std::string> lines_;
};

/// Pieces of a command between blanks that are outside quotes.
std::vector<std::string_view> shell_pieces(std::string_view command) {
    std::vector<std::string_view> pieces;
    std::size_t start = 0;
    char quote = 0;
    for (std::size_t i = 0; i <= command.size(); ++i) {
        const bool at_end = i == command.size();
        const char c = at_end ? ' ' : command[i];
        if (at_end || (quote == 0 && c == ' ')) {
            if (i > start) pieces.push_back(command.substr(start, i - start));
            start = i + 1;
        } else if (c == '\\' && quote != '\'' && i + 1 < command.size()) {
            ++i;
        } else if (quote == 0 && (c == '\'' || c == '"')) {
            quote = c;
        } else if (c == quote) {
            quote = 0;
        }
    }
    return pieces;
}

}  // namespace

std::string clean_line(std::string_view text) {
    std::string out = base::printable(text);
    std::ranges::replace(out, '\t', ' ');
    return out;
}

std::vector<std::string> fold(std::string_view text, std::size_t width) {
    Filler filler(width);
    for (const std::string_view paragraph : base::split(text, '\n')) {
        const std::string cleaned = clean_line(paragraph);
        for (const std::string_view word : base::split_blanks(cleaned)) filler.word(word);
        filler.end_line();
    }
    return filler.take();
}

std::vector<std::string> fold_command(std::string_view command, std::size_t width) {
    constexpr std::size_t kContinuation = 2;  // " \"
    std::vector<std::string> lines;
    for (const std::string_view row : base::split(base::trim(command), '\n')) {
        const std::string cleaned = clean_line(row);
        if (columns_of(cleaned) <= width) {
            if (!base::trim(cleaned).empty()) lines.emplace_back(cleaned);
            continue;
        }
        std::string line;
        for (const std::string_view piece : shell_pieces(cleaned)) {
            const std::size_t next = columns_of(line) + 1 + columns_of(piece);
            if (!line.empty() && next + kContinuation > width) {
                lines.push_back(line + " \\");
                line = "    ";
            } else if (!line.empty()) {
                line += ' ';
            }
            line += piece;
        }
        if (!line.empty()) lines.push_back(std::move(line));
    }
    return lines;
}

std::string cut(std::string_view text, std::size_t width) {
    width = std::max<std::size_t>(width, 4);
    std::string cleaned = clean_line(text.substr(0, width * kMaxBytesPerColumn * 4));
    const bool whole = cleaned.size() <= width * kMaxBytesPerColumn && columns_of(cleaned) <= width;
    if (whole && text.size() <= width * kMaxBytesPerColumn * 4) return cleaned;
    return std::string(front_that_fits(cleaned, width - 3)) + "...";
}

std::string cut_front(std::string_view text, std::size_t width) {
    width = std::max<std::size_t>(width, 4);
    const std::size_t cap = width * kMaxBytesPerColumn;
    const bool huge = text.size() > cap;
    std::string cleaned = clean_line(huge ? text.substr(text.size() - cap) : text);
    if (!huge && columns_of(cleaned) <= width) return cleaned;
    std::string_view rest = cleaned;
    while (!rest.empty() && columns_of(rest) > width - 3) rest.remove_prefix(code_point_bytes(rest));
    return "..." + std::string(rest);
}

std::string pad(std::string text, std::size_t width) {
    const std::size_t columns = columns_of(text);
    if (columns < width) text.append(width - columns, ' ');
    return text;
}

std::string fill(std::string_view pattern, std::initializer_list<std::string_view> values) {
    std::string out;
    for (const std::string_view value : values) {
        const auto [before, after] = base::split_once(pattern, "{}");
        out += before;
        if (before.size() == pattern.size()) return out;
        out += value;
        pattern = after;
    }
    return out += pattern;
}

}  // namespace gpumedic::report
