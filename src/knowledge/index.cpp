// Look-up over a catalogue by the ids that signals, faults and plans use.
#include "knowledge/catalogue.h"

namespace gpumedic::knowledge {
namespace {

template <class Definition>
std::unordered_map<std::string_view, const Definition*> by_id(const std::vector<Definition>& definitions) {
    std::unordered_map<std::string_view, const Definition*> map;
    map.reserve(definitions.size());
    for (const auto& definition : definitions) map.emplace(definition.id, &definition);
    return map;
}

template <class Map>
auto find(const Map& map, std::string_view id) -> typename Map::mapped_type {
    const auto found = map.find(id);
    return found == map.end() ? nullptr : found->second;
}

constexpr std::string_view kFamilySuffix = ".*";

}  // namespace

Index::Index(const Catalogue& catalogue)
    : catalogue_(&catalogue),
      signals_(by_id(catalogue.signals)),
      faults_(by_id(catalogue.faults)),
      actions_(by_id(catalogue.actions)),
      checks_(by_id(catalogue.checks)),
      classes_(by_id(catalogue.classes)),
      tables_(by_id(catalogue.tables)) {}

const Signal* Index::signal(std::string_view id) const {
    if (const Signal* exact = find(signals_, id)) return exact;
    const auto dot = id.rfind('.');
    if (dot == std::string_view::npos) return nullptr;
    const Signal* family = find(signals_, id.substr(0, dot));
    return family != nullptr && !family->codes.empty() ? family : nullptr;
}

const Code* Index::code_of(std::string_view id) const {
    const Signal* family = signal(id);
    if (family == nullptr || family->id.size() >= id.size()) return nullptr;
    const std::string_view wanted = id.substr(family->id.size() + 1);
    for (const auto& code : family->codes)
        if (code.code == wanted) return &code;
    return nullptr;
}

const Fault* Index::fault(std::string_view id) const { return find(faults_, id); }
const Action* Index::action(std::string_view id) const { return find(actions_, id); }
const Check* Index::check(std::string_view id) const { return find(checks_, id); }
const FaultClass* Index::fault_class(std::string_view id) const { return find(classes_, id); }
const CodeTable* Index::table(std::string_view id) const { return find(tables_, id); }

const Localized& Index::title_of(std::string_view signal_id) const {
    static const Localized kNone;
    if (const Code* code = code_of(signal_id)) return code->title;
    const Signal* definition = signal(signal_id);
    return definition == nullptr ? kNone : definition->title;
}

std::string_view to_string(Strategy strategy) {
    switch (strategy) {
        case Strategy::observe: return "observe";
        case Strategy::advise: return "advise";
        case Strategy::act: return "act";
    }
    return "";
}

bool matches_id(std::string_view wanted, std::string_view id) {
    if (!wanted.ends_with(kFamilySuffix)) return wanted == id;
    const std::string_view prefix = wanted.substr(0, wanted.size() - 1);  // keeps the dot
    return id.size() > prefix.size() && id.starts_with(prefix);
}

}  // namespace gpumedic::knowledge
