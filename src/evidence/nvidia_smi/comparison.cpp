#include "evidence/nvidia_smi/comparison.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "base/text.h"

namespace gpumedic::evidence::nvidia_smi {
namespace {

std::string_view value_of(const Gpu& gpu, std::string_view field) {
    const auto found = std::ranges::find(gpu.more, field, &std::pair<std::string_view, std::string>::first);
    return found == gpu.more.end() ? std::string_view{} : std::string_view(found->second);
}

std::optional<int> number_of(std::string_view text) {
    constexpr int kMost = 10000;  // no temperature and no link is beyond
    const auto number = base::parse_number<int>(text);
    return number && *number > -kMost && *number < kMost ? number : std::nullopt;
}

std::optional<int> slowdown_margin(const Gpu& gpu) {
    // Since Hopper the limits are told as a distance that shrinks while the GPU heats up.
    const auto headroom = number_of(value_of(gpu, "temp_headroom"));
    const auto slowdown_headroom = number_of(value_of(gpu, "headroom_slowdown"));
    if (headroom && slowdown_headroom) return *headroom - *slowdown_headroom;
    const auto temperature = number_of(gpu.temperature);
    const auto slowdown = number_of(value_of(gpu, "temp_slowdown"));
    if (!temperature || !slowdown || *slowdown <= 0) return std::nullopt;
    return *slowdown - *temperature;
}

}  // namespace

void add_comparisons(std::span<Gpu* const> gpus) {
    using Kind = std::pair<std::string, std::string>;  // name and most lanes
    std::map<Kind, int> widest;
    for (auto* gpu : gpus) {
        if (const auto margin = slowdown_margin(*gpu)) gpu->add("slowdown_margin", std::to_string(*margin));
        const auto lanes = number_of(value_of(*gpu, "pcie_width"));
        if (!lanes || gpu->name.empty()) continue;
        auto& most = widest[{gpu->name, std::string(value_of(*gpu, "pcie_width_max"))}];
        most = std::max(most, *lanes);
    }
    for (auto* gpu : gpus) {
        const auto lanes = number_of(value_of(*gpu, "pcie_width"));
        const auto peers = widest.find({gpu->name, std::string(value_of(*gpu, "pcie_width_max"))});
        if (!lanes || peers == widest.end() || *lanes >= peers->second) continue;
        gpu->add("lanes_below_peers", std::to_string(peers->second - *lanes));
    }
}

}  // namespace gpumedic::evidence::nvidia_smi
