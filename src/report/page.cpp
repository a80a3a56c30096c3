#include "report/page.h"

#include <algorithm>

#include "base/text.h"
#include "report/layout.h"

namespace gpumedic::report {
namespace {

constexpr std::size_t kMinWidth = 40;
constexpr std::size_t kMaxWidth = 400;
constexpr std::size_t kLabelColumns = 9;

std::string_view escape_of(Style style) {
    switch (style) {
        case Style::plain: return "";
        case Style::bold: return "\x1b[1m";
        case Style::dim: return "\x1b[2m";
        case Style::red: return "\x1b[1;31m";
        case Style::green: return "\x1b[1;32m";
        case Style::yellow: return "\x1b[1;33m";
        case Style::cyan: return "\x1b[36m";
    }
    return "";
}

}  // namespace

Page::Page(const TextOptions& options) : options_(options) {
    options_.width = std::clamp(options_.width, kMinWidth, kMaxWidth);
}

void Page::blank() { lines_.emplace_back(); }

void Page::heading(std::string_view text) {
    blank();
    this->text(0, text, Style::bold);
}

void Page::text(std::size_t indent, std::string_view text, Style style) {
    for (const std::string& line : fold(text, width() - indent)) add(indent, line, style);
}

void Page::item(std::size_t indent, std::string_view marker, std::string_view text, Style marker_style) {
    const std::string lead = clean_line(marker);
    const std::size_t lead_columns = base::display_width(lead) + 1;
    std::vector<std::string> rows = fold(text, width() - std::min(width() / 2, indent + lead_columns));
    if (rows.empty()) rows.emplace_back();
    lines_.push_back(std::string(indent, ' ') + styled(lead, marker_style) + (rows[0].empty() ? "" : " ") + rows[0]);
    for (std::size_t i = 1; i < rows.size(); ++i) add(indent + lead_columns, rows[i], Style::plain);
}

void Page::field(std::string_view label, std::string_view text) {
    item(2, pad(clean_line(label), kLabelColumns - 1), text, Style::dim);
}

void Page::command(std::size_t indent, std::string_view command) {
    bool continues = false;  // only the continuation rows of a folded command lack the prompt
    for (const std::string& row : fold_command(command, width() - indent - 2)) {
        lines_.push_back(std::string(indent, ' ') + styled((continues ? "  " : "$ ") + row, Style::cyan));
        continues = row.ends_with(" \\");
    }
}

void Page::one_line(std::size_t indent, std::string_view text, Style style) {
    add(indent, cut(text, width() - indent), style);
}

void Page::cap(std::size_t mark, std::size_t lines) {
    if (full() || lines_.size() - mark <= lines || lines == 0) return;
    const std::size_t left_out = lines_.size() - mark - lines + 1;
    lines_.resize(mark + lines - 1);
    add(2, fill(say(Phrase::more_lines), {std::to_string(left_out)}), Style::dim);
}

std::string Page::take() const {
    std::string out;
    for (const std::string& line : lines_) {
        out += base::trim_right(line);
        out += '\n';
    }
    return out;
}

void Page::add(std::size_t indent, std::string_view cleaned, Style style) {
    lines_.push_back(std::string(indent, ' ') + styled(cleaned, style));
}

std::string Page::styled(std::string_view cleaned, Style style) const {
    if (options_.colour == Colour::off || style == Style::plain || cleaned.empty()) return std::string(cleaned);
    return std::string(escape_of(style)) + std::string(cleaned) + "\x1b[0m";
}

}  // namespace gpumedic::report
