#include "evidence/bmc/redfish.h"

#include <utility>

#include "base/text.h"

namespace gpumedic::evidence::bmc {
namespace {

using codec::Value;

constexpr int kMaxDepth = 3;

std::string_view first_text(const Value& entry, std::initializer_list<std::string_view> keys) {
    for (const auto key : keys)
        if (const auto text = entry.text({key}); !text.empty() && text != "null") return text;
    return {};
}

void take_entry(const Value& entry, const base::TimeContext& context, std::vector<Event>& events) {
    Event event;
    event.event = base::replace_all(first_text(entry, {"Message"}), "\n", " ");
    event.severity = first_text(entry, {"Severity", "MessageSeverity"});
    if (event.event.empty() || (event.severity.empty() && entry.find("EntryType") == nullptr)) return;
    event.id = first_text(entry, {"Id", "EventId", "MemberId"});
    event.sensor = first_text(entry, {"SensorType", "OemSensorType"});
    const auto code = first_text(entry, {"EntryCode"});
    event.state = code == "Assert" ? "asserted" : code == "Deassert" ? "deasserted" : "";
    if (const auto parsed = base::parse_iso_time(first_text(entry, {"Created", "EventTimestamp"}), context))
        event.time = parsed->time;
    events.push_back(std::move(event));
}

std::string_view status_of(const Value& part) {
    const auto health = part.text({"Status", "Health"});
    return health == "Warning" ? "nc" : health == "Critical" ? "cr" : std::string_view{};
}

/// A sensor, fan or power supply that is outside of its limits, in the words of `ipmitool sensor`.
void take_part(const Value& part, std::vector<Event>& events) {
    Event event;
    event.status = status_of(part);
    event.sensor = first_text(part, {"Name", "FanName", "MemberId"});
    if (event.status.empty() || event.sensor.empty()) return;
    event.value = first_text(part, {"Reading", "ReadingCelsius", "ReadingVolts", "PowerOutputWatts"});
    event.unit = first_text(part, {"ReadingUnits"});
    if (event.unit.empty() && part.find("ReadingCelsius") != nullptr) event.unit = "degrees C";
    if (event.unit.empty() && part.find("ReadingVolts") != nullptr) event.unit = "Volts";
    if (event.value.empty()) event.value = base::lower(part.text({"Status", "State"}));
    events.push_back(std::move(event));
}

void take_system(const Value& system, std::vector<Event>& events) {
    const auto power = base::lower(system.text({"PowerState"}));
    if (power != "on" && power != "off") return;
    Event event;
    event.sensor = "System Power";
    event.value = power;
    events.push_back(std::move(event));
}

bool is_type(const Value& document, std::string_view type) { return document.text({"@odata.type"}).starts_with(type); }

void take(const Value& value, const base::TimeContext& context, int depth, std::vector<Event>& events) {
    if (depth > kMaxDepth) return;
    for (const auto& item : value.items) take(item, context, depth + 1, events);
    if (!value.is_map()) return;
    bool collection = false;
    for (const auto* name : {"Members", "Events"}) {
        const auto* list = value.find(name);
        if (list == nullptr || !list->is_list()) continue;
        collection = true;
        for (const auto& item : list->items) take(item, context, depth + 1, events);
    }
    for (const auto* name : {"Temperatures", "Fans", "Voltages", "PowerSupplies"})
        if (const auto* list = value.find(name); list != nullptr)
            for (const auto& item : list->items) take_part(item, events);
    if (is_type(value, "#Sensor.")) take_part(value, events);
    if (is_type(value, "#ComputerSystem.")) take_system(value, events);
    if (!collection) take_entry(value, context, events);
}

}  // namespace

std::vector<Event> events_of_json(const Value& document, const base::TimeContext& context) {
    std::vector<Event> events;
    take(document, context, 0, events);
    return events;
}

}  // namespace gpumedic::evidence::bmc
