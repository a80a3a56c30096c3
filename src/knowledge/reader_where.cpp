// Conditions on a record's fields: `field: value`, `field: [a, b]`, `field: {not: ...}`, `{min: 95}`, `{max: 3}`,
// `{below: TABLE, by: FIELD}`, `{absent: true}`.
#include <fmt/format.h>

#include "base/text.h"
#include "knowledge/definitions.h"

namespace gpumedic::knowledge {
namespace {

void refuse_empty(const codec::Value& node, Scene scene, const std::string& field) {
    scene.problems->error(Mistake::missing_key, place_of(*scene.document, node),
                          fmt::format("the condition on '{}' names no value", field));
}

void add_bound(MapView& view, std::string_view key, const std::string& field, FieldCondition::Test test,
               std::vector<FieldCondition>& out) {
    const std::string number = view.prose(key, Need::optional);
    if (number.empty()) return;
    if (!base::parse_decimal(number)) {
        view.scene().problems->error(Mistake::bad_number, view.place_at(key), fmt::format("'{}' is no number", number));
        return;
    }
    out.push_back({field, test, {number}});
}

/// `{below: nvlinks_of_model, by: name}`: less than the table expects for this record's `name`.
void add_expectation(MapView& view, std::string_view key, const std::string& field, FieldCondition::Test test,
                     std::vector<FieldCondition>& out) {
    const std::string table = view.text(key, Need::optional);
    if (!table.empty()) out.push_back({field, test, {table, view.text("by", Need::required)}});
}

void read_operators(const codec::Value& node, Scene scene, const std::string& field, std::vector<FieldCondition>& out) {
    MapView view(node, scene, fmt::format("the condition on '{}'", field));
    if (node.members.empty()) refuse_empty(node, scene, field);
    if (const codec::Value* refused = view.get("not", Need::optional)) {
        FieldCondition condition{field, FieldCondition::Test::none_of, read_one_or_more(*refused, scene, "'not'")};
        if (condition.values.empty()) refuse_empty(*refused, scene, field);
        out.push_back(std::move(condition));
    }
    add_bound(view, "min", field, FieldCondition::Test::at_least, out);
    add_bound(view, "max", field, FieldCondition::Test::at_most, out);
    add_expectation(view, "below", field, FieldCondition::Test::below, out);
    add_expectation(view, "reaches", field, FieldCondition::Test::reaches, out);
    if (view.flag("absent")) {
        out.push_back({field, FieldCondition::Test::absent, {}});
    } else if (node.find("absent") != nullptr && node.find("absent")->scalar == "false") {
        scene.problems->error(Mistake::unknown_word, view.place_at("absent"), "'absent' can only be true",
                              "use {not: [...]} or a value for a field that must be present");
    }
    view.refuse_others();
}

}  // namespace

std::vector<FieldCondition> read_where(const codec::Value& node, Scene scene) {
    MapView view(node, scene, "'where'");
    std::vector<FieldCondition> result;
    for (const auto& [field, value, line, column] : node.members) {
        if (value.kind == codec::Value::Kind::null) {
            scene.problems->error(Mistake::missing_key, place_of(*scene.document, line, column),
                                  fmt::format("the condition on '{}' has no value", field));
        } else if (value.is_map()) {
            read_operators(value, scene, field, result);
        } else {
            FieldCondition condition{field, FieldCondition::Test::any_of,
                                     read_one_or_more(value, scene, fmt::format("the condition on '{}'", field))};
            if (condition.values.empty()) refuse_empty(value, scene, field);
            result.push_back(std::move(condition));
        }
    }
    return result;
}

}  // namespace gpumedic::knowledge
