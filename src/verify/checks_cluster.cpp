#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <set>

#include "base/text.h"
#include "verify/checks.h"

namespace gpumedic::verify {
namespace {

using model::CheckResult;
using model::Localized;

std::set<std::string> expected_vms(const Question& question) {
    std::set<std::string> vms;
    if (question.baseline != nullptr) vms.insert(question.baseline->vms.begin(), question.baseline->vms.end());
    if (question.repair != nullptr) vms.insert(question.repair->vms.begin(), question.repair->vms.end());
    return vms;
}

/// A table without namespaces names a VM by its name alone; that is a match only where it is the only one.
const SeenVm* seen_vm(const Inventory& node, const std::string& name) {
    if (const auto found = node.vms.find(name); found != node.vms.end()) return &found->second;
    const auto bare = [](std::string_view full) { return full.substr(full.rfind('/') + 1); };
    const SeenVm* match = nullptr;
    for (const auto& [other, vm] : node.vms) {
        const bool one_is_bare = !base::contains(other, "/") || !base::contains(name, "/");
        if (!one_is_bare || bare(other) != bare(name)) continue;
        if (match != nullptr) return nullptr;
        match = &vm;
    }
    return match;
}

bool runs(const SeenVm& vm) {
    const bool running = vm.status == "Running" || (vm.status.empty() && vm.phase == "Running");
    return running && (vm.phase.empty() || vm.phase == "Running") && vm.ready == "True";
}

std::string state_of(const std::string& name, const SeenVm& vm) {
    return fmt::format("{} {}{}", name, vm.status.empty() ? vm.phase : vm.status,
                       vm.ready.empty()     ? ""
                       : vm.ready == "True" ? ", Ready"
                                            : ", not Ready");
}

bool out_of_service(std::string_view state) {
    constexpr std::array<std::string_view, 8> kWords{"down",           "drain",   "fail",   "maint",
                                                     "not_responding", "unknown", "future", "*"};
    return std::any_of(kWords.begin(), kWords.end(), [&](auto word) { return base::contains(state, word); });
}

}  // namespace

std::optional<Finding> allocatable_as_expected(const Question& question) {
    const auto& seen = question.seen.node.resources;
    std::map<std::string, std::string> wanted;
    if (question.baseline != nullptr) wanted = question.baseline->allocatable;
    const bool from_baseline = !wanted.empty();
    if (!from_baseline)
        for (const auto& [name, resource] : seen)
            if (base::contains(name, "nvidia.com/")) wanted[name] = resource.capacity;
    Finding finding;
    if (wanted.empty()) {
        if (expected_vms(question).empty()) return std::nullopt;
        finding.expected = {"allocatable equals the expected count", "allocatable이 기대한 수와 같음"};
        finding.seen = {"the node's resources were not read", "노드의 리소스를 읽지 못함"};
        finding.why = {"neither the node object nor a baseline names a GPU resource",
                       "노드 객체와 기준선에 GPU 리소스가 없음"};
        return finding;
    }
    std::vector<std::string> expected;
    std::vector<std::string> shown;
    finding.result = CheckResult::pass;
    for (const auto& [name, count] : wanted) {
        expected.push_back(name + " " + (count.empty() ? "?" : count));
        const auto found = seen.find(name);
        if (found == seen.end() || found->second.allocatable.empty() || count.empty()) {
            finding.result = std::max(finding.result, CheckResult::unknown);
            continue;
        }
        shown.push_back(name + " " + found->second.allocatable);
        if (found->second.allocatable != count || count == "0") finding.result = CheckResult::fail;
    }
    finding.expected = same(fmt::format("{}", fmt::join(expected, ", ")));
    finding.seen = shown.empty() ? Localized{"not read", "읽지 못함"} : same(fmt::format("{}", fmt::join(shown, ", ")));
    if (finding.result == CheckResult::fail)
        finding.why = {"the device plugin offers another number: it may not have listed the GPU again",
                       "디바이스 플러그인이 제공하는 수가 다름. GPU를 다시 등록하지 않았을 수 있음"};
    if (finding.result == CheckResult::unknown)
        finding.why = {"the node's allocatable resources were not all read",
                       "노드의 allocatable 리소스를 모두 읽지 못함"};
    return finding;
}

std::optional<Finding> vms_run(const Question& question) {
    auto wanted = expected_vms(question);
    if (wanted.empty())
        for (const auto& [name, vm] : question.seen.node.vms) wanted.insert(name);
    if (wanted.empty()) return std::nullopt;
    Finding finding{.result = CheckResult::pass};
    std::vector<std::string> shown;
    std::vector<std::string> unread;
    for (const auto& name : wanted) {
        const auto* vm = seen_vm(question.seen.node, name);
        if (vm == nullptr ||
            (runs(*vm) ? false : vm->ready.empty() && (vm->status == "Running" || vm->phase == "Running"))) {
            finding.result = std::max(finding.result, CheckResult::unknown);
            unread.push_back(name);
            continue;
        }
        if (!runs(*vm)) finding.result = CheckResult::fail;
        shown.push_back(state_of(name, *vm));
    }
    finding.expected = {fmt::format("{}: Running, Ready", fmt::join(wanted, ", ")),
                        fmt::format("{}: Running, Ready", fmt::join(wanted, ", "))};
    finding.seen = shown.empty() ? Localized{"not read", "읽지 못함"} : same(fmt::format("{}", fmt::join(shown, "; ")));
    if (finding.result == CheckResult::unknown)
        finding.why = {fmt::format("status and readiness not read: {}", fmt::join(unread, ", ")),
                       fmt::format("상태와 Ready 여부를 읽지 못함: {}", fmt::join(unread, ", "))};
    if (finding.result == CheckResult::fail)
        finding.why = {"a VM does not run, or is not ready", "실행 중이 아니거나 Ready가 아닌 VM이 있음"};
    return finding;
}

std::optional<Finding> vms_hold_their_devices(const Question& question) {
    const auto* repair = question.repair;
    const auto& node = question.seen.node;
    if (repair == nullptr || repair->vms.empty() || repair->devices.empty()) return std::nullopt;
    const auto& pci = repair->devices.front();
    const auto& vm = repair->vms.front();
    Finding finding;
    finding.expected = {vm + " holds " + pci, vm + "이(가) " + pci + "를 보유"};
    const auto device = node.devices.find(pci);
    const auto group = device == node.devices.end() ? std::string{} : device->second.iommu_group;
    const auto holder = node.holders.find(group);
    if (!node.has_holders || group.empty()) {
        finding.seen = {"not read", "읽지 못함"};
        finding.why = {"who holds the device's IOMMU group was not read; a collection on the node, as root, shows it",
                       "장치의 IOMMU 그룹을 누가 쓰는지 읽지 못함. 노드에서 root로 수집하면 확인 가능"};
        return finding;
    }
    const bool held = holder != node.holders.end();
    finding.result = held && holder->second == vm ? CheckResult::pass : CheckResult::fail;
    finding.seen = held ? Localized{holder->second + " holds it", holder->second + "이(가) 보유"}
                        : Localized{"no VM holds it", "보유한 VM 없음"};
    if (finding.result == CheckResult::fail)
        finding.why = {"the VM runs without it, or with another device", "VM이 이 장치 없이, 또는 다른 장치로 실행 중"};
    return finding;
}

std::optional<Finding> guests_see_their_gpus(const Question& question) {
    const auto vms = expected_vms(question);
    const auto& guest = question.seen.guest;
    Finding finding;
    finding.expected = {"the VM's GPUs are listed, and no Xid", "VM의 GPU가 모두 보이고 Xid 없음"};
    if (!question.guests.empty()) {
        std::vector<std::string> shown;
        finding.result = CheckResult::pass;
        for (const auto& answer : question.guests) {
            const bool answered = answer.end == GuestAnswer::End::answered;
            const bool good = answered && answer.gpus > 0 && !answer.shows_errors;
            shown.push_back(
                fmt::format("{}: {}", answer.vm, answered ? fmt::format("{} GPU", answer.gpus) : answer.why));
            if (!good) finding.result = std::max(finding.result, answered ? CheckResult::fail : CheckResult::unknown);
            if (!good && answered)
                finding.why = {"the guest lists no GPU, or shows an error", "게스트에 GPU가 보이지 않거나 오류가 있음"};
            if (!answered && finding.why.empty()) finding.why = {"the guest did not answer", "게스트가 응답하지 않음"};
        }
        finding.seen = same(fmt::format("{}", fmt::join(shown, "; ")));
        return finding;
    }
    const auto listed =
        static_cast<std::size_t>(std::count_if(
            guest.devices.begin(), guest.devices.end(),
            [](const auto& entry) { return entry.second.kind == "gpu" && !entry.second.model.empty(); })) +
        guest.listed.size();
    if (question.seen.has_guest && listed > 0) {
        finding.result = CheckResult::pass;  // what is wrong in it, the check for new faults tells
        finding.seen = {fmt::format("{} GPUs in the guest", listed), fmt::format("게스트에 GPU {}개", listed)};
        return finding;
    }
    if (vms.empty()) return std::nullopt;
    finding.seen = {"nothing from inside of the guest", "게스트 내부 자료 없음"};
    finding.why = {
        "name a command that asks the guest (--guest-command), or add the guest's nvidia-smi to the evidence",
        "게스트에 물을 명령(--guest-command)을 지정하거나 게스트의 nvidia-smi 출력을 증거에 추가"};
    return finding;
}

std::optional<Finding> slurm_takes_jobs(const Question& question) {
    const auto& slurm = question.seen.node.slurm;
    if (slurm.empty()) return std::nullopt;
    std::vector<std::string> bad;
    for (const auto& [name, state] : slurm)
        if (out_of_service(state)) bad.push_back(fmt::format("{} {}", name, state));
    Finding finding{.result = bad.empty() ? CheckResult::pass : CheckResult::fail};
    finding.expected = {"neither down nor drained", "down이나 drain이 아님"};
    finding.seen = bad.empty() ? same(fmt::format("{} {}", slurm.begin()->first, slurm.begin()->second))
                               : same(fmt::format("{}", fmt::join(bad, "; ")));
    if (!bad.empty())
        finding.why = {"resume it when the other checks pass: scontrol update nodename=<node> state=resume",
                       "다른 점검을 통과하면 재개: scontrol update nodename=<node> state=resume"};
    return finding;
}

}  // namespace gpumedic::verify
