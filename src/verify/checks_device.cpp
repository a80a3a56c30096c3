#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "base/text.h"
#include "verify/checks.h"

namespace gpumedic::verify {
namespace {

using model::CheckResult;
using model::Localized;

bool is_gpu_or_switch(std::string_view kind) { return kind == "gpu" || kind == "nvswitch"; }

/// The devices that this verification is about: what the baseline expects and what was broken; else what is there.
std::set<std::string> scope(const Question& question) {
    std::set<std::string> addresses;
    if (question.baseline != nullptr)
        for (const auto& [pci, device] : question.baseline->devices)
            if (is_gpu_or_switch(device.kind)) addresses.insert(pci);
    if (question.repair != nullptr) addresses.insert(question.repair->devices.begin(), question.repair->devices.end());
    if (!addresses.empty()) return addresses;
    for (const auto& [pci, device] : question.seen.node.devices)
        if (is_gpu_or_switch(device.kind)) addresses.insert(pci);
    return addresses;
}

const SeenDevice* seen_device(const Question& question, const std::string& pci) {
    const auto found = question.seen.node.devices.find(pci);
    return found == question.seen.node.devices.end() ? nullptr : &found->second;
}

const ExpectedDevice* expected_device(const Question& question, const std::string& pci) {
    if (question.baseline == nullptr) return nullptr;
    const auto found = question.baseline->devices.find(pci);
    return found == question.baseline->devices.end() ? nullptr : &found->second;
}

/// At most a few by name: a node has sixteen, a report has one line.
std::string names(const std::vector<std::string>& all) {
    constexpr std::size_t kShown = 4;
    const std::vector<std::string> some(all.begin(),
                                        all.begin() + static_cast<std::ptrdiff_t>(std::min(kShown, all.size())));
    return fmt::format("{}{}", fmt::join(some, ", "),
                       all.size() > kShown ? fmt::format(", +{}", all.size() - kShown) : "");
}

/// What each device of a check came to.
struct Tally {
    std::vector<std::string> good{};
    std::vector<std::string> bad{};
    std::vector<std::string> unseen{};
    [[nodiscard]] CheckResult result() const {
        if (!bad.empty()) return CheckResult::fail;
        return unseen.empty() && !good.empty() ? CheckResult::pass : CheckResult::unknown;
    }
};

Finding finding_of(const Tally& tally, Localized expected, const Localized& not_read) {
    Finding finding{.result = tally.result(), .expected = std::move(expected)};
    const auto count = tally.good.size() + tally.bad.size() + tally.unseen.size();
    if (!tally.bad.empty()) {
        finding.seen = same(names(tally.bad));
        finding.why = {fmt::format("{} of {} differ", tally.bad.size(), count),
                       fmt::format("{}개 중 {}개가 다름", count, tally.bad.size())};
    } else if (!tally.unseen.empty()) {
        finding.seen = {"not read: " + names(tally.unseen), "읽지 못함: " + names(tally.unseen)};
        finding.why = not_read;
    } else {
        finding.seen = {fmt::format("{} of {}", tally.good.size(), count),
                        fmt::format("{}개 중 {}개", count, tally.good.size())};
    }
    return finding;
}

bool lists_devices(const Inventory& node) {
    return std::any_of(node.devices.begin(), node.devices.end(),
                       [](const auto& entry) { return !entry.second.id.empty(); });
}

std::optional<unsigned> lanes(std::string_view width) {
    unsigned value = 0;
    for (const char digit : width) {
        if (digit < '0' || digit > '9' || value > 100) return std::nullopt;
        value = value * 10 + static_cast<unsigned>(digit - '0');
    }
    return width.empty() ? std::nullopt : std::optional(value);
}

bool speaks_of_links(const Question& question) {
    if (question.repair == nullptr) return false;
    const std::string_view fault = question.repair->fault;
    return fault.starts_with("nvlink.") || fault.starts_with("nvswitch.") || fault.starts_with("fabric.");
}

void tally_links(Tally& tally, const std::string& name, const SeenDevice& device, const ExpectedDevice* expected) {
    if (!device.links) return;
    const auto active = device.links_active.value_or(0);
    const auto wanted = expected != nullptr && expected->links ? *expected->links : *device.links;
    auto& place = active >= wanted && wanted > 0 ? tally.good : tally.bad;
    place.push_back(fmt::format("{} {}/{}", name, active, wanted));
}

}  // namespace

std::optional<Finding> devices_are_there(const Question& question) {
    if (question.baseline == nullptr && question.repair == nullptr) return std::nullopt;
    const auto wanted = scope(question);
    if (wanted.empty()) return std::nullopt;
    const bool listed = lists_devices(question.seen.node);
    Tally tally;
    for (const auto& pci : wanted) {
        const bool there = seen_device(question, pci) != nullptr;
        (there ? tally.good : listed ? tally.bad : tally.unseen).push_back(pci);
    }
    const std::vector<std::string> all(wanted.begin(), wanted.end());
    return finding_of(tally, same(names(all)), {"no listing of the PCI devices was read", "PCI 장치 목록을 읽지 못함"});
}

std::optional<Finding> config_answers(const Question& question) {
    const auto wanted = scope(question);
    if (wanted.empty()) return std::nullopt;
    Tally tally;
    for (const auto& pci : wanted) {
        const auto* device = seen_device(question, pci);
        const auto config = device == nullptr ? std::string{} : device->config;
        (config == "answers" ? tally.good : config.empty() ? tally.unseen : tally.bad).push_back(pci);
    }
    auto finding = finding_of(tally, {"not all ones (header type 00 or 80)", "모두 1이 아님 (헤더 타입 00 또는 80)"},
                              {"configuration space was not read", "구성 공간을 읽지 못함"});
    if (!tally.bad.empty())
        finding.why = {"they read as all ones: the device does not answer", "모두 1로 읽힘. 장치가 응답하지 않음"};
    return finding;
}

std::optional<Finding> pcie_width(const Question& question) {
    const auto wanted = scope(question);
    if (wanted.empty()) return std::nullopt;
    Tally tally;
    for (const auto& pci : wanted) {
        const auto* device = seen_device(question, pci);
        const auto* expected = expected_device(question, pci);
        const auto now = device == nullptr ? std::nullopt : lanes(device->width);
        const auto full = expected != nullptr && !expected->width.empty() ? lanes(expected->width)
                          : device == nullptr                             ? std::nullopt
                                                                          : lanes(device->width_max);
        if (!now || !full || (*now < *full && device->pstate == "P8")) {
            tally.unseen.push_back(pci);  // an idle GPU may narrow its link
            continue;
        }
        (*now >= *full ? tally.good : tally.bad).push_back(fmt::format("{} x{}/x{}", pci, *now, *full));
    }
    return finding_of(tally, {"the baseline's width, else the device's own", "기준 폭, 없으면 장치의 최대 폭"},
                      {"the width was not read, or the GPU idles: look under load",
                       "폭을 읽지 못했거나 GPU가 유휴 상태. 부하 중에 확인"});
}

std::optional<Finding> links_active(const Question& question) {
    Tally tally;
    bool expects = speaks_of_links(question);
    if (question.baseline != nullptr)
        for (const auto& [pci, device] : question.baseline->devices) {
            if (!device.links || *device.links == 0) continue;
            expects = true;
            const auto* seen = seen_device(question, pci);
            if (seen == nullptr || !seen->links) tally.unseen.push_back(pci);
        }
    for (const auto* inventory : {&question.seen.node, &question.seen.guest}) {
        for (const auto& [pci, device] : inventory->devices) {
            const bool own = inventory == &question.seen.node;
            tally_links(tally, own ? pci : "guest " + pci, device, own ? expected_device(question, pci) : nullptr);
        }
        for (const auto& [name, device] : inventory->listed)
            tally_links(tally, name == "?" ? "GPU" : name, device, nullptr);
    }
    // In a VM the links are the guest's: what it shows stands for what the host cannot read.
    if (!tally.good.empty() && question.seen.has_guest) tally.unseen.clear();
    if (tally.good.empty() && tally.bad.empty() && !expects) return std::nullopt;
    auto finding = finding_of(tally, {"every link of every GPU Active", "모든 GPU의 모든 링크가 Active"},
                              {"no listing of the links was read; on a passed-through GPU it comes from the guest",
                               "링크 목록을 읽지 못함. 패스스루된 GPU라면 게스트에서 확인"});
    if (tally.good.empty() && tally.bad.empty() && tally.unseen.empty()) {
        finding.seen = {"no listing", "목록 없음"};
        finding.why = {"no listing of the links was read; on a passed-through GPU it comes from the guest",
                       "링크 목록을 읽지 못함. 패스스루된 GPU라면 게스트에서 확인"};
    }
    return finding;
}

std::optional<Finding> fabric_joined(const Question& question) {
    Tally tally;
    for (const auto* inventory : {&question.seen.node, &question.seen.guest})
        for (const auto* map : {&inventory->devices, &inventory->listed})
            for (const auto& [name, device] : *map) {
                if (device.fabric_state.empty() || device.fabric_state == "N/A") continue;
                const bool good = device.fabric_state == "Completed" &&
                                  (device.fabric_status.empty() || device.fabric_status == "Success");
                (good ? tally.good : tally.bad)
                    .push_back(fmt::format("{} {} {}", name, device.fabric_state, device.fabric_status));
            }
    if (tally.good.empty() && tally.bad.empty()) return std::nullopt;
    return finding_of(tally, {"Completed, Success", "Completed, Success"}, {});
}

namespace {

/// A bridge of the group keeps pcieport; nothing else may be left beside vfio-pci.
bool right_in_group(const SeenDevice& member, bool passed_through) {
    if (member.driver == "nouveau") return false;
    return !passed_through || member.driver == "vfio-pci" || member.driver == "pcieport" || member.kind == "bridge";
}

void tally_group(Tally& tally, const Question& question, const std::string& group) {
    const auto& devices = question.seen.node.devices;
    const bool passed = std::any_of(devices.begin(), devices.end(), [&](const auto& entry) {
        return entry.second.iommu_group == group && entry.second.driver == "vfio-pci";
    });
    for (const auto& [pci, device] : devices) {
        if (device.iommu_group != group || (device.id.empty() && device.driver.empty())) continue;
        (right_in_group(device, passed) ? tally.good : tally.bad)
            .push_back(fmt::format("{} {}", pci, device.driver.empty() ? "-" : device.driver));
    }
}

}  // namespace

std::optional<Finding> group_on_its_driver(const Question& question) {
    Tally tally;
    std::set<std::string> groups;
    for (const auto& pci : scope(question)) {
        const auto* device = seen_device(question, pci);
        const auto* expected = expected_device(question, pci);
        if (expected != nullptr && !expected->driver.empty()) continue;  // below
        if (device == nullptr || (device->driver.empty() && device->iommu_group.empty())) {
            tally.unseen.push_back(pci);
        } else if (!device->iommu_group.empty()) {
            groups.insert(device->iommu_group);
        } else {
            (device->driver == "nouveau" ? tally.bad : tally.good).push_back(pci + " " + device->driver);
        }
    }
    for (const auto& group : groups) tally_group(tally, question, group);
    if (question.baseline != nullptr)
        for (const auto& [pci, expected] : question.baseline->devices) {
            if (expected.driver.empty()) continue;
            const auto* device = seen_device(question, pci);
            const auto driver = device == nullptr ? std::string{} : device->driver;
            if (driver.empty() && !lists_devices(question.seen.node)) {
                tally.unseen.push_back(pci);
            } else {
                (driver == expected.driver ? tally.good : tally.bad)
                    .push_back(fmt::format("{} {} ({})", pci, driver.empty() ? "-" : driver, expected.driver));
            }
        }
    if (tally.good.empty() && tally.bad.empty() && tally.unseen.empty()) return std::nullopt;
    return finding_of(tally,
                      {"the baseline's driver; else one for the whole group (vfio-pci, bridges pcieport)",
                       "기준 드라이버. 없으면 그룹 전체가 같은 드라이버(vfio-pci, 브리지는 pcieport)"},
                      {"drivers in use were not read", "사용 중인 드라이버를 읽지 못함"});
}

std::optional<Finding> versions_as_expected(const Question& question) {
    if (question.baseline == nullptr || question.baseline->versions.empty()) return std::nullopt;
    const auto& node = question.seen.node;
    const std::map<std::string, std::string> now{
        {"driver", node.driver_version}, {"fabric_manager", node.fabric_manager_version}, {"kernel", node.kernel}};
    Tally tally;
    std::vector<std::string> wanted;
    for (const auto& [name, version] : question.baseline->versions) {
        wanted.push_back(fmt::format("{} {}", name, version));
        const auto found = now.find(name);
        if (found == now.end() || found->second.empty()) {
            tally.unseen.push_back(name);
        } else {
            (found->second == version ? tally.good : tally.bad).push_back(name + " " + found->second);
        }
    }
    return finding_of(tally, same(names(wanted)), {"their versions were not read", "버전을 읽지 못함"});
}

}  // namespace gpumedic::verify
