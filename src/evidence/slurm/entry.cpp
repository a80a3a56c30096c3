#include "evidence/slurm/entry.h"

#include <algorithm>
#include <array>

#include "base/text.h"

namespace gpumedic::evidence::slurm {
namespace {

bool is_nothing(std::string_view value) {
    constexpr std::array<std::string_view, 9> kNothing{"",    "(null)",  "none",   "None",         "N/A",
                                                       "n/a", "Unknown", "(None)", "None assigned"};
    return std::find(kNothing.begin(), kNothing.end(), value) != kNothing.end();
}

}  // namespace

void Entry::set(std::string_view key, std::string_view value) {
    value = base::trim(value);
    if (!is_nothing(value) && field(key).empty()) fields.emplace_back(key, std::string(value));
}

std::string_view Entry::field(std::string_view key) const {
    for (const auto& [name, value] : fields)
        if (name == key) return value;
    return {};
}

void set_reason(Entry& entry, std::string_view reason, const base::TimeContext& context) {
    reason = base::trim(reason);
    const auto open = reason.rfind(" [");
    if (reason.ends_with("]") && open != std::string_view::npos) {
        const auto author = reason.substr(open + 2, reason.size() - open - 3);
        if (const auto at = author.find('@'); at != std::string_view::npos) {
            if (const auto parsed = base::parse_iso_time(author.substr(at + 1), context)) entry.time = parsed->time;
            reason = reason.substr(0, open);
        }
    }
    entry.set("reason", reason);
}

}  // namespace gpumedic::evidence::slurm
