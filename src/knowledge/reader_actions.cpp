// catalog/actions, catalog/checks and catalog/classes -> definitions.
#include <array>

#include "knowledge/definitions.h"

namespace gpumedic::knowledge {
namespace {

constexpr std::array<std::pair<std::string_view, Reach>, 5> kReaches{
    {{"none", Reach::none}, {"app", Reach::app}, {"device", Reach::device}, {"vm", Reach::vm}, {"node", Reach::node}}};

Step read_step(const codec::Value& node, Scene scene) {
    MapView view(node, scene, "step");
    Step step;
    step.do_ = view.localized("do", Need::required);
    step.why = view.localized("why", Need::required);
    step.command = view.prose("command", Need::optional);
    step.risk = view.localized("risk", Need::optional);
    view.refuse_others();
    return step;
}

void read_check(const codec::Value& node, Scene scene, const std::string& file_source, Definitions& out) {
    MapView view(node, scene, "check");
    Check check;
    check.id = view.id("id", Need::required);
    check.title = view.localized("title", Need::required);
    check.command = view.prose("command", Need::required);
    check.expect = view.localized("expect", Need::required);
    check.source = source_or(view, view.prose("source", Need::optional), file_source, "check");
    view.refuse_others();
    check.file = file_and_line(view.place());
    if (!check.id.empty()) out.checks.push_back({std::move(check), view.place(), &node, 0});
}

}  // namespace

void read_action_file(const codec::Value& root, Scene scene, Definitions& out) {
    MapView view(root, scene, "action");
    Action action;
    action.id = view.id("id", Need::required);
    action.class_ = view.text("class", Need::required);
    action.reach = view.word<Reach>("reach", Need::required, kReaches, Reach::none);
    action.title = view.localized("title", Need::required);
    action.source = source_or(view, view.prose("source", Need::optional), {}, "action");
    view.each("steps", Need::optional,
              [&](const codec::Value& item) { action.steps.push_back(read_step(item, scene)); });
    action.must_not = view.localized_list("must_not");
    view.refuse_others();
    action.file = file_and_line(view.place());
    if (!action.id.empty()) out.actions.push_back({std::move(action), view.place(), &root, 0});
}

void read_check_file(const codec::Value& root, Scene scene, Definitions& out) {
    MapView file(root, scene, "check file");
    const std::string source = file.prose("source", Need::optional);
    file.each("checks", Need::required, [&](const codec::Value& item) { read_check(item, scene, source, out); });
    file.refuse_others();
}

void read_class_file(const codec::Value& root, Scene scene, Definitions& out) {
    MapView file(root, scene, "class file");
    file.each("classes", Need::required, [&](const codec::Value& item) {
        MapView view(item, scene, "class");
        FaultClass fault_class;
        fault_class.id = view.id("id", Need::required);
        fault_class.meaning = view.localized("meaning", Need::required);
        view.refuse_others();
        if (!fault_class.id.empty()) out.classes.push_back({std::move(fault_class), view.place(), &item, 0});
    });
    file.refuse_others();
}

}  // namespace gpumedic::knowledge
