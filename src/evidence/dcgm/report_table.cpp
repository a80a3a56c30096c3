#include "evidence/dcgm/report_table.h"

#include <algorithm>
#include <utility>

#include "base/text.h"

namespace gpumedic::evidence::dcgm {
namespace {

constexpr std::string_view kRule = "+-=| ";
/// The tool leaves at most this many blanks between a full cell and its frame.
constexpr std::size_t kMaxPadding = 2;

std::size_t trailing_blanks(std::string_view text) {
    const auto last = text.find_last_not_of(' ');
    return last == std::string_view::npos ? text.size() : text.size() - last - 1;
}

/// "|-----  Deployment  --------+---|" and "+----+----+"; a row has a blank behind its frame.
bool is_rule(std::string_view text) {
    return text.starts_with("+-") || text.starts_with("+=") || text.starts_with("|-") || text.starts_with("|=");
}

std::string section_of(std::string_view rule) {
    const auto first = rule.find_first_not_of(kRule);
    if (first == std::string_view::npos) return {};
    const auto last = rule.find_last_not_of(kRule);
    return std::string(rule.substr(first, last - first + 1));
}

void append_collapsed(std::string& out, std::string_view text) {
    for (const char c : text)
        if (c != ' ' || (!out.empty() && out.back() != ' ')) out += c;
}

}  // namespace

std::string join_parts(const std::vector<std::string>& parts, std::size_t first) {
    // The frame's distance differs between versions: the fullest of the continued cells shows it.
    std::size_t padding = kMaxPadding;
    for (std::size_t i = first; i + 1 < parts.size(); ++i) padding = std::min(padding, trailing_blanks(parts[i]));
    std::string joined;
    for (std::size_t i = first; i < parts.size(); ++i) {
        std::string_view part = parts[i];
        if (i + 1 < parts.size()) part.remove_suffix(std::min(padding, part.size()));
        append_collapsed(joined, part);
    }
    return std::string(base::trim(joined));
}

bool ReportTable::line(std::string_view text, std::uint64_t number) {
    const auto row = base::trim(text);
    if (is_rule(row)) {
        if (auto section = section_of(row); !section.empty()) section_ = std::move(section);
        return true;
    }
    if (!row.starts_with("|")) return false;
    take_row(row, text, number);
    return true;
}

void ReportTable::take_row(std::string_view row, std::string_view text, std::uint64_t number) {
    row.remove_prefix(1);
    if (row.ends_with("|")) row.remove_suffix(1);
    const auto bar = row.find('|');
    const auto label = base::trim(row.substr(0, bar));
    auto value = bar == std::string_view::npos ? std::string_view{} : row.substr(bar + 1);
    if (value.starts_with(" ")) value.remove_prefix(1);
    bytes_ += text.size() + sizeof(Entry);
    if (label.empty() && !entries_.empty()) {
        if (!base::trim(value).empty()) entries_.back().parts.emplace_back(value);
        return;
    }
    Entry entry;
    entry.line = number;
    entry.raw = text;
    entry.label = label;
    entry.section = section_;
    entry.titles_table = bar == std::string_view::npos;
    if (!base::trim(value).empty()) entry.parts.emplace_back(value);
    entries_.push_back(std::move(entry));
}

std::vector<Entry> ReportTable::take() {
    auto all = std::move(entries_);
    *this = ReportTable{};
    return all;
}

}  // namespace gpumedic::evidence::dcgm
