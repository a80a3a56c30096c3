#include "evidence/slurm/hostlist.h"

#include <cstdint>

#include "base/text.h"

namespace gpumedic::evidence::slurm {
namespace {

/// At commas outside of brackets.
std::vector<std::string_view> split_names(std::string_view list) {
    std::vector<std::string_view> names;
    std::size_t start = 0;
    bool inside = false;
    for (std::size_t i = 0; i < list.size(); ++i) {
        if (list[i] == '[') inside = true;
        if (list[i] == ']') inside = false;
        if (list[i] != ',' || inside) continue;
        names.push_back(list.substr(start, i - start));
        start = i + 1;
    }
    names.push_back(list.substr(start));
    return names;
}

std::string padded(std::uint32_t number, std::size_t width) {
    auto digits = std::to_string(number);
    if (digits.size() < width) digits.insert(0, width - digits.size(), '0');
    return digits;
}

/// "008-010" or "7"; false when it is neither, or too many.
bool add_range(std::string_view range, std::string_view before, std::string_view after,
               std::vector<std::string>& hosts) {
    const auto [low, high] = base::split_once(range, "-");
    const auto first = base::parse_number<std::uint32_t>(low);
    const auto last = high.empty() ? first : base::parse_number<std::uint32_t>(high);
    if (!first || !last || *last < *first || *last - *first >= kMaxHosts) return false;
    for (auto number = *first; number <= *last; ++number) {
        if (hosts.size() >= kMaxHosts) return false;
        hosts.push_back(std::string(before) + padded(number, low.size()) + std::string(after));
        if (number == UINT32_MAX) break;
    }
    return true;
}

bool add_name(std::string_view name, std::vector<std::string>& hosts) {
    if (name.empty() || hosts.size() >= kMaxHosts) return false;
    const auto open = name.find('[');
    if (open == std::string_view::npos) {
        hosts.emplace_back(name);
        return true;
    }
    const auto close = name.find(']', open);
    if (close == std::string_view::npos) return false;
    const auto after = name.substr(close + 1);
    if (base::contains(after, "[")) return false;
    for (const auto range : base::split(name.substr(open + 1, close - open - 1), ','))
        if (!add_range(range, name.substr(0, open), after, hosts)) return false;
    return true;
}

}  // namespace

std::vector<std::string> expand_hostlist(std::string_view list) {
    std::vector<std::string> hosts;
    for (const auto name : split_names(list))
        if (!add_name(name, hosts)) return {std::string(list)};
    return hosts;
}

}  // namespace gpumedic::evidence::slurm
