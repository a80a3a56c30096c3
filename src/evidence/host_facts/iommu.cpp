#include "evidence/host_facts/iommu.h"

#include "base/text.h"
#include "model/pci_address.h"

namespace gpumedic::evidence::host_facts {
namespace {

constexpr std::string_view kGroups = "iommu_groups/";
constexpr std::string_view kSpoken = "IOMMU Group ";

std::string_view leading_digits(std::string_view text) { return text.substr(0, text.find_first_not_of("0123456789")); }

std::string address_of(std::string_view word) {
    if (!base::contains(word, ".") || !base::contains(word, ":")) return {};
    const auto address = model::parse_pci_address(word);
    return address ? address->to_string() : std::string{};
}

Fact member(std::string_view group, std::string_view pci) {
    Fact fact;
    fact.type = model::RecordType::iommu_group;
    fact.set("iommu_group", group);
    fact.set("pci", pci);
    return fact;
}

}  // namespace

std::optional<Fact> parse_group_line(std::string_view line) {
    const auto text = base::trim(line);
    if (text.starts_with(kSpoken)) {
        const auto group = leading_digits(text.substr(kSpoken.size()));
        const auto words = base::split_blanks(text.substr(kSpoken.size() + group.size()));
        if (group.empty()) return std::nullopt;
        for (std::size_t i = 0; i < words.size() && i < 2; ++i)  // a colon or a dash may stand in between
            if (const auto pci = address_of(words[i]); !pci.empty()) return member(group, pci);
        return std::nullopt;
    }
    const auto at = text.find(kGroups);
    if (at == std::string_view::npos) return std::nullopt;
    const auto group = leading_digits(text.substr(at + kGroups.size()));
    constexpr std::string_view kDevices = "/devices/";
    const auto rest = text.substr(at + kGroups.size() + group.size());
    if (group.empty() || !rest.starts_with(kDevices)) return std::nullopt;
    const auto name = rest.substr(kDevices.size());
    const auto pci = address_of(name.substr(0, name.find_first_of(" /\t")));
    if (pci.empty()) return std::nullopt;
    return member(group, pci);
}

std::string group_of_heading(std::string_view line) {
    const auto text = base::trim(line);
    if (text.starts_with(kSpoken)) {
        const auto group = leading_digits(text.substr(kSpoken.size()));
        const auto rest = text.substr(kSpoken.size() + group.size());
        return rest.empty() || rest == ":" ? std::string(group) : std::string{};
    }
    const auto at = text.find(kGroups);
    if (at == std::string_view::npos || !text.ends_with(":")) return {};
    const auto group = leading_digits(text.substr(at + kGroups.size()));
    const auto rest = text.substr(at + kGroups.size() + group.size());
    return rest == "/devices:" || rest == "/devices/:" ? std::string(group) : std::string{};
}

std::optional<Fact> parse_group_member(std::string_view line, std::string_view group) {
    const auto words = base::split_blanks(line);
    if (words.empty() || group.empty()) return std::nullopt;
    auto word = words.front();
    if (word.size() == 10 && word.front() == 'l') {
        for (std::size_t i = 1; i + 1 < words.size(); ++i)
            if (words[i + 1] == "->") word = words[i];
    }
    const auto pci = address_of(word);
    if (pci.empty()) return std::nullopt;
    return member(group, pci);
}

std::optional<Fact> parse_vfio_node(std::string_view line) {
    const auto words = base::split_blanks(line);
    if (words.size() < 8 || words.front().size() < 10 || words.front().front() != 'c') return std::nullopt;
    auto name = words.back();
    constexpr std::string_view kFolder = "/dev/vfio/";
    if (name.starts_with(kFolder)) name.remove_prefix(kFolder.size());
    const bool group = leading_digits(name) == name;
    if (!group && name != "vfio") return std::nullopt;
    return member(group ? name : std::string_view{}, {});
}

}  // namespace gpumedic::evidence::host_facts
