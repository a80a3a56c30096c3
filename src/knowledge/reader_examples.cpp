// Examples of a signal: a line, a state record's fields, or both; what the match must give.
#include <fmt/format.h>

#include "knowledge/definitions.h"
#include "knowledge/record_fields.h"
#include "knowledge/suggest.h"

namespace gpumedic::knowledge {
namespace {

using Pairs = std::vector<std::pair<std::string, std::string>>;

Pairs read_pairs(const codec::Value& node, Scene scene, std::string_view what) {
    Pairs pairs;
    MapView view(node, scene, what);
    for (const auto& member : node.members) {
        pairs.emplace_back(member.key, read_text(member.value, scene, fmt::format("'{}' of {}", member.key, what)));
    }
    return pairs;
}

Example read_example(const codec::Value& node, Scene scene) {
    MapView view(node, scene, "example");
    Example example;
    example.line = view.text("line", Need::optional);
    const codec::Value* record = view.get("record", Need::optional);
    if (record != nullptr) example.fields = read_pairs(*record, scene, "'record' of an example");
    if (node.is_map() && node.find("line") == nullptr && node.find("record") == nullptr) {
        scene.problems->error(Mistake::missing_key, view.place(), "example has neither 'line' nor 'record'",
                              "a text is 'line: ...', a state record is 'record: {field: value}'");
    }
    example.type = view.text("in", Need::optional);
    if (!example.type.empty() && !model::parse_record_type(example.type)) {
        scene.problems->error(Mistake::unknown_word, view.place_at("in"),
                              fmt::format("'{}' is no record type", example.type),
                              suggest(example.type, record_type_names()));
    }
    if (const codec::Value* gives = view.get("gives", Need::optional)) {
        for (auto& [key, value] : read_pairs(*gives, scene, "'gives' of an example")) {
            if (key == "id") {
                example.gives_id = std::move(value);
            } else {
                example.gives.emplace_back(std::move(key), std::move(value));
            }
        }
    }
    view.refuse_others();
    return example;
}

}  // namespace

std::vector<Example> read_examples(MapView& examples, std::string_view key) {
    std::vector<Example> result;
    examples.each(key, Need::optional,
                  [&](const codec::Value& item) { result.push_back(read_example(item, examples.scene())); });
    return result;
}

}  // namespace gpumedic::knowledge
