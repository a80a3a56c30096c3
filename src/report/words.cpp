#include "report/words.h"

#include <array>
#include <cmath>
#include <utility>

#include "base/text.h"
#include "report/layout.h"

namespace gpumedic::report {
namespace {

constexpr double kCertain = 0.85;
constexpr double kLikely = 0.6;

std::string kind_text(const model::Device& device, const Page& page) {
    if (device.kind == "gpu") return "GPU";
    if (device.kind == "nvswitch") return "NVSwitch";
    if (device.kind == "link") return "NVLink";
    if (device.kind == "pci") return std::string(page.say(Phrase::pci_device));
    if (device.kind == "vm") return "VM";
    if (device.kind == "nic") return std::string(page.say(Phrase::nic_device));
    if (device.kind == "port") return std::string(page.say(Phrase::port_device));
    if (device.kind == "drive") return std::string(page.say(Phrase::drive_device));
    if (device.kind == "usb") return std::string(page.say(Phrase::usb_device));
    if (device.kind == "audio") return std::string(page.say(Phrase::audio_device));
    return device.kind;
}

void append(std::string& out, std::string_view part) {
    if (!out.empty()) out += ", ";
    out += part;
}

/// The name that stands directly behind the kind, and whether it was the uuid, the number or the address.
enum class Head { pci, number, holder, uuid, none };

std::pair<Head, std::string> head_of(const model::Device& device) {
    if (device.kind == "vm") return {Head::holder, holder_text(device.holder)};
    if (device.kind == "nvswitch" && device.nvswitch) return {Head::number, std::to_string(*device.nvswitch)};
    if (!device.pci.empty()) return {Head::pci, device.pci};
    if (device.index) return {Head::number, std::to_string(*device.index)};
    if (!device.uuid.empty()) return {Head::uuid, device.uuid};
    return {Head::none, ""};
}

}  // namespace

std::string holder_text(const model::Holder& holder) {
    std::string out = holder.vm.empty() ? holder.pod : holder.vm;
    if (!out.empty() && !holder.namespace_.empty()) out = holder.namespace_ + "/" + out;
    if (!holder.vm.empty() && !holder.pod.empty()) out += " (" + holder.pod + ")";
    return out;
}

std::string device_text(const model::Device& device, const Page& page) {
    const auto [head, name] = head_of(device);
    std::string out = kind_text(device, page);
    if (!name.empty()) out += " " + name;
    if (head != Head::pci && !device.pci.empty()) append(out, device.pci);
    if (head != Head::number && device.index)
        append(out, fill(page.say(Phrase::index), {std::to_string(*device.index)}));
    if (device.kind != "nvswitch" && device.nvswitch) append(out, "NVSwitch " + std::to_string(*device.nvswitch));
    if (device.link) append(out, fill(page.say(Phrase::link), {std::to_string(*device.link)}));
    if (head != Head::uuid && !device.uuid.empty()) append(out, device.uuid);
    if (!device.iommu_group.empty()) append(out, fill(page.say(Phrase::iommu_group), {device.iommu_group}));
    return out;
}

double sane_confidence(double confidence) {
    if (std::isnan(confidence) || confidence < 0.0) return 0.0;
    return confidence > 1.0 ? 1.0 : confidence;
}

std::string percent_text(double confidence) {
    return std::to_string(std::lround(sane_confidence(confidence) * 100.0)) + " %";
}

std::string confidence_text(double confidence, const Page& page) {
    const double value = sane_confidence(confidence);
    const Phrase word = value >= kCertain ? Phrase::certain : value >= kLikely ? Phrase::likely : Phrase::possible;
    return std::string(page.say(word)) + " (" + percent_text(value) + ")";
}

std::string_view severity_text(model::Severity severity, const Page& page) {
    switch (severity) {
        case model::Severity::info: return page.say(Phrase::severity_info);
        case model::Severity::warning: return page.say(Phrase::severity_warning);
        case model::Severity::error: return page.say(Phrase::severity_error);
        case model::Severity::fatal: return page.say(Phrase::severity_fatal);
    }
    return {};
}

std::string_view state_text(model::IncidentState state, const Page& page) {
    switch (state) {
        case model::IncidentState::open: return page.say(Phrase::state_open);
        case model::IncidentState::cleared: return page.say(Phrase::state_cleared);
        case model::IncidentState::earlier_boot: return page.say(Phrase::state_earlier_boot);
    }
    return {};
}

std::string_view verdict_text(model::Verdict verdict, const Page& page) {
    switch (verdict) {
        case model::Verdict::healthy: return page.say(Phrase::verdict_healthy);
        case model::Verdict::inconclusive: return page.say(Phrase::verdict_inconclusive);
        case model::Verdict::fault: return page.say(Phrase::verdict_fault);
    }
    return {};
}

Style verdict_style(model::Verdict verdict) {
    switch (verdict) {
        case model::Verdict::healthy: return Style::green;
        case model::Verdict::inconclusive: return Style::yellow;
        case model::Verdict::fault: return Style::red;
    }
    return Style::plain;
}

std::string_view outcome_text(std::string_view outcome, const Page& page) {
    static constexpr std::array<std::pair<std::string_view, Phrase>, 10> kOutcomes{
        {{"ok", Phrase::outcome_ok},
         {"absent", Phrase::outcome_absent},
         {"denied", Phrase::outcome_denied},
         {"timed_out", Phrase::outcome_timed_out},
         {"truncated", Phrase::outcome_truncated},
         {"blocked", Phrase::outcome_blocked},
         {"failed", Phrase::outcome_failed},
         {"unrecognised", Phrase::outcome_unrecognised},
         {"empty", Phrase::outcome_empty},
         {"binary", Phrase::outcome_binary}}};
    for (const auto& [name, words] : kOutcomes)
        if (name == outcome) return page.say(words);
    return outcome;
}

std::string decoded_text(const model::DecodedValue& value, const Page& page) {
    const std::string& words = page.say(value.text);
    return value.field + " " + value.value + " = " +
           (value.name.empty() || value.name == value.value ? words : value.name + ": " + words);
}

std::string place_text(const model::EvidenceItem& item) {
    return item.line == 0 ? item.source : item.source + ":" + std::to_string(item.line);
}

std::string_view file_of(std::string_view source) {
    const auto command = source.find(" (");
    return command == 0 ? source : source.substr(0, command);
}

std::string seconds_text(base::Timestamp time) {
    if (time.clock == base::Timestamp::Clock::wall) time.value = std::chrono::floor<std::chrono::seconds>(time.value);
    return base::format_time(time);
}

std::string_view without_header(std::string_view text) {
    constexpr std::string_view kKernel = " kernel: ";
    std::string_view rest = base::trim_left(text);
    auto time = base::parse_iso_time(rest, {});
    if (!time) time = base::parse_syslog_time(rest, {});
    if (!time || time->length >= rest.size() || rest[time->length] != ' ') return text;
    rest = base::trim_left(rest.substr(time->length));
    const auto host = rest.find(' ');
    if (host != std::string_view::npos && rest.substr(host).starts_with(kKernel))
        return rest.substr(host + kKernel.size());
    return rest;
}

}  // namespace gpumedic::report
