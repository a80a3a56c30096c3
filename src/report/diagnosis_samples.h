// Hand-built answers for tests: every field of the model is filled somewhere. For tests only.
#pragma once

#include <string>

#include "base/timestamp.h"
#include "model/diagnosis.h"

namespace gpumedic::report::samples {

inline model::Localized both(std::string en, std::string ko) { return {std::move(en), std::move(ko)}; }

inline base::Timestamp at(std::int64_t seconds) {
    return {.value = std::chrono::microseconds{seconds * 1'000'000}, .zone = std::chrono::minutes{540}};
}

inline model::EvidenceItem line(std::string source, std::uint64_t number, std::string text, std::string signal) {
    model::EvidenceItem item;
    item.source = std::move(source);
    item.line = number;
    item.text = std::move(text);
    item.signal = std::move(signal);
    item.time = at(1'760'100'000 + static_cast<std::int64_t>(number));
    item.title = both("a signal", "신호");
    return item;
}

inline model::ActionPlan cold_reboot() {
    model::ActionPlan plan;
    plan.class_ = "cold_reboot";
    plan.title = both("cold reboot of the node", "노드 콜드 리부트");
    plan.steps = {{both("Keep new work away from the node", "노드에 새 작업이 배치되지 않게 합니다"),
                   both("so that nothing starts meanwhile", "그동안 시작되는 것이 없도록"),
                   "kubectl cordon node-07",
                   {}},
                  {both("Cut the power and wait 30 seconds", "전원을 끊고 30초 기다립니다"),
                   {},
                   "ipmitool chassis power off",
                   both("every VM of the node stops", "노드의 모든 VM이 멈춥니다")}};
    plan.must_not = {both("delete the VM", "VM을 삭제하지 마십시오")};
    plan.why_not_less = both("A warm reboot leaves the slot powered.", "웜 리부트는 슬롯 전원을 끊지 않습니다.");
    plan.alternatives = {{"reload_driver",
                          both("reload the driver", "드라이버 재로드"),
                          {{both("Unload", "언로드합니다"), {}, "rmmod nvidia", {}}},
                          both("no VM holds a GPU", "GPU를 쓰는 VM이 없을 때")}};
    return plan;
}

inline model::Incident incident() {
    model::Incident incident;
    incident.id = "1";
    incident.fault = "pci.handover_reset_failed";
    incident.class_ = "vfio_reset_failure";
    incident.title =
        both("GPU 0000:b3:00.0 did not come back from its reset", "GPU 0000:b3:00.0이 리셋 후 돌아오지 않음");
    incident.severity = model::Severity::fatal;
    incident.confidence = 0.934;
    incident.node = "node-07";
    incident.boot = "0c1d";
    incident.first_seen = at(1'760'100'003);
    incident.last_seen = at(1'760'100'060);
    model::Device gpu;
    gpu.pci = "0000:b3:00.0";
    gpu.index = 5;
    gpu.uuid = "GPU-11112222-3333-4444-5555-666677778888";
    gpu.iommu_group = "61";
    gpu.joined = model::How::inferred;
    gpu.holder = {"trainer-3", "ml", "virt-launcher-trainer-3-abcde"};
    model::Device link;
    link.kind = "link";
    link.pci = "0000:b3:00.0";
    link.link = 4;
    link.nvswitch = 1;
    model::Device vm;
    vm.kind = "vm";
    vm.role = model::Device::Role::victim;
    vm.holder = {"trainer-3", "ml", ""};
    incident.devices = {gpu, link, vm};
    incident.cause = both("The reset at hand-over did not bring the GPU back, so configuration reads return all ones.",
                          "인계할 때의 리셋 뒤에 GPU가 돌아오지 않아 구성 공간 읽기가 모두 1을 돌려줍니다.");
    incident.chain = {{both("the link did not come up", "링크가 올라오지 않음"),
                       both("the reset was incomplete", "리셋이 완료되지 않음"),
                       model::How::inferred,
                       {}},
                      {both("the reset was incomplete", "리셋이 완료되지 않음"),
                       both("libvirt read header type 127", "libvirt가 헤더 타입 127을 읽음"),
                       model::How::seen,
                       {1}}};
    incident.evidence = {
        line("kernel.log", 3, "2025-10-10T21:40:03+09:00 node-07 kernel: NVRM: link mask update failed", "nvlink.a"),
        line("virt-handler.log", 8, "Unknown PCI header type '127' for device '0000:b3:00.0'", "libvirt.b")};
    incident.evidence[0].count = 4;
    incident.against = {line("lspci.txt", 12, "b3:00.0 answers", "pci.c")};
    incident.missing = {{both("the GPU's configuration space", "GPU의 구성 공간"), "lspci -xxx -s 0000:b3:00.0"}};
    incident.alternatives = {{"gpu.fallen_off", "gpu_fallen_off_bus",
                              both("the GPU fell off the bus", "GPU가 버스에서 떨어짐"), 0.21,
                              both("no Xid 79", "Xid 79 없음")}};
    incident.blast_radius = {{"ml/trainer-3", "ml/trainer-4"},
                             {"job 812"},
                             {"0000:b4:00.0"},
                             both("the node takes no GPU VM", "이 노드에는 GPU VM이 배치되지 않습니다")};
    incident.action = cold_reboot();
    incident.verification = {
        {both("links are active", "링크 활성"), "nvidia-smi nvlink -s", both("every link Active", "모든 링크 Active")}};
    return incident;
}

inline model::Diagnosis fault() {
    model::Diagnosis diagnosis;
    diagnosis.verdict = model::Verdict::fault;
    diagnosis.summary = both("One open incident on node-07.", "node-07에 진행 중인 사건 1건.");
    diagnosis.catalogue = "2026.11+0000";
    diagnosis.incidents = {incident()};
    diagnosis.benign = {{"nv.teardown",
                         both("tear-down line", "해제 줄"),
                         both("it comes with every VM stop", "VM이 멈출 때마다 나옵니다"),
                         {line("kernel.log", 2, "teardown", "nv.teardown")}}};
    diagnosis.unexplained = {line("kernel.log", 40, "something else", "x.y")};
    diagnosis.missing = {{both("the BMC's record", "BMC 기록"), "ipmitool sel list"}};
    diagnosis.sources = {
        {"kernel.log", "kernel log", "ok", "", 40, 1, {"kernel.log:9: no time"}, model::Vantage::host, true},
        {"secret.log", "", "denied", "permission denied", 0, 0, {}, model::Vantage::unknown, false}};
    diagnosis.stats = {{"records", 40}, {"signals", 3}};
    return diagnosis;
}

inline model::Diagnosis healthy() {
    model::Diagnosis diagnosis = fault();
    diagnosis.verdict = model::Verdict::healthy;
    diagnosis.summary = {};
    diagnosis.incidents.clear();
    diagnosis.unexplained.clear();
    diagnosis.missing.clear();
    return diagnosis;
}

inline model::Diagnosis nothing() {
    model::Diagnosis diagnosis;
    diagnosis.catalogue = "2026.11+0000";
    diagnosis.missing = {{both("the kernel log", "커널 로그"), "journalctl -k -b"}};
    diagnosis.sources = {{"notes.txt", "", "unrecognised", "", 2, 0, {}, model::Vantage::unknown, false}};
    return diagnosis;
}

}  // namespace gpumedic::report::samples
