// A small whole catalogue for tests: every key that docs/catalogue.md shows is used once.
#pragma once

#include <string>
#include <vector>

#include "knowledge/loader.h"

namespace gpumedic::knowledge::test {

inline const std::string kSignals = R"(family: xid
source: a vendor's table
signals:
  - id: xid
    in: [kernel, text]
    pattern: 'NVRM: Xid \(PCI:(?P<pci>[0-9A-Fa-f:.]+)\): (?P<code>\d+)'
    where: {}
    severity: error
    title: {en: Xid, ko: Xid 보고}
    meaning: {en: The driver reports an error., ko: 드라이버가 오류를 보고했습니다.}
    decode: [{table: verdicts, of: code}]
    device_kind: nic
    obtain:
      what: {en: the kernel log, ko: 커널 로그}
      command: 'journalctl -k -b | grep -i nvrm'
    codes:
      79: {severity: fatal, title: {en: off the bus, ko: 버스에서 사라짐}, meaning: {en: It is gone., ko: 사라졌습니다.}}
      31: {title: {en: page fault, ko: 페이지 오류}}
    examples:
      match:
        - line: 'NVRM: Xid (PCI:0000:b1:00): 79, GPU has fallen off the bus.'
          gives: {id: xid.79, pci: '0000:b1:00'}
      no_match:
        - line: 'note: NVRM printed an Xid 79 yesterday'
          in: text
  - id: pci.config_all_ones
    in: [pci_device]
    where:
      config: all_ones
      driver: {not: [pcieport, nvidia]}
      kind: [gpu, nvswitch]
      iommu_group: {min: 1, max: 500}
      header_type: {absent: true}
      lnksta_width: {below: widths, by: device}
    severity: fatal
    title: {en: config space is dead, ko: 구성 공간 응답 없음}
    meaning: {en: It reads all ones., ko: 모두 1로 읽힙니다.}
    examples:
      match:
        - record: {pci: '0000:b1:00.0', config: all_ones, kind: gpu, driver: vfio-pci, iommu_group: 7, device: '2330', lnksta_width: 8}
      no_match:
        - record: {pci: '0000:b1:00.0', config: answers, kind: gpu}
)";

inline const std::string kFaults = R"(id: pci.gone
class: fallen
about: device
prior: common
strategy: advise
severity: fatal
title: {en: 'GPU {device} is gone', ko: 'GPU {device} 사라짐'}
cause: {en: It left., ko: 떠났습니다.}
why_less: {en: nothing of it is seen, ko: 보이는 것이 없습니다}
source: a case
effects:
  - {signal: xid.79, scope: same_device, strength: always, weight: decisive, within: 10m}
  - {signals: [pci.config_all_ones, 'xid.*'], scope: same_card, min_count: 2, apart: 1h, min_boots: 2}
  - {fault: vm.down, scope: holder_vm, strength: sometimes, inferred: true, within: 2h}
contradicted_by: [{signal: xid.31, scope: same_device, after: last_effect, weight: strong}]
cleared_by: [{signals: [xid.other], scope: holder_vm}]
chain:
  - {text: {en: it fell, ko: 떨어졌습니다}, shown_by: [xid.79]}
  - {text: {en: it stayed away, ko: 돌아오지 않습니다}}
plan:
  - action: cold_reboot
    when: {any: [pci.config_all_ones, 'fault:vm.down'], all: [xid.79], none: [xid.31], boots: 2}
    why: {en: power must go, ko: 전원을 끊어야 합니다}
    why_not_less: {en: a warm one keeps power, ko: 웜 리부트는 전원을 유지합니다}
  - {action: look, why: {en: not sure yet, ko: 아직 확실하지 않습니다}}
alternatives: [{action: look, when: {en: time is short, ko: 시간이 없을 때}}]
must_not: [{en: delete the VM, ko: VM을 지우는 것}]
checks: [kernel_quiet]
ask_for: [xid.79]
scheduling: {en: cordon the node, ko: 노드를 막으십시오}
)";

inline const std::string kOtherFault = R"(id: vm.down
class: healthy
about: vm
severity: info
title: {en: '{vm} is down', ko: '{vm} 정지'}
cause: {en: somebody stopped it, ko: 누군가 멈췄습니다}
why_less: {en: nobody did, ko: 아무도 멈추지 않았습니다}
source: a case
effects: [{signal: xid.31, scope: same_vm, within: 30s}]
)";

inline const std::string kAction = R"(id: cold_reboot
class: cold_reboot
reach: node
title: {en: power cycle, ko: 전원 재투입}
source: a runbook
steps:
  - {do: {en: cordon, ko: 노드 차단}, why: {en: no new pods, ko: 새 파드 방지}, command: 'kubectl cordon {node}', risk: {en: none, ko: 없음}}
must_not: [{en: hurry, ko: 서두르기}]
)";

inline const std::string kLook = R"(id: look
class: investigate
reach: none
title: {en: look closer, ko: 더 살펴보기}
source: a runbook
steps: []
must_not: []
)";

inline const std::string kChecks = R"(checks:
  - {id: kernel_quiet, title: {en: no new Xid, ko: 새 Xid 없음}, command: 'dmesg | grep Xid', expect: {en: nothing, ko: 출력 없음}, source: a runbook}
)";

inline const std::string kClasses = R"(classes:
  - {id: fallen, meaning: {en: it fell off, ko: 떨어졌음}}
)";

inline const std::string kTables = R"(source: a vendor's table
tables:
  - id: verdicts
    title: {en: what the number means, ko: 번호의 뜻}
    rows:
      - {is: 0x4f, name: GONE, text: {en: it left, ko: 떠났음}}
      - {is: 31, text: {en: it stumbled, ko: 비틀거림}}
  - id: widths
    title: {en: lanes by model, ko: 모델별 레인 수}
    rows:
      - {is: 'has:2330', name: 16, text: {en: sixteen lanes, ko: 16 레인}}
  - id: words
    title: {en: register words, ko: 레지스터 값}
    keys: [unit, word]
    rows:
      - {is: [DL, '--1'], text: {en: the link is lost, ko: 링크가 끊어졌음}}
      - {is: [DL, 'bit:4'], text: {en: the far end was lost, ko: 상대편이 사라졌음}}
)";

inline const std::string kOverrides = R"(overrides:
  - {fault: pci.gone, severity: error, action: look, why: {en: the site says so, ko: 사이트의 결정입니다}, strategy: observe}
  - {signal: xid.31, severity: info}
)";

inline std::vector<CatalogueFile> whole_catalogue() {
    return {{"signals/xid.yaml", "signals", kSignals},      {"faults/pci.gone.yaml", "faults", kFaults},
            {"faults/vm.down.yaml", "faults", kOtherFault}, {"actions/cold_reboot.yaml", "actions", kAction},
            {"actions/look.yaml", "actions", kLook},        {"checks/checks.yaml", "checks", kChecks},
            {"classes/classes.yaml", "classes", kClasses},  {"tables/tables.yaml", "tables", kTables}};
}

}  // namespace gpumedic::knowledge::test
