#include "verify/verify.h"

#include <fmt/format.h>

#include <algorithm>

#include "verify/checks.h"

namespace gpumedic::verify {
namespace {

using model::CheckResult;

constexpr std::array<CheckRow, 15> kChecks{{
    {"booted_anew", "The node booted anew", "노드가 새로 부팅됨", &booted_anew, "cat /proc/sys/kernel/random/boot_id"},
    {"power_was_cut", "The power was off in between", "중간에 전원이 완전히 꺼졌음", &power_was_cut,
     "ipmitool -H <bmc> -U <user> sel elist"},
    {"no_new_fault", "No fault since the repair", "조치 이후 장애 없음", &no_new_fault, "gpumedic diagnose"},
    {"devices", "Every expected device is there", "기대한 장치가 모두 있음", &devices_are_there, "lspci -Dnn -d 10de:"},
    {"config_answers", "The GPUs answer configuration reads", "GPU가 구성 공간 읽기에 응답", &config_answers,
     "setpci -s <pci> VENDOR_ID HEADER_TYPE"},
    {"pcie_width", "The PCIe links have their width", "PCIe 링크 폭이 정상", &pcie_width,
     "lspci -vv -s <pci> | grep -E 'LnkCap:|LnkSta:'"},
    {"nvlink_active", "All NVLinks are Active", "모든 NVLink가 Active", &links_active,
     "nvidia-smi -q -d NVLINK | grep Active"},
    {"fabric", "Every GPU has joined the NVLink fabric", "모든 GPU가 NVLink 패브릭에 등록됨", &fabric_joined,
     "nvidia-smi -q | grep -A2 Fabric$"},
    {"driver", "Every function of a GPU's IOMMU group is on the right driver",
     "GPU의 IOMMU 그룹 전체가 올바른 드라이버에 바인딩", &group_on_its_driver, "lspci -nnk -d 10de:"},
    {"versions", "Driver, fabric manager and kernel have the expected versions",
     "드라이버, fabric manager, 커널 버전이 기대한 값", &versions_as_expected,
     "nvidia-smi; nv-fabricmanager --version; uname -r"},
    {"allocatable", "The node offers the expected number of GPUs", "노드가 기대한 수의 GPU를 제공",
     &allocatable_as_expected, "kubectl describe node <node> | grep -A20 -E '^(Capacity|Allocatable)'"},
    {"vm_running", "The VMs run and are ready", "VM이 실행 중이고 Ready", &vms_run, "kubectl get vm,vmi -A -o wide"},
    {"vm_devices", "The VM holds the device that was repaired", "VM이 조치된 장치를 가지고 있음",
     &vms_hold_their_devices, "ls -l /proc/<pid of qemu>/fd | grep vfio; kubectl get vmi <vm> -n <namespace> -o yaml"},
    {"guest", "The GPUs answer inside of the guest", "게스트 안에서 GPU가 응답함", &guests_see_their_gpus,
     "virtctl ssh <user>@vmi/<vm> -n <namespace> -c 'nvidia-smi -L; sudo dmesg | grep -i xid'"},
    {"slurm", "The Slurm node takes jobs", "Slurm 노드가 작업을 받음", &slurm_takes_jobs,
     "sinfo -R; scontrol show node <node>"},
}};

model::Check check_of(const CheckRow& row, Finding finding) {
    model::Check check{.id = std::string(row.id),
                       .title = {std::string(row.title_en), std::string(row.title_ko)},
                       .expected = std::move(finding.expected),
                       .seen = std::move(finding.seen),
                       .result = finding.result,
                       .why = std::move(finding.why),
                       .command = {}};
    if (check.result != CheckResult::pass) check.command = row.command;
    return check;
}

model::Localized summary_of(const model::Verification& answer) {
    const auto count = [&](CheckResult result) {
        return std::count_if(answer.checks.begin(), answer.checks.end(),
                             [&](const auto& check) { return check.result == result; });
    };
    const auto all = answer.checks.size();
    switch (answer.result) {
        case CheckResult::pass:
            return {fmt::format("all {} checks pass", all), fmt::format("점검 {}개 모두 통과", all)};
        case CheckResult::fail:
            return {fmt::format("{} of {} checks fail", count(CheckResult::fail), all),
                    fmt::format("점검 {}개 중 {}개 실패", all, count(CheckResult::fail))};
        case CheckResult::unknown: break;
    }
    if (all == 0) return {"nothing to check: the evidence speaks of no device", "점검할 것이 없음: 증거에 장치가 없음"};
    return {fmt::format("{} of {} checks could not be made, none fails", count(CheckResult::unknown), all),
            fmt::format("점검 {}개 중 {}개를 할 수 없음, 실패 없음", all, count(CheckResult::unknown))};
}

}  // namespace

model::Verification verify(const Question& question) {
    model::Verification answer;
    answer.catalogue = question.diagnosis.catalogue;
    if (question.repair != nullptr) answer.incident = question.repair->fault;
    answer.node =
        question.repair != nullptr && !question.repair->node.empty() ? question.repair->node : question.seen.node.host;
    for (const auto& row : kChecks)
        if (auto finding = row.function(question)) answer.checks.push_back(check_of(row, std::move(*finding)));
    if (!answer.checks.empty()) answer.result = CheckResult::pass;
    for (const auto& check : answer.checks) answer.result = std::max(answer.result, check.result);
    answer.summary = summary_of(answer);
    return answer;
}

}  // namespace gpumedic::verify
