// catalog/tables and a site's overrides -> definitions.
#include <fmt/format.h>

#include <array>

#include "knowledge/definitions.h"

namespace gpumedic::knowledge {
namespace {

constexpr std::array<std::pair<std::string_view, Strategy>, 3> kStrategies{
    {{"observe", Strategy::observe}, {"advise", Strategy::advise}, {"act", Strategy::act}}};

TableRow read_row(const codec::Value& node, Scene scene) {
    MapView view(node, scene, "row of a table");
    TableRow row;
    if (const codec::Value* is = view.get("is", Need::required)) row.is = read_one_or_more(*is, scene, "'is'");
    row.name = view.text("name", Need::optional);
    row.text = view.localized("text", Need::required);
    view.refuse_others();
    return row;
}

void read_table(const codec::Value& node, Scene scene, const std::string& file_source, Definitions& out) {
    MapView view(node, scene, "table");
    CodeTable table;
    table.id = view.id("id", Need::required);
    table.title = view.localized("title", Need::required);
    table.keys = view.texts("keys", Need::optional);
    if (table.keys.empty()) table.keys.emplace_back("value");
    table.source = source_or(view, view.prose("source", Need::optional), file_source, "table");
    view.each("rows", Need::required, [&](const codec::Value& item) { table.rows.push_back(read_row(item, scene)); });
    view.refuse_others();
    table.file = file_and_line(view.place());
    if (!table.id.empty()) out.tables.push_back({std::move(table), view.place(), &node, 0});
}

void read_override(const codec::Value& node, Scene scene, Definitions& out) {
    MapView view(node, scene, "override");
    Override wish;
    const std::string fault = view.text("fault", Need::optional);
    const std::string signal = view.text("signal", Need::optional);
    if (node.is_map() && fault.empty() == signal.empty()) {
        scene.problems->error(Mistake::bad_override, view.place(), "it names exactly one of 'fault' and 'signal'");
    }
    wish.id = fault.empty() ? "signal:" + signal : "fault:" + fault;
    if (node.find("severity") != nullptr)
        wish.severity = view.severity("severity", Need::optional, model::Severity::error);
    if (!fault.empty()) {
        wish.action = view.text("action", Need::optional);
        wish.why = view.localized("why", wish.action.empty() ? Need::optional : Need::required);
        if (node.find("strategy") != nullptr)
            wish.strategy = view.word<Strategy>("strategy", Need::optional, kStrategies, Strategy::advise);
    }
    view.refuse_others();
    if (fault.empty() == signal.empty()) return;
    out.overrides.push_back({std::move(wish), view.place(), &node, 0});
}

}  // namespace

void read_table_file(const codec::Value& root, Scene scene, Definitions& out) {
    MapView file(root, scene, "table file");
    const std::string source = file.prose("source", Need::optional);
    file.each("tables", Need::required, [&](const codec::Value& item) { read_table(item, scene, source, out); });
    file.refuse_others();
}

void read_override_file(const codec::Value& root, Scene scene, Definitions& out) {
    MapView file(root, scene, "override file");
    file.each("overrides", Need::required, [&](const codec::Value& item) { read_override(item, scene, out); });
    file.refuse_others();
}

}  // namespace gpumedic::knowledge
