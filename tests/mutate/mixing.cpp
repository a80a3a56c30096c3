// Evidence of two nodes, one folder each. Only where both name their nodes: else nothing tells them apart. No guests:
// the only host there is, is taken for theirs.
#include <algorithm>

#include "base/text.h"
#include "variant.h"

namespace gpumedic::mutate {
namespace {

bool is_guest(const Subject& subject) {
    return std::ranges::any_of(subject.truth->files,
                               [](const auto& file) { return base::contains_ignoring_case(file.first, "guest"); });
}

std::optional<Variant> beside(const Step& step, Variant variant, bool (*wanted)(const replay::Case&)) {
    const auto& subject = *step.subject;
    if (subject.node.empty() || is_guest(subject)) return std::nullopt;
    std::vector<const Subject*> others;
    for (const auto& other : *subject.all)
        if (!other.node.empty() && other.node != subject.node && !is_guest(other) && wanted(*other.truth))
            others.push_back(&other);
    if (others.empty()) return std::nullopt;
    const auto& other = *others[step.random->below(others.size())];
    replay::Files files;
    for (auto& [name, text] : variant.files) files[subject.node + "/" + name] = std::move(text);
    for (const auto& [name, text] : other.truth->files) files[other.node + "/" + name] = text;
    variant.files = std::move(files);
    variant.node = subject.node;
    return variant;
}

std::optional<Variant> beside_faulty(const Step& step, Variant variant) {
    return beside(step, std::move(variant), [](const auto& c) { return c.verdict == "fault"; });
}
std::optional<Variant> beside_healthy(const Step& step, Variant variant) {
    return beside(step, std::move(variant), [](const auto& c) { return c.verdict == "healthy"; });
}

}  // namespace

std::vector<Kind> mixing_kinds() {
    return {{"mix with a faulty node", 4, beside_faulty}, {"mix with a healthy node", 2, beside_healthy}};
}

}  // namespace gpumedic::mutate
