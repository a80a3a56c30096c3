#include "evidence/lspci/device.h"

#include <algorithm>
#include <array>

#include "base/text.h"

namespace gpumedic::evidence::lspci {
namespace {

constexpr std::string_view kNvidiaVendor = "10de";
constexpr std::size_t kMaxClassWords = 80;

bool is_hex(std::string_view text, std::size_t digits) {
    return text.size() == digits && text.find_first_not_of("0123456789abcdefABCDEF") == std::string_view::npos;
}

/// "(rev ff)" gives "ff" for the opening "(rev ".
std::string_view between(std::string_view text, std::string_view open, std::string_view close) {
    const auto start = text.find(open);
    if (start == std::string_view::npos) return {};
    text.remove_prefix(start + open.size());
    const auto end = text.find(close);
    return end == std::string_view::npos ? std::string_view{} : text.substr(0, end);
}

std::string kind_of_class(std::string_view digits, bool nvidia) {
    if (digits == "0300" || digits == "0302" || digits == "0380") return "gpu";
    if (digits == "0403" || digits == "0401") return "audio";
    if (digits == "0c03") return "usb";
    if (digits == "0680" && nvidia) return "nvswitch";
    if (digits.starts_with("06")) return "bridge";
    return "other";
}

std::string kind_of_words(std::string_view words, bool nvidia) {
    const auto name = base::lower(words);
    if (name == "vga compatible controller" || name == "3d controller" || name == "display controller") return "gpu";
    if (base::contains(name, "audio")) return "audio";
    if (name == "usb controller") return "usb";
    if (name == "bridge" && nvidia) return "nvswitch";
    if (name.ends_with("bridge")) return "bridge";
    return "other";
}

/// The vendor and the product are printed with nothing between them but a blank; a company's legal form ends the
/// vendor.
std::string_view vendor_name_of(std::string_view words) {
    constexpr std::array<std::string_view, 12> kForms{"Corporation",   "Corp.",      "Inc.", "Inc",
                                                      "Technologies",  "Technology", "Ltd",  "Ltd.",
                                                      "Semiconductor", "Limited",    "LLC",  "GmbH"};
    for (const auto word : base::split_blanks(words)) {
        if (std::find(kForms.begin(), kForms.end(), word) == kForms.end()) continue;
        const auto end = static_cast<std::size_t>(word.data() + word.size() - words.data());
        return words.substr(0, end);
    }
    const auto first = base::split_blanks(words);
    return first.empty() ? std::string_view{} : first.front();
}

bool looks_like_class(std::string_view words) {
    if (words.empty() || words.size() > kMaxClassWords) return false;
    return std::all_of(words.begin(), words.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == ' ' || c == '-' ||
               c == '/' || c == '[' || c == ']' || c == '(' || c == ')' || c == '.' || c == ',';
    });
}

/// "VGA compatible controller [0300]", "0300" (lspci -n), "Class 0300" or "Class [0300]" (no name known).
void take_class(std::string_view words, std::string& digits, std::string_view& name) {
    name = words;
    if (words.starts_with("Class ")) words.remove_prefix(6);
    if (is_hex(words, 4)) {
        digits = base::lower(words);
        name = {};
        return;
    }
    const auto open = words.rfind('[');
    if (open == std::string_view::npos || !words.ends_with("]")) return;
    const auto inner = words.substr(open + 1, words.size() - open - 2);
    if (!is_hex(inner, 4)) return;
    digits = base::lower(inner);
    name = base::trim_right(words.substr(0, open));
}

bool take_id_pair(std::string_view pair, Device& device) {
    const auto [vendor, product] = base::split_once(pair, ":");
    if (!is_hex(vendor, 4) || !is_hex(product, 4)) return false;
    device.vendor = base::lower(vendor);
    device.device = base::lower(product);
    return true;
}

/// The numbers are the last "[vvvv:dddd]"; product names use brackets too. With -n they are the first word.
void take_ids(std::string_view rest, Device& device) {
    const auto words = base::split_blanks(rest);
    if (!words.empty() && take_id_pair(words.front(), device)) return;
    constexpr int kMaxBrackets = 8;  // real lines have three at most; hostile ones a hundred thousand
    auto text = rest;
    for (int i = 0; i < kMaxBrackets; ++i) {
        const auto open = text.rfind('[');
        if (open == std::string_view::npos) break;
        const auto inner = between(text.substr(open), "[", "]");
        if (take_id_pair(inner, device)) break;
        text = text.substr(0, open);
    }
    device.vendor_name = vendor_name_of(rest.substr(0, rest.find(" (rev ")));
}

/// "LnkSta:\tSpeed 2.5GT/s (downgraded), Width x16 (ok)" -> "2.5GT/s" and "16".
void take_link(std::string_view text, std::string& speed, std::string& width) {
    if (!speed.empty() || !width.empty()) return;
    constexpr std::string_view kSpeed = "Speed ";
    constexpr std::string_view kWidth = "Width x";
    if (const auto at = text.find(kSpeed); at != std::string_view::npos) {
        const auto value = text.substr(at + kSpeed.size());
        const auto word = value.substr(0, value.find_first_of(" ,"));
        if (word.ends_with("GT/s")) speed = word;
    }
    if (const auto at = text.find(kWidth); at != std::string_view::npos) {
        const auto value = text.substr(at + kWidth.size());
        width = value.substr(0, value.find_first_not_of("0123456789"));
    }
}

/// "10: ff ff ..." of -x to -xxxx.
bool take_dump_row(std::string_view line, Device& device) {
    const auto [offset, rest] = base::split_once(line, ": ");
    if (!is_hex(offset, 2) && !is_hex(offset, 3)) return false;
    const auto bytes = base::split_blanks(rest);
    if (bytes.empty() || bytes.size() > 16) return false;
    if (!std::all_of(bytes.begin(), bytes.end(), [](std::string_view byte) { return is_hex(byte, 2); })) return false;
    constexpr std::size_t kHeaderType = 0x0e;
    if (base::parse_number<unsigned>(offset, 16) == 0U && bytes.size() > kHeaderType && device.header_type.empty())
        device.header_type = base::lower(bytes[kHeaderType]);
    device.dump_bytes += bytes.size();
    if (!std::all_of(bytes.begin(), bytes.end(), [](std::string_view byte) { return base::lower(byte) == "ff"; }))
        device.dump_all_ones = false;
    return true;
}

/// A BAR that stands below the device itself: "Region 0: Memory at ...", in -v "Memory at ..." or "I/O ports at ...".
bool is_region(std::string_view text) {
    return text.starts_with("Region ") || text.starts_with("Memory at ") || text.starts_with("I/O ports at ");
}

/// "Region 1: Memory at <unassigned> (64-bit, prefetchable)" of the device itself.
void take_unassigned(std::string_view text, std::string& list) {
    const auto number = between(text, "Region ", ":");
    if (!base::contains(text, "<unassigned>") || number.size() != 1 || list.size() > 16) return;
    if (!list.empty()) list += ',';
    list += number;
}

}  // namespace

bool Device::nvidia() const { return vendor == kNvidiaVendor || (vendor.empty() && vendor_name.starts_with("NVIDIA")); }

std::string_view Device::config() const {
    const bool dump_dead = dump_bytes > 0 && dump_all_ones;
    if (rev == "ff" || header_type == "7f" || header_type == "ff" || dump_dead) return "all_ones";
    const bool dump_alive = dump_bytes > 0 && !dump_all_ones;
    return answered || dump_alive ? "answers" : "";
}

std::optional<Device> parse_header(std::string_view line) {
    if (line.empty() || line.front() == ' ' || line.front() == '\t') return std::nullopt;
    const auto [place, words] = base::split_once(line, " ");
    if (place.size() > 16 || !base::contains(place, ".") || !is_hex(place.substr(0, 2), 2)) return std::nullopt;
    const auto address = model::parse_pci_address(place);
    if (!address) return std::nullopt;
    const auto [class_words, rest] = base::split_once(words, ": ");
    if (rest.empty() || !looks_like_class(class_words)) return std::nullopt;

    Device device;
    device.address = *address;
    device.header = line;
    std::string_view class_name;
    take_class(class_words, device.class_digits, class_name);
    take_ids(rest, device);
    device.rev = base::lower(between(rest, "(rev ", ")"));
    device.kind = device.class_digits.empty() ? kind_of_words(class_name, device.nvidia())
                                              : kind_of_class(device.class_digits, device.nvidia());
    return device;
}

bool parse_detail(std::string_view line, Device& device) {
    if (take_dump_row(base::trim(line), device)) return true;
    const auto text = base::trim(line);
    if (const auto at = text.find("nknown header type "); at != std::string_view::npos) {
        const auto value = text.substr(at + 19, 2);
        if (!is_hex(value, 2)) return false;
        device.header_type = base::lower(value);
        return true;
    }
    const auto [key, rest] = base::split_once(text, ":");
    const auto value = base::trim(rest);
    if (key == "Kernel driver in use") {
        device.driver = value;
    } else if (key == "IOMMU group") {
        device.iommu_group = value;
    } else if (key == "LnkCap") {
        take_link(value, device.lnkcap_speed, device.lnkcap_width);
    } else if (key == "LnkSta") {
        take_link(value, device.lnksta_speed, device.lnksta_width);
    } else if (key == "Capabilities" && value.starts_with("[")) {
        device.answered = true;
    } else if (is_region(text)) {
        device.answered = true;
        const bool of_virtual_functions = line.starts_with("\t\t");
        if (!of_virtual_functions) take_unassigned(text, device.unassigned_regions);
    } else {
        return false;
    }
    return true;
}

}  // namespace gpumedic::evidence::lspci
