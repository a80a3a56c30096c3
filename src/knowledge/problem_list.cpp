#include "knowledge/problem_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "base/text.h"

namespace gpumedic::knowledge {
namespace {

constexpr std::size_t kMaxSnippetBytes = 160;

std::string line_of(std::string_view text, std::uint32_t wanted) {
    for (std::uint32_t line = 1; line < wanted; ++line) {
        const auto end = text.find('\n');
        if (end == std::string_view::npos) return {};
        text.remove_prefix(end + 1);
    }
    std::string_view line = base::trim_right(text.substr(0, text.find('\n')));
    std::size_t cut = std::min(line.size(), kMaxSnippetBytes);
    // Not inside a character: Korean text takes three bytes each.
    while (cut < line.size() && cut > 0 && (static_cast<unsigned char>(line[cut]) & 0xC0U) == 0x80U) --cut;
    return base::printable(line.substr(0, cut));
}

}  // namespace

Place place_of(const Document& document, std::uint32_t line, std::uint32_t column) {
    return {document.path, line, column, &document};
}
Place place_of(const Document& document, const codec::Value& node) {
    return place_of(document, node.line, node.column);
}

void ProblemList::error(Mistake mistake, const Place& place, std::string_view what, std::string_view help) {
    add(Problem::Level::error, mistake, place, what, help);
}
void ProblemList::warn(Mistake mistake, const Place& place, std::string_view what, std::string_view help) {
    add(Problem::Level::warning, mistake, place, what, help);
}

void ProblemList::add(Problem::Level level, Mistake mistake, const Place& place, std::string_view what,
                      std::string_view help) {
    Problem problem;
    problem.level = level;
    problem.code = fmt::format("CAT-{:03}", static_cast<unsigned>(mistake));
    problem.file = place.file;
    problem.line = place.line;
    problem.column = place.column;
    if (place.document != nullptr && place.line > 0) problem.snippet = line_of(place.document->text, place.line);
    problem.what = base::printable(what);
    problem.help = base::printable(help);
    problems_.push_back(std::move(problem));
}

std::vector<Problem> ProblemList::take_sorted() {
    std::stable_sort(problems_.begin(), problems_.end(), [](const Problem& a, const Problem& b) {
        return std::tie(a.file, a.line, a.column, a.code) < std::tie(b.file, b.line, b.column, b.code);
    });
    return std::exchange(problems_, {});
}

std::string Problem::render() const {
    std::string out = file;
    if (line > 0) out += fmt::format(":{}", line);
    if (line > 0 && column > 0) out += fmt::format(":{}", column);
    out += fmt::format(": {} {}: {}\n", level == Level::error ? "error" : "warning", code, what);
    if (!snippet.empty()) out += fmt::format("{:>6} | {}\n", line, snippet);
    if (!help.empty()) out += fmt::format("  help: {}\n", help);
    return out;
}

}  // namespace gpumedic::knowledge
