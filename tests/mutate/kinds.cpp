#include <algorithm>
#include <iterator>

#include "variant.h"

namespace gpumedic::mutate {
namespace {

/// Two or three changes that lose nothing, one after the other. At most one of them retells times: a form without years
/// retold in one with years would invent them.
std::optional<Variant> combined(const Step& step, Variant variant) {
    std::vector<const Kind*> usable;
    for (const auto& kind : all_kinds())
        if (kind.use == Kind::Use::also_combined) usable.push_back(&kind);
    std::size_t applied = 0;
    bool retold = false;
    for (std::size_t tries = 0; tries < 12 && applied < 3; ++tries) {
        const auto& kind = *usable[step.random->below(usable.size())];
        const bool retells = kind.name.starts_with("time ");
        if (retells && retold) continue;
        auto next = kind.change({step.subject, step.random->below(kind.count), step.random}, variant);
        if (!next || next->files == variant.files) continue;
        variant = *std::move(next);
        retold = retold || retells;
        ++applied;
    }
    return applied >= 2 ? std::optional(std::move(variant)) : std::nullopt;
}

std::vector<Kind> make_kinds() {
    std::vector<Kind> out;
    for (auto theme : {time_kinds(), noise_kinds(), damage_kinds(), naming_kinds(), wording_kinds(), packing_kinds(),
                       mixing_kinds(), frame_kinds()})
        std::ranges::move(theme, std::back_inserter(out));
    out.push_back({"combined", 30, combined});
    return out;
}

}  // namespace

const std::vector<Kind>& all_kinds() {
    static const auto kinds = make_kinds();
    return kinds;
}

std::optional<Variant> make_variant(const Subject& subject, const Kind& kind, std::size_t number, std::uint64_t seed) {
    Random random(hash(subject.truth->name, hash(kind.name)) ^ (seed * 1000003ULL + number));
    auto variant = kind.change({&subject, number, &random}, Variant{subject.truth->files, subject.truth->devices});
    const bool changed =
        variant && (variant->files != subject.truth->files || variant->order != replay::Order::by_name);
    return changed ? variant : std::nullopt;
}

}  // namespace gpumedic::mutate
