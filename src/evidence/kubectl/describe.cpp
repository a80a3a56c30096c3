#include "evidence/kubectl/describe.h"

#include <utility>

#include "base/text.h"
#include "evidence/kubectl/node.h"
#include "evidence/kubectl/objects.h"
#include "evidence/kubectl/table.h"
#include "evidence/kubectl/text_forms.h"

namespace gpumedic::evidence::kubectl {
namespace {

using codec::Value;

constexpr std::size_t kMaxDepth = 64;

std::size_t indent_of(std::string_view text) {
    const auto start = text.find_first_not_of(' ');
    return start == std::string_view::npos ? text.size() : start;
}

/// "Last Transition Time" -> "lastTransitionTime".
std::string member_name(std::string_view label) {
    std::string name;
    for (const char c : label)
        if (c != ' ') name += c;
    if (!name.empty() && name.front() >= 'A' && name.front() <= 'Z')
        name.front() = static_cast<char>(name.front() - 'A' + 'a');
    return name == "aPIVersion" ? "apiVersion" : name;
}

Value scalar(std::string_view text, std::uint64_t line) {
    Value value;
    value.kind = Value::Kind::scalar;
    value.scalar = text;
    value.line = static_cast<std::uint32_t>(line);
    return value;
}

void put(Value& map, std::string_view key, Value value) {
    map.kind = Value::Kind::map;
    map.members.push_back({std::string(key), std::move(value), 0, 0});
}

/// Items of a list stand without a mark between them; of a condition, "Type" is the last field because keys are sorted.
Value conditions_as_list(Value map) {
    Value list;
    list.kind = Value::Kind::list;
    Value item;
    item.kind = Value::Kind::map;
    for (auto& member : map.members) {
        const bool last = member.key == "type";
        item.members.push_back(std::move(member));
        if (!last) continue;
        list.items.push_back(std::move(item));
        item = Value{};
        item.kind = Value::Kind::map;
    }
    return list;
}

/// Fields at one indent and all below it. `at` moves past them.
Value parse_fields(const std::vector<Line>& lines, std::size_t& at, std::size_t indent, std::size_t depth) {
    Value map;
    map.kind = Value::Kind::map;
    while (at < lines.size()) {
        const auto& line = lines[at];
        const auto own = indent_of(line.text);
        const auto text = base::trim(line.text);
        if (!text.empty() && own < indent) break;
        ++at;
        if (text.empty() || own > indent) continue;  // deeper lines of a value that we keep as text
        const auto [label, rest] = base::split_once(text, ":");
        const auto value = base::trim(rest);
        if (label.size() == text.size()) continue;
        const auto name = member_name(label);
        if (!value.empty()) {
            put(map, name, scalar(value, line.number));
            continue;
        }
        const auto below = at < lines.size() ? indent_of(lines[at].text) : 0;
        if (below <= indent || depth >= kMaxDepth) continue;
        auto child = parse_fields(lines, at, below, depth + 1);
        put(map, name, name == "conditions" ? conditions_as_list(std::move(child)) : std::move(child));
    }
    return map;
}

bool is_events_line(std::string_view text) { return text.starts_with("Events:"); }

/// A pod has a describer of its own: no Kind, and "Status" is its phase.
bool looks_like_pod(const Value& fields) {
    if (fields.find("kind") != nullptr) return fields.text({"kind"}) == "Pod";
    if (fields.find("containers") != nullptr || fields.find("controlledBy") != nullptr ||
        fields.find("qoSClass") != nullptr)
        return true;
    return fields.text({"name"}).starts_with("virt-launcher-");
}

void put_text(Value& map, std::string_view key, const Value& fields, std::string_view field) {
    const auto* value = fields.find(field);
    if (value != nullptr && value->is_scalar()) put(map, key, *value);
}

Value pod_from_fields(const Value& fields) {
    Value spec;
    Value status;
    if (const auto* node = fields.find("node"); node != nullptr && node->is_scalar() && node->scalar != "<none>") {
        const auto name = std::string_view(node->scalar).substr(0, node->scalar.find('/'));  // "node-a/10.0.0.5"
        put(spec, "nodeName", scalar(name, node->line));
    }
    put_text(status, "phase", fields, "status");
    put_text(status, "reason", fields, "reason");
    put_text(status, "message", fields, "message");
    Value pod;
    put(pod, "kind", scalar("Pod", 0));
    put(pod, "spec", std::move(spec));
    put(pod, "status", std::move(status));
    return pod;
}

struct Parts {
    std::vector<Line> fields;
    std::vector<Line> events;
};

Parts split_parts(const std::vector<Line>& lines) {
    Parts parts;
    bool events = false;
    for (const auto& line : lines) {
        if (is_events_line(line.text) || (!events && Table::parse_event_header(line.text))) events = true;
        (events ? parts.events : parts.fields).push_back(line);
    }
    return parts;
}

std::vector<Draft> event_drafts(const std::vector<Line>& lines, std::vector<std::uint64_t>& malformed) {
    std::vector<Draft> drafts;
    std::optional<Table> table;
    for (const auto& line : lines) {
        const auto text = base::trim(line.text);
        if (text.empty() || is_events_line(text) || text.starts_with("----")) continue;
        if (auto header = Table::parse_event_header(line.text)) {
            table = std::move(header);
            continue;
        }
        auto draft = table ? draft_of_row(Subject::event, table->row(line.text), Command{}) : std::nullopt;
        if (!draft) {
            malformed.push_back(line.number);
            continue;
        }
        draft->line = line.number;
        drafts.push_back(std::move(*draft));
    }
    return drafts;
}

struct About {
    std::string kind;
    std::string name;
    std::string namespace_;
};

/// For an answer that was cut down to its events. All of them are about one object: virt-handler reports on VMIs only,
/// and the VMI's first event names its pod.
void learn_from_events(const std::vector<Draft>& drafts, About& about) {
    constexpr std::string_view kCreated = "Created virtual machine pod ";
    for (const auto& draft : drafts) {
        if (draft.type != model::RecordType::k8s_event) continue;
        const bool created = draft.text.starts_with(kCreated);
        if (!created && draft.field("from") != "virt-handler") continue;
        if (about.kind.empty()) about.kind = kind_name(Subject::vmi);
        if (created && about.name.empty())
            about.name = vmi_of_pod(base::trim(std::string_view(draft.text).substr(kCreated.size())));
    }
}

About about_of(const Value& object, const Command& command, const std::vector<Draft>& events) {
    About about{base::lower(object.text({"kind"})), std::string(object.text({"metadata", "name"})),
                std::string(object.text({"metadata", "namespace"}))};
    const bool described = command.verb == Command::Verb::describe;
    if (about.kind.empty() && object.find("allocatable") != nullptr) about.kind = kind_name(Subject::node);
    if (about.kind.empty() && described) about.kind = kind_name(command.subject);
    if (about.name.empty() && described) about.name = command.name;
    if (about.namespace_.empty()) about.namespace_ = command.namespace_;
    learn_from_events(events, about);
    return about;
}

}  // namespace

Value parse_described_object(const std::vector<Line>& lines) {
    std::size_t at = 0;
    const auto fields = parse_fields(lines, at, 0, 0);
    Value metadata;
    put_text(metadata, "name", fields, "name");
    put_text(metadata, "namespace", fields, "namespace");
    auto object = looks_like_pod(fields) ? pod_from_fields(fields) : fields;
    // "Metadata" below "Kind" repeats neither; ours goes first, where it is found.
    if (!metadata.members.empty())
        object.members.insert(object.members.begin(), {"metadata", std::move(metadata), 0, 0});
    return object;
}

std::vector<Draft> drafts_of_description(const std::vector<Line>& lines, const Command& command,
                                         const base::TimeContext& context, std::vector<std::uint64_t>& malformed) {
    const auto parts = split_parts(lines);
    const auto object = parse_described_object(parts.fields);
    const bool node = describes_node(parts.fields, command);
    auto drafts = node ? drafts_of_described_node(parts.fields, command) : drafts_of(object, context);
    for (auto& draft : drafts)
        if (!node && draft.field("namespace").empty()) draft.set("namespace", command.namespace_);

    auto events = event_drafts(parts.events, malformed);
    const auto about = about_of(object, command, events);
    for (auto& event : events) {
        event.set("kind", about.kind);
        event.set("name", about.name);
        event.set("namespace", about.namespace_);
        drafts.push_back(std::move(event));
    }
    return drafts;
}

}  // namespace gpumedic::evidence::kubectl
