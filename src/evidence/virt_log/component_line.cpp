#include "evidence/virt_log/component_line.h"

#include <array>

#include "base/text.h"
#include "codec/value.h"
#include "evidence/virt_log/go_quoting.h"

namespace gpumedic::evidence {
namespace {

constexpr codec::TreeLimits kLimits{.bytes = std::size_t{4} << 20, .nodes = 100'000, .depth = 64};

struct FieldName {
    const char* json;
    std::string_view record;
};

constexpr std::array<FieldName, 7> kVirtFields{{{"component", "component"},
                                                {"level", "level"},
                                                {"namespace", "namespace"},
                                                {"name", "name"},
                                                {"kind", "kind"},
                                                {"pos", "pos"},
                                                {"subcomponent", "subcomponent"}}};

void add_field(const codec::Value& line, const FieldName& name, std::vector<model::Field>& fields) {
    const auto value = base::trim(line.text({name.json}));
    if (!value.empty()) fields.push_back({name.record, std::string{value}});
}

/// "re-enqueuing VirtualMachineInstance train/vm-a" names in the message what other lines have as keys.
void add_name_from_message(std::string_view message, std::vector<model::Field>& fields) {
    constexpr std::string_view kObject = "VirtualMachineInstance ";
    const auto found = message.find(kObject);
    if (found == std::string_view::npos) return;
    const auto object = base::split_once(message.substr(found + kObject.size()), " ").first;
    const auto [name_space, name] = base::split_once(object, "/");
    if (name_space.empty() || name.empty() || base::contains(name, "/")) return;
    fields.push_back({"namespace", std::string{name_space}});
    fields.push_back({"name", std::string{name}});
}

}  // namespace

bool looks_like_component_line(std::string_view json) {
    return json.starts_with('{') && base::contains(json, "\"component\"") && base::contains(json, "\"virt-");
}

std::optional<ComponentLine> parse_component_line(std::string_view json, const base::TimeContext& context) {
    const auto value = codec::parse_json(json, kLimits);
    if (!value || !value->is_map()) return std::nullopt;
    const auto message = value->text({"msg"});
    const auto reason = value->text({"reason"});
    if (message.empty() && reason.empty()) return std::nullopt;
    ComponentLine line;
    line.text = base::trim(message);
    if (!reason.empty()) {
        if (!line.text.empty()) line.text += ": ";
        line.text += without_go_quoting(reason);
    }
    to_one_line(line.text);
    if (const auto time = base::parse_iso_time(value->text({"timestamp"}), context)) line.time = time->time;
    const auto component = value->text({"component"});
    if (component.starts_with("virt-")) {
        for (const auto& name : kVirtFields) add_field(*value, name, line.fields);
        if (value->text({"name"}).empty()) add_name_from_message(message, line.fields);
        return line;
    }
    line.type = component.empty() ? model::RecordType::text : model::RecordType::syslog;
    add_field(*value, {"component", "program"}, line.fields);
    return line;
}

}  // namespace gpumedic::evidence
