#include "evidence/dcgm/listing.h"

#include <utility>

#include "base/text.h"

namespace gpumedic::evidence::dcgm {
namespace {

constexpr std::size_t kMaxColumns = 64;
constexpr std::size_t kMaxLinks = 64;

bool is_number(std::string_view text) {
    return !text.empty() && text.size() <= 4 && text.find_first_not_of("0123456789") == std::string_view::npos;
}

}  // namespace

std::vector<std::string> parse_monitor_header(std::string_view line) {
    const auto words = base::split_blanks(line);
    if (words.size() < 2 || words.size() > kMaxColumns || (words.front() != "#Entity" && words.front() != "#"))
        return {};
    const std::size_t first = words.front() == "#" ? 2 : 1;  // "# Entity"
    if (first == 2 && words[1] != "Entity") return {};
    return {words.begin() + static_cast<std::ptrdiff_t>(first), words.end()};
}

std::vector<Finding> parse_monitor_row(std::string_view line, const std::vector<std::string>& columns) {
    const auto words = base::split_blanks(line);
    std::vector<Finding> findings;
    if (columns.empty() || words.size() != columns.size() + 2 || words[0] != "GPU" || !is_number(words[1])) return {};
    for (std::size_t i = 0; i < columns.size(); ++i) {
        const auto cell = words[i + 2];
        if (cell == "N/A") continue;
        Finding finding;
        finding.raw = line;
        finding.index = words[1];
        finding.test = columns[i];
        finding.value = cell;
        if (columns[i] == "XIDER") finding.code = cell;
        finding.text = columns[i] + " " + std::string(cell);
        findings.push_back(std::move(finding));
    }
    return findings;
}

std::string_view parse_gpu_heading(std::string_view line) {
    constexpr std::string_view kHeading = "gpuId ";
    auto text = base::trim(line);
    if (!text.starts_with(kHeading) || !text.ends_with(":")) return {};
    text.remove_prefix(kHeading.size());
    text.remove_suffix(1);
    return is_number(text) ? text : std::string_view{};
}

std::vector<LinkState> parse_link_row(std::string_view line) {
    std::vector<LinkState> states;
    for (const auto word : base::split_blanks(line)) {
        if (word.size() != 1 || states.size() >= kMaxLinks) return {};
        switch (word.front()) {
            case 'U': states.push_back(LinkState::up); break;
            case 'D': states.push_back(LinkState::down); break;
            case 'X': states.push_back(LinkState::disabled); break;
            case '_': states.push_back(LinkState::unsupported); break;
            default: return {};
        }
    }
    return states;
}

}  // namespace gpumedic::evidence::dcgm
