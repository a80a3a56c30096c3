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
    if (!collection) take_entry(value, context, events);
}

}  // namespace

std::vector<Event> events_of_json(const Value& document, const base::TimeContext& context) {
    std::vector<Event> events;
    take(document, context, 0, events);
    return events;
}

}  // namespace gpumedic::evidence::bmc
