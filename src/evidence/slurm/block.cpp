#include "evidence/slurm/block.h"

#include <algorithm>
#include <array>

#include "base/text.h"

namespace gpumedic::evidence::slurm {
namespace {

/// Every key of scontrol begins with a capital; words of a reason ("rc=1") do not.
std::size_t key_length(std::string_view word) {
    const auto equals = word.find('=');
    if (equals == std::string_view::npos || equals == 0 || word.front() < 'A' || word.front() > 'Z') return 0;
    const auto key = word.substr(0, equals);
    constexpr std::string_view kAllowed = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_:/";
    return key.find_first_not_of(kAllowed) == std::string_view::npos ? equals : 0;
}

struct Kept {
    std::string_view key;
    std::string_view field;
};
constexpr std::array<Kept, 4> kOfNode{
    {{"NodeName", "name"}, {"Gres", "gres"}, {"GresUsed", "gres_used"}, {"Partitions", "partition"}}};
constexpr std::array<Kept, 4> kOfJob{
    {{"JobId", "job"}, {"JobName", "name"}, {"NodeList", "nodes"}, {"ExitCode", "exit_code"}}};

}  // namespace

std::vector<std::pair<std::string_view, std::string_view>> parse_pairs(std::string_view line) {
    std::vector<std::pair<std::string_view, std::string_view>> pairs;
    for (const auto word : base::split_blanks(line)) {
        const auto at = static_cast<std::size_t>(word.data() - line.data());
        if (const auto length = key_length(word); length > 0) {
            pairs.emplace_back(word.substr(0, length), line.substr(at + length + 1, word.size() - length - 1));
        } else if (!pairs.empty()) {
            auto& value = pairs.back().second;
            const auto start = static_cast<std::size_t>(value.data() - line.data());
            value = line.substr(start, at + word.size() - start);
        }
    }
    return pairs;
}

BlockKind block_started_by(std::string_view line) {
    const auto text = base::trim_left(line);
    if (text.starts_with("NodeName=")) return BlockKind::node;
    return text.starts_with("JobId=") ? BlockKind::job : BlockKind::none;
}

void take_block_line(std::string_view line, BlockKind kind, const base::TimeContext& context, Entry& entry) {
    const bool node = kind == BlockKind::node;
    for (const auto& [key, value] : parse_pairs(line)) {
        if (key == (node ? "State" : "JobState")) entry.set("state", base::lower(value));
        if (key == "Reason") set_reason(entry, value, context);
        for (const auto& kept : node ? kOfNode : kOfJob)
            if (kept.key == key) entry.set(kept.field, value);
    }
}

bool shows_live_node(std::string_view line) {
    constexpr std::array<std::string_view, 6> kLive{
        "CPUAlloc=", "Arch=", "CPUTot=", "NodeAddr=", "BootTime=", "CfgTRES="};
    return std::any_of(kLive.begin(), kLive.end(), [&](std::string_view key) { return base::contains(line, key); });
}

}  // namespace gpumedic::evidence::slurm
