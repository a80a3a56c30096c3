// A case's evidence told in another way, and how such a variant is made.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "case.h"
#include "model/diagnosis.h"
#include "random.h"

namespace gpumedic::mutate {

/// How much of the evidence that the verdict stands on is left.
enum class Deciding { all, part, none };

struct Variant {
    replay::Files files;
    std::vector<std::string> devices;  // those of the truth, under their new names
    replay::Order order{replay::Order::by_name};
    std::string node{};  // judge what is said of this node only; empty: all
    Deciding deciding{Deciding::all};
};

/// A case, what the engine says of it unchanged, and the cases it can be mixed with.
struct Subject {
    const replay::Case* truth{};
    model::Diagnosis answer{};
    std::string node{};  // as the unchanged answer names it; empty where the evidence names none
    const std::vector<Subject>* all{};
};

/// Changes a variant further. Nothing where it does not apply (no kernel log, nothing to rename). `number` counts the
/// variants of one kind: the first file, the second ...
struct Step {
    const Subject* subject{};
    std::size_t number{};
    Random* random{};
};
using Change = std::optional<Variant> (*)(const Step& step, Variant variant);

struct Kind {
    std::string_view name;
    std::size_t count;  // variants of this kind, at most
    Change change;
    enum class Use { alone, also_combined } use{Use::alone};  // may a combination contain it?
};

/// The kinds by theme, one file each.
[[nodiscard]] std::vector<Kind> time_kinds();
[[nodiscard]] std::vector<Kind> frame_kinds();
[[nodiscard]] std::vector<Kind> packing_kinds();
[[nodiscard]] std::vector<Kind> noise_kinds();
[[nodiscard]] std::vector<Kind> damage_kinds();
[[nodiscard]] std::vector<Kind> naming_kinds();
[[nodiscard]] std::vector<Kind> wording_kinds();
[[nodiscard]] std::vector<Kind> mixing_kinds();

/// All of them, and combinations of several.
[[nodiscard]] const std::vector<Kind>& all_kinds();

/// The variant, or nothing where the kind does not apply or leaves every byte as it was.
[[nodiscard]] std::optional<Variant> make_variant(const Subject& subject, const Kind& kind, std::size_t number,
                                                  std::uint64_t seed);

}  // namespace gpumedic::mutate
