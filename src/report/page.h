// A report under construction: lines with indents, styles and caps. Whatever is added is cleaned here, so that no text
// of a log, a file name or a VM name can reach the terminal with escape sequences in it. Only styles add escapes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "report/phrases.h"
#include "report/report.h"

namespace gpumedic::report {

enum class Style : std::uint8_t { plain, bold, dim, red, green, yellow, cyan };

class Page {
public:
    explicit Page(const TextOptions& options);

    [[nodiscard]] model::Language language() const { return options_.language; }
    [[nodiscard]] bool full() const { return options_.detail == Detail::full; }
    [[nodiscard]] std::size_t width() const { return options_.width; }
    [[nodiscard]] std::string_view say(Phrase which) const { return phrase(which, options_.language); }
    [[nodiscard]] const std::string& say(const model::Localized& text) const { return text.in(options_.language); }

    void blank();
    /// A blank line, then the heading (folded).
    void heading(std::string_view text);
    /// Folded, every line indented.
    void text(std::size_t indent, std::string_view text, Style style = Style::plain);
    /// `marker` in front of the first line, the following lines hang below the text. Only the marker has the style.
    void item(std::size_t indent, std::string_view marker, std::string_view text, Style marker_style = Style::plain);
    /// "Label     text": labels of one block share a column.
    void field(std::string_view label, std::string_view text);
    /// A shell command behind "$ ", folded so that it can be pasted.
    void command(std::size_t indent, std::string_view command);
    /// One line, cut to the width.
    void one_line(std::size_t indent, std::string_view text, Style style = Style::plain);

    /// A place to cap from.
    [[nodiscard]] std::size_t mark() const { return lines_.size(); }
    /// Keeps at most `lines` lines since the mark; the last of them says how many were left out. Not in full detail.
    void cap(std::size_t mark, std::size_t lines);
    [[nodiscard]] std::size_t lines() const { return lines_.size(); }

    [[nodiscard]] std::string take() const;

private:
    void add(std::size_t indent, std::string_view cleaned, Style style);
    [[nodiscard]] std::string styled(std::string_view cleaned, Style style) const;

    TextOptions options_;
    std::vector<std::string> lines_;
};

}  // namespace gpumedic::report
