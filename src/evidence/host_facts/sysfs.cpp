#include "evidence/host_facts/sysfs.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/text.h"
#include "model/pci_address.h"

namespace gpumedic::evidence::host_facts {
namespace {

constexpr std::string_view kDevices = "/sys/bus/pci/devices/";
constexpr std::size_t kMaxFiles = 256;
constexpr std::size_t kMaxValue = 256;

constexpr std::array<std::string_view, 14> kOneLine{"current_link_speed",
                                                    "current_link_width",
                                                    "max_link_speed",
                                                    "max_link_width",
                                                    "power_state",
                                                    "enable",
                                                    "numa_node",
                                                    "reset_method",
                                                    "vendor",
                                                    "device",
                                                    "class",
                                                    "revision",
                                                    "driver",
                                                    "iommu_group"};
constexpr std::array<std::string_view, 3> kCounters{"aer_dev_correctable", "aer_dev_nonfatal", "aer_dev_fatal"};

template <class List>
bool is_in(const List& list, std::string_view name) {
    return std::find(list.begin(), list.end(), name) != list.end();
}

bool is_link(std::string_view file) { return file == "driver" || file == "iommu_group"; }

std::string_view last_component(std::string_view path) { return path.substr(path.rfind('/') + 1); }

std::string address_of(std::string_view word) {
    if (!base::contains(word, ".") || !base::contains(word, ":")) return {};
    const auto address = model::parse_pci_address(word);
    return address ? address->to_string() : std::string{};
}

/// Device and file of ".../0000:b8:00.0/FILE"; the file may be followed by more.
std::optional<std::pair<std::string, std::string_view>> split_path(std::string_view path) {
    std::pair<std::string, std::string_view> found;
    // A path below /sys/devices names the bridges first, so the last address counts.
    for (auto at = path.find('/'); at != std::string_view::npos; at = path.find('/', at + 1)) {
        const auto rest = path.substr(at + 1);
        const auto end = rest.find('/');
        if (end == std::string_view::npos || end > 16) continue;
        if (auto pci = address_of(rest.substr(0, end)); !pci.empty()) found = {std::move(pci), rest.substr(end + 1)};
    }
    if (found.first.empty()) return std::nullopt;
    return found;
}

/// "a{b,c}d" -> abd, acd; one pair of braces, as people write it.
std::vector<std::string> expand_braces(std::string_view word) {
    const auto open = word.find('{');
    const auto close = word.find('}', open == std::string_view::npos ? 0 : open);
    if (open == std::string_view::npos || close == std::string_view::npos) return {std::string(word)};
    std::vector<std::string> all;
    for (const auto piece : base::split(word.substr(open + 1, close - open - 1), ',')) {
        if (all.size() >= kMaxFiles) break;
        all.push_back(std::string(word.substr(0, open)) + std::string(piece) + std::string(word.substr(close + 1)));
    }
    return all;
}

/// "TOTAL_ERR_FATAL 2".
bool is_counter(std::string_view text) {
    const auto [name, count] = base::split_once(text, " ");
    return !name.empty() && base::parse_number<std::uint64_t>(base::trim(count)).has_value();
}

/// "16.0 GT/s PCIe" -> "16GT/s" as lspci has it.
std::string speed_of(std::string_view value) {
    auto number = value.substr(0, value.find(' '));
    if (!base::parse_decimal(number) || !base::contains(value, "GT/s")) return {};
    if (number.ends_with(".0")) number.remove_suffix(2);
    return std::string(number) + "GT/s";
}

/// 255 and 63 are what a device that does not answer reads as.
std::string width_of(std::string_view value) {
    const auto lanes = base::parse_number<unsigned>(value);
    return lanes && *lanes >= 1 && *lanes <= 32 ? std::to_string(*lanes) : std::string{};
}

std::string_view without_0x(std::string_view value) {
    return value.starts_with("0x") && value.find_first_not_of("0123456789abcdef", 2) == std::string_view::npos
               ? value.substr(2)
               : std::string_view{};
}

void set_once(Fact& fact, std::string_view key, std::string_view value) {
    if (fact.field(key).empty()) fact.set(key, value);
}

void take_link(std::string_view file, std::string_view value, Fact& fact) {
    const bool live = file.starts_with("current_");
    const auto text = file.ends_with("speed") ? speed_of(value) : width_of(value);
    if (text.empty()) return;
    const bool speed = file.ends_with("speed");
    if (live) set_once(fact, speed ? "lnksta_speed" : "lnksta_width", text);
    if (!live) set_once(fact, speed ? "lnkcap_speed" : "lnkcap_width", text);
    // The current link is read from the device, all other files are remembered.
    if (live && !speed) set_once(fact, "config", "answers");
}

std::string_view kind_of(std::string_view class_code, bool nvidia) {
    const auto code = class_code.substr(0, 4);
    if (code == "0300" || code == "0302") return "gpu";
    if (code == "0403") return "audio";
    if (code == "0c03") return "usb";
    if (code == "0680" && nvidia) return "nvswitch";
    return code.starts_with("06") ? "bridge" : "other";
}

void take_identity(std::string_view file, std::string_view value, Fact& fact) {
    const auto digits = without_0x(value);
    if (file == "class" && digits.size() == 6) set_once(fact, "class", digits.substr(0, 4));
    if (file == "vendor" && digits.size() == 4) set_once(fact, "vendor", digits);
    if (file == "device" && digits.size() == 4) set_once(fact, "device", digits);
    if (file == "revision" && digits.size() == 2) set_once(fact, "rev", digits);
}

}  // namespace

std::string SysfsValue::to_line() const { return std::string(kDevices) + pci + "/" + file + ":" + value; }

std::optional<SysfsValue> parse_sysfs_line(std::string_view line) {
    const auto text = base::trim(line);
    const auto arrow = text.find(" -> ");
    const auto named = text.substr(0, arrow);
    const auto parts = split_path(arrow == std::string_view::npos ? text : named.substr(named.rfind(' ') + 1));
    // "cat: /sys/.../driver: No such file" begins with the tool.
    if (!parts || (arrow == std::string_view::npos && !text.starts_with("/"))) return std::nullopt;
    const auto [file, rest] = base::split_once(parts->second, ":");
    if (arrow != std::string_view::npos) {
        if (!is_link(file)) return std::nullopt;
        return SysfsValue{parts->first, std::string(file), std::string(last_component(text.substr(arrow + 4)))};
    }
    const auto value = base::trim(rest);
    const bool known = is_in(kOneLine, file) || (is_in(kCounters, file) && is_counter(value));
    if (!known || value.empty() || value.size() > kMaxValue) return std::nullopt;
    return SysfsValue{parts->first, std::string(file), std::string(value)};
}

bool reads_pci_sysfs(std::string_view command) { return base::contains(command, kDevices); }

SysfsFiles::SysfsFiles(std::string_view command) {
    const auto words = base::split_blanks(command.substr(0, command.find('|')));
    for (const auto word : words) {
        if (!reads_pci_sysfs(word)) continue;
        if (word.find_first_of("*?[$") != std::string_view::npos) {  // the order of the answer is not known
            expected_.clear();
            return;
        }
        for (const auto& path : expand_braces(word)) {
            const auto parts = split_path(path);
            if (!parts) {
                only_device_ = address_of(last_component(path));
            } else if (parts->second.empty()) {
                only_device_ = parts->first;
            } else if (expected_.size() < kMaxFiles) {
                expected_.push_back({parts->first, std::string(parts->second)});
            }
        }
    }
}

std::optional<SysfsValue> SysfsFiles::line(std::string_view text, std::uint64_t number) {
    auto value = parse_sysfs_line(text);
    if (!value) value = next_of_command(base::trim(text));
    if (value) keep(*value, text, number);
    return value;
}

std::optional<SysfsValue> SysfsFiles::next_of_command(std::string_view text) {
    if (const auto arrow = text.find(" -> "); arrow != std::string_view::npos && !only_device_.empty()) {
        const auto head = text.substr(0, arrow);
        const auto name = head.substr(head.rfind(' ') + 1);
        if (!is_link(name)) return std::nullopt;
        return SysfsValue{only_device_, std::string(name), std::string(last_component(text.substr(arrow + 4)))};
    }
    if (expected_.empty() || text.size() > kMaxValue) return std::nullopt;
    const auto file = expected_.front();
    if (base::contains(text, file.pci + "/" + file.name)) {  // "cat: .../reset_method: No such file or directory"
        expected_.pop_front();
        return std::nullopt;
    }
    SysfsValue value{file.pci, file.name, std::string(is_link(file.name) ? last_component(text) : text)};
    if (is_in(kCounters, file.name)) {
        if (!is_counter(text)) return std::nullopt;
        if (text.starts_with("TOTAL_ERR")) expected_.pop_front();
        return value;
    }
    // How many lines another file has is not known, so neither is where the next one begins.
    if (!is_in(kOneLine, file.name)) {
        expected_.clear();
        return std::nullopt;
    }
    expected_.pop_front();
    if (text.empty()) return std::nullopt;
    return value;
}

void SysfsFiles::keep(const SysfsValue& value, std::string_view text, std::uint64_t number) {
    if (devices_.size() >= kMaxDevices && !devices_.contains(value.pci)) return;
    auto& device = devices_[value.pci];
    if (device.line == 0) {
        device.line = number;
        device.raw = text;
        device.fact.type = model::RecordType::pci_device;
        device.fact.set("pci", value.pci);
    }
    auto& fact = device.fact;
    if (value.file.ends_with("_link_speed") || value.file.ends_with("_link_width"))
        take_link(value.file, value.value, fact);
    take_identity(value.file, value.value, fact);
    constexpr std::array<std::string_view, 5> kAsPrinted{"driver", "iommu_group", "power_state", "numa_node",
                                                         "reset_method"};
    for (const auto name : kAsPrinted)
        if (value.file == name) set_once(fact, name, value.value);
    const auto [counter, count] = base::split_once(value.value, " ");
    constexpr std::array<std::string_view, 3> kTotals{"aer_correctable", "aer_nonfatal", "aer_fatal"};
    for (std::size_t i = 0; i < kCounters.size(); ++i)
        if (value.file == kCounters[i] && counter.starts_with("TOTAL_ERR"))
            set_once(fact, kTotals[i], base::trim(count));
}

std::vector<SysfsDevice> SysfsFiles::take() {
    std::vector<SysfsDevice> all;
    for (auto& [pci, device] : devices_) {
        auto& fact = device.fact;
        const bool nvidia = fact.field("vendor") == "10de" || fact.field("driver") == "nvidia";
        if (nvidia) fact.set("nvidia", "yes");
        if (const auto code = fact.field("class"); !code.empty()) fact.set("kind", kind_of(code, nvidia));
        if (fact.fields.size() > 1) all.push_back(std::move(device));
    }
    devices_.clear();
    return all;
}

}  // namespace gpumedic::evidence::host_facts
