#include "evidence/bmc/ipmi.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "base/text.h"

namespace gpumedic::evidence::bmc {
namespace {

std::vector<std::string_view> cells_of(std::string_view line) {
    auto cells = base::split(line, '|');
    for (auto& cell : cells) cell = base::trim(cell);
    return cells;
}

bool is_hex(std::string_view text) {
    return !text.empty() && text.size() <= 8 &&
           text.find_first_not_of("0123456789abcdefABCDEF") == std::string_view::npos;
}

/// ipmitool prints the machine's own zone by name. Only names that mean one offset everywhere, all year.
std::string_view offset_of(std::string_view zone) {
    if (zone == "UTC" || zone == "GMT") return "Z";
    return zone == "KST" || zone == "JST" ? "+09:00" : std::string_view{};
}

/// "08:00:01 PM UTC" -> "20:00:01Z".
std::string iso_clock(std::string_view text) {
    const auto words = base::split_blanks(text);
    if (words.empty()) return {};
    std::string clock(words.front());
    for (std::size_t i = 1; i < words.size(); ++i) {
        const auto hour = base::parse_number<int>(std::string_view(clock).substr(0, 2));
        if ((words[i] == "PM" || words[i] == "AM") && hour && *hour >= 1 && *hour <= 12) {
            const int shifted = *hour % 12 + (words[i] == "PM" ? 12 : 0);
            clock.replace(0, 2, (shifted < 10 ? "0" : "") + std::to_string(shifted));
        }
        clock += offset_of(words[i]);
    }
    return clock;
}

/// "02/01/2025" or "02/01/25" (month first) -> "2025-02-01"; a date that is ISO already stays.
std::string iso_date(std::string_view text) {
    const auto parts = base::split(text, '/');
    if (parts.size() != 3) return std::string(text);
    const auto two = [](std::string_view digits) { return (digits.size() == 1 ? "0" : "") + std::string(digits); };
    return (parts[2].size() == 2 ? "20" : "") + std::string(parts[2]) + "-" + two(parts[0]) + "-" + two(parts[1]);
}

bool is_date(std::string_view text) {
    return text.size() >= 8 && text.size() <= 10 && text.find_first_not_of("0123456789/-") == std::string_view::npos;
}

/// The severity of a limit that was passed, without its side: "ucr" -> "cr"; "" within the limits.
std::string_view limit_passed(std::string_view status) {
    constexpr std::array<std::string_view, 3> kLimits{"nc", "cr", "nr"};
    if (status.size() == 3 && (status.front() == 'l' || status.front() == 'u')) status.remove_prefix(1);
    const auto found = std::find(kLimits.begin(), kLimits.end(), status);
    return found == kLimits.end() ? std::string_view{} : *found;
}

bool is_status(std::string_view status) {
    return status == "ok" || status == "ns" || status == "na" || status == "us" || status.starts_with("0x") ||
           !limit_passed(status).empty();
}

/// "91 degrees C" -> value and unit.
void set_reading(Event& event, std::string_view reading) {
    const auto [value, unit] = base::split_once(reading, " ");
    const bool number = base::parse_decimal(value).has_value();
    event.value = number ? value : reading;
    if (number) event.unit = base::trim(unit);
}

}  // namespace

std::optional<Event> parse_log_row(std::string_view line, const base::TimeContext& context) {
    const auto cells = cells_of(line);
    if (cells.size() < 4 || !is_hex(cells[0])) return std::nullopt;
    const bool before_clock = cells[1] == "Pre-Init";
    if (!before_clock && !is_date(cells[1])) return std::nullopt;
    Event event;
    event.id = cells[0];
    if (!before_clock) {
        const auto text = iso_date(cells[1]) + "T" + iso_clock(cells[2]);
        if (const auto parsed = base::parse_iso_time(text, context)) event.time = parsed->time;
    }
    event.sensor = cells[3];
    if (cells.size() > 4) event.event = cells[4];
    if (cells.size() > 5) event.state = base::lower(cells[5]);
    if (event.state != "asserted" && event.state != "deasserted") event.state.clear();
    if (cells.size() > 6) event.value = cells[6];
    return event;
}

std::optional<Event> parse_sensor_row(std::string_view line) {
    const auto cells = cells_of(line);
    Event event;
    event.sensor = cells.front();
    if (cells.size() == 10 && is_status(cells[3])) {
        event.status = limit_passed(cells[3]);
        event.value = cells[1];
        event.unit = cells[2];
    } else if (cells.size() == 5 && cells[1].ends_with("h") && is_status(cells[2])) {
        event.status = limit_passed(cells[2]);
        set_reading(event, cells[4]);
    } else if (cells.size() == 3 && is_status(cells[2])) {
        event.status = limit_passed(cells[2]);
        set_reading(event, cells[1]);
    } else {
        return std::nullopt;
    }
    if (event.sensor.empty()) return std::nullopt;
    return event;
}

std::optional<Event> parse_chassis_line(std::string_view line) {
    constexpr std::array<std::string_view, 12> kKeys{
        "System Power",        "Power Overload",   "Power Interlock",      "Main Power Fault",
        "Power Control Fault", "Last Power Event", "Power Restore Policy", "Chassis Intrusion",
        "Front-Panel Lockout", "Drive Fault",      "Cooling/Fan Fault",    "System restart cause"};
    constexpr std::string_view kPower = "Chassis Power is ";
    const auto text = base::trim(line);
    Event event;
    if (text.starts_with(kPower)) {
        event.sensor = "System Power";
        event.value = text.substr(kPower.size());
        return event;
    }
    const auto [head, rest] = base::split_once(text, ":");
    const auto key = base::trim(head);
    if (head.size() == text.size() || std::find(kKeys.begin(), kKeys.end(), key) == kKeys.end()) return std::nullopt;
    event.sensor = key;
    const auto value = base::trim(rest);
    if (key == "Last Power Event" || key == "System restart cause") {
        event.event = value;
    } else {
        event.value = value;
    }
    if (value == "true" || value == "active") event.state = "asserted";
    return event;
}

bool is_telling(const Event& chassis) {
    return chassis.sensor == "System Power" || !chassis.event.empty() || chassis.state == "asserted";
}

}  // namespace gpumedic::evidence::bmc
