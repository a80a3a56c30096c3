#include "knowledge/collector.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "base/text.h"

namespace gpumedic::knowledge {
namespace {

Place place_of_base(const std::string& file) {
    const auto colon = file.rfind(':');
    if (colon == std::string::npos) return {file, 0, 0, nullptr};
    const auto line = base::parse_number<std::uint32_t>(std::string_view(file).substr(colon + 1));
    return {file.substr(0, colon), line.value_or(0), 1, nullptr};
}

template <class T>
void add_base(const std::vector<T>& from, std::vector<Definition<T>>& into) {
    for (const auto& value : from) {
        Place place;
        if constexpr (requires { value.file; }) place = place_of_base(value.file);
        into.push_back({value, std::move(place), nullptr, 0});
    }
}

template <class T>
void merge(std::vector<Definition<T>> from, std::size_t layer, std::vector<Definition<T>>& into, std::string_view what,
           ProblemList& problems) {
    std::unordered_map<std::string, std::size_t> position;
    for (std::size_t i = 0; i < into.size(); ++i) position.emplace(into[i].value.id, i);
    for (auto& definition : from) {
        definition.layer = layer;
        const auto [found, added] = position.emplace(definition.value.id, into.size());
        if (added) {
            into.push_back(std::move(definition));
            continue;
        }
        auto& earlier = into[found->second];
        if (earlier.layer != layer) {
            earlier = std::move(definition);
            continue;
        }
        problems.error(
            Mistake::duplicate_id, definition.place, fmt::format("{} '{}' is defined twice", what, definition.value.id),
            fmt::format("the first one is at {}:{}; a site directory may replace it, the same directory may not",
                        earlier.place.file, earlier.place.line));
    }
}

}  // namespace

void collect_base(const Catalogue& base, Collected& into) {
    add_base(base.signals, into.definitions.signals);
    add_base(base.faults, into.definitions.faults);
    add_base(base.actions, into.definitions.actions);
    add_base(base.checks, into.definitions.checks);
    add_base(base.classes, into.definitions.classes);
    add_base(base.tables, into.definitions.tables);
}

void collect_layer(Definitions from, std::size_t layer, Collected& into, ProblemList& problems) {
    merge(std::move(from.signals), layer, into.definitions.signals, "signal", problems);
    merge(std::move(from.faults), layer, into.definitions.faults, "fault", problems);
    merge(std::move(from.actions), layer, into.definitions.actions, "action", problems);
    merge(std::move(from.checks), layer, into.definitions.checks, "check", problems);
    merge(std::move(from.classes), layer, into.definitions.classes, "class", problems);
    merge(std::move(from.tables), layer, into.definitions.tables, "table", problems);
    merge(std::move(from.overrides), layer, into.definitions.overrides, "override of", problems);
}

}  // namespace gpumedic::knowledge
