#include "evidence/kubectl/node.h"

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "evidence/kubectl/text_forms.h"

namespace gpumedic::evidence::kubectl {
namespace {

using codec::Value;

constexpr std::size_t kMaxResources = 1024;

std::string_view shown(std::string_view text) {
    return text == "null" || text == "<none>" || text == "<unset>" || text == "<unknown>" ? std::string_view{} : text;
}

bool is_extended(std::string_view resource) {
    return base::contains(resource, "/") && !base::contains(resource, " ") && !resource.starts_with("/");
}

/// Whole devices: "8", "1k".
std::optional<std::int64_t> quantity(std::string_view text) {
    std::int64_t scale = 1;
    if (text.ends_with("k")) {
        scale = 1000;
        text.remove_suffix(1);
    }
    const auto count = base::parse_number<std::int32_t>(text);
    if (!count) return std::nullopt;
    return *count * scale;
}

Draft draft_for(std::string_view node) {
    Draft draft;
    draft.type = model::RecordType::k8s_node;
    draft.host = node;
    draft.set("name", node);
    return draft;
}

void set_resource(Draft& draft, std::string_view resource, std::string_view capacity, std::string_view allocatable) {
    draft.set("resource", resource);
    draft.set("capacity", capacity);
    draft.set("allocatable", allocatable);
    const auto all = quantity(capacity);
    const auto usable = quantity(allocatable);
    if (all && usable) draft.set("missing", std::to_string(*all - *usable));
}

/// Where the source shows the member `key` of `parent`.
void anchor(Draft& draft, const Value& parent, std::string_view key) {
    const auto* value = parent.find(key);
    if (value == nullptr || !value->is_scalar()) return;
    draft.line = value->line;
    draft.anchor_key = key;
    draft.anchor_value = value->scalar;
}

void take_resources(const Value& object, std::string_view name, std::vector<Draft>& drafts) {
    const auto* capacity = object.at({"status", "capacity"});
    const auto* allocatable = object.at({"status", "allocatable"});
    // In an object "allocatable" stands first, keys are sorted.
    const auto* main = allocatable != nullptr ? allocatable : capacity;
    if (main == nullptr) return;
    for (const auto& member : main->members) {
        if (!is_extended(member.key) || !member.value.is_scalar()) continue;
        auto draft = draft_for(name);
        const auto total = capacity == nullptr ? std::string_view{} : capacity->text({member.key});
        set_resource(draft, member.key, total, allocatable == nullptr ? "" : allocatable->text({member.key}));
        draft.text = member.key + ": " + member.value.scalar;
        anchor(draft, *main, member.key);
        drafts.push_back(std::move(draft));
    }
}

void take_conditions(const Value& object, std::string_view name, std::vector<Draft>& drafts) {
    const auto* conditions = object.at({"status", "conditions"});
    if (conditions == nullptr) return;
    for (const auto& condition : conditions->items) {
        auto draft = draft_for(name);
        draft.set("condition", shown(condition.text({"type"})));
        draft.set("status", shown(condition.text({"status"})));
        draft.set("reason", shown(condition.text({"reason"})));
        if (draft.field("condition").empty()) continue;
        const auto message = shown(condition.text({"message"}));
        draft.text = message.empty() ? condition.text({"type"}) : message;
        anchor(draft, condition, message.empty() ? "type" : "message");
        drafts.push_back(std::move(draft));
    }
}

void take_spec(const Value& object, std::string_view name, std::vector<Draft>& drafts) {
    const auto* spec = object.find("spec");
    if (spec == nullptr) return;
    if (const auto* taints = spec->find("taints")) {
        for (const auto& taint : taints->items) {
            const auto key = taint.text({"key"});
            if (key.empty()) continue;
            const auto value = shown(taint.text({"value"}));
            auto draft = draft_for(name);
            draft.set("taint", value.empty() ? std::string(key) : std::string(key) + "=" + std::string(value));
            draft.set("effect", shown(taint.text({"effect"})));
            draft.text = std::string(draft.field("taint")) + ":" + std::string(draft.field("effect"));
            anchor(draft, taint, "key");
            drafts.push_back(std::move(draft));
        }
    }
    if (spec->text({"unschedulable"}) != "true") return;
    auto draft = draft_for(name);
    draft.set("unschedulable", "true");
    draft.text = "unschedulable: true";
    anchor(draft, *spec, "unschedulable");
    drafts.push_back(std::move(draft));
}

/// The text of `kubectl describe node`, section by section.
class DescribedNode {
public:
    explicit DescribedNode(const Command& command) {
        if (command.verb == Command::Verb::describe && command.subject == Subject::node) name_ = command.name;
    }

    void line(const Line& line) {
        const auto text = base::trim(line.text);
        if (text.empty()) return;
        if (line.text.front() != ' ' && line.text.front() != '\t') return take_heading(line, text);
        if (section_ == "Capacity" || section_ == "Allocatable") take_resource(line, text);
        if (section_ == "Conditions") take_condition(line);
        if (section_ == "Taints") take_taint(line, text);
    }

    std::vector<Draft> take() {
        end_resources();
        return std::move(drafts_);
    }

private:
    struct Resource {
        std::string name;
        std::string capacity;
        std::string allocatable;
        std::uint64_t line;
        std::string text;
    };

    void take_heading(const Line& line, std::string_view text) {
        const auto [head, rest] = base::split_once(text, ":");
        const auto value = base::trim(rest);
        // Another node's part without its name.
        if (head == "Capacity" && !resources_.empty()) end_resources();
        section_ = head;
        if (head == "Name" && !value.empty()) name_ = value;
        if (head == "Taints") take_taint(line, value);
        if (head != "Unschedulable" || value != "true") return;
        add(line, text).set("unschedulable", "true");
    }

    Draft& add(const Line& line, std::string_view text) {
        drafts_.push_back(draft_for(name_));
        drafts_.back().line = line.number;
        drafts_.back().text = text;
        return drafts_.back();
    }

    void take_resource(const Line& line, std::string_view text) {
        const auto [key, rest] = base::split_once(text, ":");
        const auto value = base::trim(rest);
        if (!is_extended(key) || value.empty()) return;
        const auto found =
            std::find_if(resources_.begin(), resources_.end(), [&, k = key](const Resource& r) { return r.name == k; });
        if (found == resources_.end() && resources_.size() >= kMaxResources) return;
        auto& resource =
            found == resources_.end() ? resources_.emplace_back(Resource{std::string(key), {}, {}, 0, {}}) : *found;
        (section_ == "Capacity" ? resource.capacity : resource.allocatable) = value;
        resource.line = line.number;
        resource.text = text;
    }

    void end_resources() {
        for (const auto& resource : std::exchange(resources_, {})) {
            auto& draft = add({resource.line, {}}, resource.text);
            set_resource(draft, resource.name, resource.capacity, resource.allocatable);
        }
    }

    void take_condition(const Line& line) {
        const auto pieces = table_pieces(line.text);
        if (pieces.size() < 5 || pieces.front().second == "Type" || pieces.front().second.starts_with("--")) return;
        auto& draft = add(line, base::trim(line.text));
        draft.set("condition", pieces[0].second);
        draft.set("status", pieces[1].second);
        draft.set("reason", pieces[4].second);
    }

    void take_taint(const Line& line, std::string_view text) {
        const auto colon = text.rfind(':');
        if (colon == std::string_view::npos || colon == 0 || base::contains(text, " ")) return;
        auto& draft = add(line, text);
        draft.set("taint", text.substr(0, colon));
        draft.set("effect", text.substr(colon + 1));
    }

    std::string name_;
    std::string section_;
    std::vector<Resource> resources_;
    std::vector<Draft> drafts_;
};

}  // namespace

std::vector<Draft> drafts_of_node(const Value& object) {
    std::vector<Draft> drafts;
    const auto name = object.text({"metadata", "name"});
    take_spec(object, name, drafts);
    take_resources(object, name, drafts);
    take_conditions(object, name, drafts);
    return drafts;
}

bool starts_node_part(std::string_view line) { return line == "Capacity:" || line == "Allocatable:"; }

bool describes_node(const std::vector<Line>& lines, const Command& command) {
    if (command.verb == Command::Verb::describe && command.subject == Subject::node) return true;
    return std::any_of(lines.begin(), lines.end(), [](const Line& line) {
        return starts_node_part(line.text) || line.text.starts_with("Unschedulable:") ||
               line.text.starts_with("Roles:");
    });
}

std::vector<Draft> drafts_of_described_node(const std::vector<Line>& lines, const Command& command) {
    DescribedNode node(command);
    for (const auto& line : lines) node.line(line);
    return node.take();
}

std::optional<Draft> draft_of_node_row(const Row& row) {
    const auto name = cell(row, "NAME");
    const auto words = base::split(cell(row, "STATUS"), ',');  // "Ready,SchedulingDisabled"
    if (name.empty() || (words.front() != "Ready" && words.front() != "NotReady" && words.front() != "Unknown"))
        return std::nullopt;
    auto draft = draft_for(name.substr(name.rfind('/') + 1));  // "node/a" of `kubectl get node,pod`
    draft.text = cell(row, "STATUS");
    draft.set("condition", "Ready");
    draft.set("status", words.front() == "Ready" ? "True" : words.front() == "NotReady" ? "False" : "Unknown");
    if (std::find(words.begin(), words.end(), "SchedulingDisabled") != words.end()) draft.set("unschedulable", "true");
    return draft;
}

std::optional<Draft> LooseResources::take(std::string_view line, const Command& command) {
    if (command.verb != Command::Verb::describe || command.subject != Subject::node) return std::nullopt;
    const auto [key, rest] = base::split_once(base::trim(line), ":");
    const auto value = base::trim(rest);
    if (!is_extended(key) || !quantity(value)) return std::nullopt;
    const auto found =
        std::find_if(waiting_.begin(), waiting_.end(), [&, k = key](const Seen& seen) { return seen.resource == k; });
    if (found == waiting_.end()) {
        if (waiting_.size() < kMaxResources) waiting_.push_back({std::string(key), std::string(value)});
        return std::nullopt;
    }
    auto draft = draft_for(command.name);
    set_resource(draft, key, found->capacity, value);
    draft.text = base::trim(line);
    waiting_.erase(found);
    return draft;
}

}  // namespace gpumedic::evidence::kubectl
