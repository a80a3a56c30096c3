#include "evidence/host_facts/driver_files.h"

#include <algorithm>
#include <array>

#include "base/text.h"
#include "model/pci_address.h"

namespace gpumedic::evidence::host_facts {
namespace {

constexpr std::string_view kDigits = "0123456789";

/// "550.90.07", "575.57": digits in two to four groups.
bool is_driver_version(std::string_view word) {
    const auto groups = base::split(word, '.');
    return groups.size() >= 2 && groups.size() <= 4 &&
           std::all_of(groups.begin(), groups.end(), [](std::string_view group) {
               return !group.empty() && group.size() <= 5 && group.find_first_not_of(kDigits) == std::string_view::npos;
           });
}

bool is_key(std::string_view text) {
    return text.size() >= 3 && text.size() <= 64 && text.front() >= 'A' && text.front() <= 'Z' &&
           text.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_") ==
               std::string_view::npos;
}

constexpr std::array<std::string_view, 11> kInformation{"Model",        "IRQ",          "GPU UUID",    "Video BIOS",
                                                        "Bus Type",     "DMA Size",     "DMA Mask",    "Bus Location",
                                                        "Device Minor", "GPU Firmware", "GPU Excluded"};

std::string address_of(std::string_view text) {
    const auto address = model::parse_pci_address(text);
    return address ? address->to_string() : std::string{};
}

}  // namespace

std::optional<Fact> parse_driver_version(std::string_view line) {
    constexpr std::string_view kStart = "NVRM version:";
    const auto text = base::trim(line);
    if (!text.starts_with(kStart)) return std::nullopt;
    for (const auto word : base::split_blanks(text.substr(kStart.size()))) {
        if (!is_driver_version(word)) continue;
        Fact fact;
        fact.type = model::RecordType::driver;
        fact.set("what", "kernel_module");
        fact.set("version", word);
        return fact;
    }
    return std::nullopt;
}

std::optional<Fact> parse_parameter(std::string_view line) {
    const auto [key, rest] = base::split_once(line, ":");
    if (key.size() == line.size() || !is_key(key) || !rest.starts_with(" ")) return std::nullopt;
    const auto value = base::trim(rest);
    const bool number = !value.empty() && value.find_first_not_of(kDigits) == std::string_view::npos;
    const bool quoted = value.size() >= 2 && value.starts_with("\"") && value.ends_with("\"");
    if (!number && !quoted) return std::nullopt;
    Fact fact;
    fact.type = model::RecordType::driver;
    fact.set("what", "parameter");
    fact.set("parameter", key);
    fact.set("value", quoted ? value.substr(1, value.size() - 2) : value);
    return fact;
}

bool is_known_parameter(std::string_view name) {
    constexpr std::array<std::string_view, 8> kKnown{
        "ResmanDebugLevel",  "RmLogonRC", "ModifyDeviceFiles", "RegistryDwords",
        "EnableGpuFirmware", "RmMsg",     "EnableMSI",         "OpenRmEnableUnsupportedGpus"};
    return std::find(kKnown.begin(), kKnown.end(), name) != kKnown.end();
}

bool GpuInformation::starts(std::string_view text) {
    const auto [key, rest] = base::split_once(text, ":");
    return key == "Model" && rest.find('\t') != std::string_view::npos;
}

bool GpuInformation::line(std::string_view text) {
    if (values_.empty() && !starts(text)) return false;
    const auto [key, rest] = base::split_once(text, ":");
    const bool mine = std::find(kInformation.begin(), kInformation.end(), base::trim(key)) != kInformation.end();
    if (!mine || values_.size() > kInformation.size()) return false;
    values_.emplace_back(base::trim(key), base::trim(rest));
    return true;
}

std::string_view GpuInformation::value(std::string_view key) const {
    for (const auto& [name, text] : values_)
        if (name == key)
            return text == "N/A" || base::contains(text, "??") ? std::string_view{} : std::string_view(text);
    return {};
}

std::vector<Fact> GpuInformation::take() {
    std::vector<Fact> facts;
    const auto pci = address_of(value("Bus Location"));
    Fact gpu;
    gpu.type = model::RecordType::driver;
    if (!value("GPU Firmware").empty()) gpu.set("what", "firmware");
    gpu.set("version", value("GPU Firmware"));
    gpu.set("pci", pci);
    gpu.set("uuid", value("GPU UUID"));
    gpu.set("minor", value("Device Minor"));
    gpu.set("model", value("Model"));
    facts.push_back(std::move(gpu));
    if (!value("GPU Excluded").empty()) {
        Fact excluded;
        excluded.type = model::RecordType::driver;
        excluded.set("what", "parameter");
        excluded.set("parameter", "GPU Excluded");
        excluded.set("value", value("GPU Excluded"));
        excluded.set("pci", pci);
        facts.push_back(std::move(excluded));
    }
    values_.clear();
    return facts;
}

std::optional<Fact> parse_module_info(std::string_view line) {
    const auto [key, rest] = base::split_once(line, ":");
    const auto value = base::trim(rest);
    if (value.empty() || (key != "version" && key != "firmware") || !rest.starts_with(" ")) return std::nullopt;
    Fact fact;
    fact.type = model::RecordType::driver;
    fact.set("what", key == "version" ? "kernel_module" : "firmware");
    fact.set(key == "version" ? "version" : "value", value);
    return fact;
}

std::string_view module_file(std::string_view line) {
    constexpr std::string_view kStart = "filename:";
    if (!line.starts_with(kStart)) return {};
    const auto path = base::trim(line.substr(kStart.size()));
    return path.starts_with("/") ? path : std::string_view{};
}

}  // namespace gpumedic::evidence::host_facts
