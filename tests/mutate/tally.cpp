#include "tally.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

namespace gpumedic::mutate {

void Tally::add(const std::string& case_name, const Kind& kind, std::size_t number, const Variant& variant,
                const Judgement& judgement) {
    auto& row = rows_[std::string(kind.name)];
    ++row.variants;
    ++variants_;
    const Complaint complaint{case_name, std::string(kind.name), number, judgement.why};
    if (judgement.outcome == Outcome::kept) ++row.kept;
    if (judgement.outcome == Outcome::weakened) {
        ++row.weakened.at(static_cast<std::size_t>(variant.deciding));
        if (variant.deciding == Deciding::all) weakened_.push_back(complaint);
    }
    if (judgement.outcome == Outcome::rest) ++row.rest;
    if (judgement.outcome == Outcome::flipped) {
        ++row.flips;
        flips_.push_back(complaint);
    }
    if (!judgement.confidence) return;
    auto& bin = bins_.at(static_cast<std::size_t>(std::clamp(*judgement.confidence * 10, 0.0, 9.0)));
    ++bin.count;
    bin.right += judgement.right ? 1 : 0;
}

std::string Tally::render_kinds() const {
    auto out = fmt::format("{:<42} {:>8} {:>7} {:>26} {:>6} {:>6}\n{:<42} {:>8} {:>7} {:>8} {:>8} {:>8} {:>6} {:>6}\n", "",
                           "", "", "weakened, deciding lines", "", "", "kind", "variants", "kept", "all", "part", "none",
                           "rest", "flips");
    Row sum;
    const auto line = [&](std::string_view name, const Row& r) {
        out += fmt::format("{:<42} {:>8} {:>7} {:>8} {:>8} {:>8} {:>6} {:>6}\n", name, r.variants, r.kept, r.weakened[0],
                           r.weakened[1], r.weakened[2], r.rest, r.flips);
    };
    for (const auto& [name, row] : rows_) {
        line(name, row);
        sum.variants += row.variants;
        sum.kept += row.kept;
        for (std::size_t i = 0; i < 3; ++i) sum.weakened.at(i) += row.weakened.at(i);
        sum.rest += row.rest;
        sum.flips += row.flips;
    }
    line("all", sum);
    return out;
}

std::string Tally::render_calibration() const {
    auto out = fmt::format("{:<12} {:>8} {:>8}\n", "confidence", "variants", "right");
    for (std::size_t i = 0; i < bins_.size(); ++i) {
        const auto& bin = bins_.at(i);
        if (bin.count == 0) continue;
        const auto share = static_cast<double>(bin.right) / static_cast<double>(bin.count);
        out += fmt::format("{:.1f} .. {:.1f}   {:>8} {:>6.1f} %\n", static_cast<double>(i) / 10,
                           static_cast<double>(i + 1) / 10, bin.count, share * 100);
    }
    return out;
}

std::string render(std::vector<Complaint> complaints) {
    std::ranges::sort(complaints, {}, [](const auto& c) { return std::tie(c.kind, c.case_name, c.number); });
    std::string out;
    for (const auto& c : complaints) out += fmt::format("{} | {} | {} | {}\n", c.case_name, c.kind, c.number, c.why);
    return out;
}

}  // namespace gpumedic::mutate
