#include "evidence/kubectl/objects.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/text.h"
#include "evidence/kubectl/node.h"
#include "evidence/kubectl/text_forms.h"

namespace gpumedic::evidence::kubectl {
namespace {

using codec::Value;

// KubeVirt's own CR is part of what is collected; its conditions say nothing of a node.
constexpr std::array<std::string_view, 6> kKinds{"VirtualMachine", "VirtualMachineInstance", "Pod", "Event", "Node",
                                                 "KubeVirt"};
constexpr int kMaxListDepth = 4;

/// "null" is a word to a tree of YAML.
std::string_view shown(std::string_view text) { return text == "null" ? std::string_view{} : text; }

std::string_view text_at(const Value& value, std::initializer_list<std::string_view> path) {
    return shown(value.text(path));
}

/// The condition of this type, or nullptr.
const Value* condition(const Value& object, std::string_view type) {
    const auto* conditions = object.at({"status", "conditions"});
    if (conditions == nullptr) return nullptr;
    for (const auto& item : conditions->items)
        if (item.text({"type"}) == type) return &item;
    return nullptr;
}

std::string_view condition_text(const Value& object, std::string_view type, std::string_view member) {
    const auto* found = condition(object, type);
    return found == nullptr ? std::string_view{} : shown(found->text({member}));
}

/// "true"/"false" of a bool member as conditions spell it.
std::string_view as_condition(std::string_view text) {
    return text == "true" ? "True" : text == "false" ? "False" : text;
}

/// Says where the source shows this record: the member `key` of `parent`.
void anchor(Draft& draft, const Value& parent, std::string_view key) {
    const auto* value = parent.find(key);
    if (value == nullptr || !value->is_scalar()) return;
    draft.line = value->line;
    draft.anchor_key = key;
    draft.anchor_value = value->scalar;
}

void anchor_at(Draft& draft, const Value& object, std::string_view section, std::string_view key) {
    if (const auto* parent = object.find(section)) anchor(draft, *parent, key);
}

Draft draft_for(const Value& object, model::RecordType type) {
    Draft draft;
    draft.type = type;
    draft.set("namespace", text_at(object, {"metadata", "namespace"}));
    draft.set("name", text_at(object, {"metadata", "name"}));
    anchor_at(draft, object, "metadata", "name");
    return draft;
}

std::optional<base::Timestamp> time_of(std::string_view text, const base::TimeContext& context) {
    const auto parsed = base::parse_iso_time(text, context);
    if (!parsed) return std::nullopt;
    return parsed->time;
}

/// A Synchronized condition that is False carries the error of the last start.
bool take_synchronized(const Value& object, const base::TimeContext& context, Draft& draft) {
    const auto* found = condition(object, "Synchronized");
    if (found == nullptr) return false;
    const auto status = shown(found->text({"status"}));
    draft.set("synchronized", status);
    draft.set("synchronized_reason", shown(found->text({"reason"})));
    if (status != "False" || found->text({"message"}).empty()) return false;
    draft.text = plain_message(found->text({"message"}));
    draft.time = time_of(found->text({"lastTransitionTime"}), context);
    anchor(draft, *found, "message");
    return true;
}

std::string_view run_strategy(const Value& object) {
    if (const auto asked = text_at(object, {"spec", "runStrategy"}); !asked.empty()) return asked;
    if (const auto in_effect = text_at(object, {"status", "runStrategy"}); !in_effect.empty()) return in_effect;
    const auto running = text_at(object, {"spec", "running"});
    return running == "true" ? "Always" : running == "false" ? "Halted" : "";
}

void take_vm(const Value& object, const base::TimeContext& context, std::vector<Draft>& drafts) {
    auto draft = draft_for(object, model::RecordType::k8s_vm);
    draft.text = text_at(object, {"status", "printableStatus"});
    draft.set("status", draft.text);
    const auto ready = condition_text(object, "Ready", "status");
    draft.set("ready", ready.empty() ? as_condition(text_at(object, {"status", "ready"})) : ready);
    draft.set("run_strategy", run_strategy(object));
    draft.set("created", text_at(object, {"status", "created"}));
    draft.set("ready_reason", condition_text(object, "Ready", "reason"));
    draft.set("fail_count", text_at(object, {"status", "startFailure", "consecutiveFailCount"}));
    anchor_at(draft, object, "status", "printableStatus");

    // A VM shows copies of its VMI's conditions: the reason of a failing start is seen without a look at the VMI.
    auto vmi = draft_for(object, model::RecordType::k8s_vmi);
    const bool failing = take_synchronized(object, context, vmi);
    if (failing) drafts.push_back(std::move(vmi));  // stands above printableStatus in the source
    drafts.push_back(std::move(draft));
}

void take_vmi(const Value& object, const base::TimeContext& context, std::vector<Draft>& drafts) {
    auto draft = draft_for(object, model::RecordType::k8s_vmi);
    const auto phase = text_at(object, {"status", "phase"});
    draft.set("phase", phase);
    const auto node = text_at(object, {"status", "nodeName"});
    draft.set("node", node.empty() ? text_at(object, {"metadata", "labels", "kubevirt.io/nodeName"}) : node);
    draft.set("ready", condition_text(object, "Ready", "status"));
    if (!take_synchronized(object, context, draft)) {
        draft.text = phase;
        anchor_at(draft, object, "status", "phase");
    }
    drafts.push_back(std::move(draft));
}

struct Containers {
    std::size_t all{0};
    std::size_t ready{0};
    std::uint64_t restarts{0};
    std::string_view reason{};  // of the last container that waits or ended
    std::string_view message{};
};

Containers containers_of(const Value& object) {
    Containers sum;
    const auto* list = object.at({"status", "containerStatuses"});
    if (list == nullptr) return sum;
    for (const auto& item : list->items) {
        ++sum.all;
        sum.ready += item.text({"ready"}) == "true" ? 1U : 0U;
        sum.restarts += base::parse_number<std::uint32_t>(item.text({"restartCount"})).value_or(0);
        for (const auto* state : {"terminated", "waiting"}) {
            const auto reason = text_at(item, {"state", state, "reason"});
            if (reason.empty() || (reason == "Completed" && !sum.reason.empty())) continue;
            sum.reason = reason;
            sum.message = text_at(item, {"state", state, "message"});
        }
    }
    return sum;
}

/// The STATUS column of `kubectl get pods`, which no member of the object holds.
std::string_view pod_status(const Value& object, const Containers& containers) {
    if (!text_at(object, {"metadata", "deletionTimestamp"}).empty()) return "Terminating";
    if (const auto reason = text_at(object, {"status", "reason"}); !reason.empty()) return reason;
    if (!containers.reason.empty() && !(containers.reason == "Completed" && containers.ready > 0))
        return containers.reason;
    return text_at(object, {"status", "phase"});
}

std::string_view vmi_name(const Value& object) {
    for (const auto* place : {"annotations", "labels"}) {
        const auto domain = text_at(object, {"metadata", place, "kubevirt.io/domain"});
        const bool launcher = text_at(object, {"metadata", "labels", "kubevirt.io"}) == "virt-launcher";
        if (!domain.empty() && (launcher || text_at(object, {"metadata", "name"}).starts_with("virt-launcher-")))
            return domain;
    }
    return vmi_of_pod(text_at(object, {"metadata", "name"}));
}

void take_pod_text(const Value& object, const Containers& containers, Draft& draft) {
    const auto* status = object.find("status");
    if (status == nullptr) return;
    const auto message = text_at(*status, {"message"});
    const auto scheduling = condition_text(object, "PodScheduled", "message");
    if (!message.empty()) {
        draft.text = plain_message(message);
        anchor(draft, *status, "message");
    } else if (condition_text(object, "PodScheduled", "status") == "False" && !scheduling.empty()) {
        draft.text = plain_message(scheduling);
        anchor(draft, *condition(object, "PodScheduled"), "message");
    } else if (!containers.message.empty()) {
        draft.text = plain_message(containers.message);
        draft.line = 0;
        draft.anchor_key = "message";
        draft.anchor_value = containers.message;
    } else {
        draft.text = draft.field("status");
        anchor(draft, *status, "phase");
    }
}

void take_pod(const Value& object, std::vector<Draft>& drafts) {
    auto draft = draft_for(object, model::RecordType::k8s_pod);
    const auto containers = containers_of(object);
    draft.set("status", pod_status(object, containers));
    if (containers.all > 0) {
        draft.set("ready", std::to_string(containers.ready) + "/" + std::to_string(containers.all));
        draft.set("restarts", std::to_string(containers.restarts));
    }
    draft.set("node", text_at(object, {"spec", "nodeName"}));
    draft.set("vmi", vmi_name(object));
    auto reason = text_at(object, {"status", "reason"});
    if (reason.empty()) reason = condition_text(object, "PodScheduled", "reason");
    draft.set("reason", reason.empty() ? containers.reason : reason);
    take_pod_text(object, containers, draft);
    drafts.push_back(std::move(draft));
}

/// The first path that holds text.
std::string_view first_of(const Value& object, std::initializer_list<std::initializer_list<std::string_view>> paths) {
    for (const auto& path : paths)
        if (const auto text = text_at(object, path); !text.empty()) return text;
    return {};
}

void take_event(const Value& object, const base::TimeContext& context, std::vector<Draft>& drafts) {
    if (object.text({"apiVersion"}).starts_with("audit.")) return;  // a line of the API server's audit log
    Draft draft;
    draft.type = model::RecordType::k8s_event;
    const std::string_view message_key = object.find("message") != nullptr ? "message" : "note";
    draft.text = plain_message(object.text({message_key}));
    anchor(draft, object, message_key);
    draft.set("type", text_at(object, {"type"}));
    draft.set("reason", text_at(object, {"reason"}));
    draft.set("kind", base::lower(first_of(object, {{"involvedObject", "kind"}, {"regarding", "kind"}})));
    draft.set("name", first_of(object, {{"involvedObject", "name"}, {"regarding", "name"}}));
    draft.set(
        "namespace",
        first_of(object, {{"involvedObject", "namespace"}, {"regarding", "namespace"}, {"metadata", "namespace"}}));
    draft.set("count", first_of(object, {{"series", "count"}, {"count"}, {"deprecatedCount"}}));
    draft.set("from", first_of(object, {{"source", "component"},
                                        {"reportingComponent"},
                                        {"reportingController"},
                                        {"deprecatedSource", "component"}}));
    draft.host = first_of(object, {{"source", "host"}, {"deprecatedSource", "host"}});
    draft.time = time_of(first_of(object, {{"series", "lastObservedTime"},
                                           {"lastTimestamp"},
                                           {"deprecatedLastTimestamp"},
                                           {"eventTime"},
                                           {"firstTimestamp"},
                                           {"metadata", "creationTimestamp"}}),
                         context);
    drafts.push_back(std::move(draft));
}

void take_object(const Value& object, std::string_view kind, const base::TimeContext& context, int depth,
                 std::vector<Draft>& drafts) {
    if (depth > kMaxListDepth) return;
    if (object.is_list()) {  // `jq .items`
        for (const auto& item : object.items) take_object(item, item.text({"kind"}), context, depth + 1, drafts);
        return;
    }
    if (const auto* items = object.find("items"); items != nullptr && items->is_list() && kind.ends_with("List")) {
        kind.remove_suffix(4);  // a typed list's items do not repeat their kind
        for (const auto& item : items->items) {
            const auto own = item.text({"kind"});
            take_object(item, own.empty() ? kind : own, context, depth + 1, drafts);
        }
        return;
    }
    // A status without its object, as jq leaves it: only pods are scheduled.
    if (kind.empty() && condition(object, "PodScheduled") != nullptr) kind = "Pod";
    if (kind == "VirtualMachine") take_vm(object, context, drafts);
    if (kind == "VirtualMachineInstance") take_vmi(object, context, drafts);
    if (kind == "Pod") take_pod(object, drafts);
    if (kind == "Event") take_event(object, context, drafts);
    if (kind == "Node")
        for (auto& draft : drafts_of_node(object)) drafts.push_back(std::move(draft));
}

}  // namespace

std::vector<Draft> drafts_of(const Value& object, const base::TimeContext& context, std::string_view kind) {
    std::vector<Draft> drafts;
    const auto own = object.text({"kind"});
    take_object(object, own.empty() ? kind : own, context, 0, drafts);
    return drafts;
}

bool is_known_kind(std::string_view kind) {
    if (kind == "List") return true;
    if (kind.ends_with("List")) kind.remove_suffix(4);
    return std::find(kKinds.begin(), kKinds.end(), kind) != kKinds.end();
}

}  // namespace gpumedic::evidence::kubectl
