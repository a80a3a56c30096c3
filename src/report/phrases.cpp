#include "report/phrases.h"

#include <array>

#include "base/check.h"

namespace gpumedic::report {
namespace {

struct Row {
    Phrase which;
    std::string_view en;
    std::string_view ko;
};

constexpr std::size_t kCount = static_cast<std::size_t>(Phrase::count_);

constexpr std::array<Row, kCount> kRows{{
    {Phrase::verdict_fault, "FAULT", "장애"},
    {Phrase::verdict_healthy, "HEALTHY", "정상"},
    {Phrase::verdict_inconclusive, "INCONCLUSIVE", "판단 불가"},
    {Phrase::certain, "very likely", "매우 유력"},
    {Phrase::likely, "likely", "유력"},
    {Phrase::possible, "possible", "가능성 있음"},
    {Phrase::healthy_summary, "No GPU fault in what was read.", "읽은 자료에 GPU 장애의 흔적이 없습니다."},
    {Phrase::inconclusive_summary, "What was read does not decide it.", "읽은 자료만으로는 판단할 수 없습니다."},
    {Phrase::nothing_of_gpu, "Nothing in it speaks of a GPU.", "읽은 자료 어디에도 GPU에 관한 내용이 없습니다."},
    {Phrase::nothing_read, "Nothing could be read.", "읽을 수 있는 자료가 없었습니다."},
    {Phrase::node, "Node", "노드"},
    {Phrase::boot, "boot", "부팅"},
    {Phrase::root, "Device", "장치"},
    {Phrase::victim, "Victim", "피해"},
    {Phrase::affected, "Hits", "영향"},
    {Phrase::jobs, "jobs", "작업"},
    {Phrase::peers, "also touched", "함께 영향받는 장치"},
    {Phrase::scheduling, "Sched.", "배치"},
    {Phrase::seen_time, "Seen", "시각"},
    {Phrase::state, "State", "상태"},
    {Phrase::state_open, "open", "진행 중"},
    {Phrase::state_cleared, "cleared: later evidence shows that it is over",
     "해소됨: 이후의 증거에서 끝난 것이 확인됨"},
    {Phrase::state_earlier_boot, "of an earlier boot", "이전 부팅에서 일어난 일"},
    {Phrase::severity, "severity", "심각도"},
    {Phrase::severity_info, "info", "정보"},
    {Phrase::severity_warning, "warning", "경고"},
    {Phrase::severity_error, "error", "오류"},
    {Phrase::severity_fatal, "fatal", "치명적"},
    {Phrase::joined_inferred, "joined by inference", "추론으로 연결"},
    {Phrase::held_by, "held by VM {}", "VM {}에 할당됨"},
    {Phrase::index, "index {}", "인덱스 {}"},
    {Phrase::link, "link {}", "링크 {}"},
    {Phrase::iommu_group, "IOMMU group {}", "IOMMU 그룹 {}"},
    {Phrase::pci_device, "PCI device", "PCI 장치"},
    {Phrase::nic_device, "Network card", "네트워크 카드"},
    {Phrase::port_device, "PCIe port", "PCIe 포트"},
    {Phrase::drive_device, "Drive", "드라이브"},
    {Phrase::usb_device, "USB function", "USB 기능"},
    {Phrase::audio_device, "Audio function", "오디오 기능"},
    {Phrase::boots, "found in {} boots of the evidence", "증거에 있는 부팅 {}번에서 확인됨"},
    {Phrase::strategy_observe, "this site only records this fault; the step below is the catalogue's proposal",
     "이 사이트는 이 장애를 기록만 합니다. 아래 조치는 카탈로그의 제안입니다"},
    {Phrase::strategy_act, "this site lets this step be carried out without asking",
     "이 사이트는 이 조치를 확인 없이 실행하도록 허용합니다"},
    {Phrase::why, "WHY", "원인"},
    {Phrase::mark_seen, "[seen]", "[확인]"},
    {Phrase::mark_inferred, "[inferred]", "[추론]"},
    {Phrase::evidence, "EVIDENCE", "증거"},
    {Phrase::against, "EVIDENCE AGAINST", "반대 증거"},
    {Phrase::times, "({} times)", "({}회)"},
    {Phrase::do_now, "DO NOW", "지금 할 일"},
    {Phrase::risk, "Risk:", "위험:"},
    {Phrase::because, "Why:", "이유:"},
    {Phrase::why_not_less, "WHY NOT LESS", "더 가벼운 조치로 충분하지 않은 이유"},
    {Phrase::do_not, "DO NOT", "하지 말 것"},
    {Phrase::if_not_fit, "IF THAT DOES NOT FIT", "이 조치가 맞지 않을 때"},
    {Phrase::when, "when:", "조건:"},
    {Phrase::checks, "CHECK AFTERWARDS", "조치 후 확인"},
    {Phrase::expect, "Expect:", "기대 결과:"},
    {Phrase::missing, "MISSING", "빠진 증거"},
    {Phrase::collect, "COLLECT NEXT", "다음에 수집할 증거"},
    {Phrase::others, "OTHER EXPLANATIONS", "다른 가능성"},
    {Phrase::other_incidents, "OTHER INCIDENTS", "다른 사건"},
    {Phrase::unexplained, "NOT EXPLAINED", "설명되지 않은 신호"},
    {Phrase::benign, "HARMLESS", "무해한 항목"},
    {Phrase::sources, "READ", "읽은 자료"},
    {Phrase::sources_line, "sources {}, records {}", "자료 {}개, 레코드 {}건"},
    {Phrase::not_ok, "Not ok:", "문제 있음:"},
    {Phrase::records, "records {}", "레코드 {}건"},
    {Phrase::malformed, "malformed {}", "손상 {}건"},
    {Phrase::malformed_lines, "Malformed:", "손상된 줄:"},
    {Phrase::unrecognised_kind, "unknown form", "알 수 없는 형식"},
    {Phrase::outcome_ok, "ok", "정상"},
    {Phrase::outcome_absent, "absent", "없음"},
    {Phrase::outcome_denied, "denied", "권한 없음"},
    {Phrase::outcome_timed_out, "timed out", "시간 초과"},
    {Phrase::outcome_truncated, "truncated", "잘림"},
    {Phrase::outcome_blocked, "blocked", "응답 없이 멈춤"},
    {Phrase::outcome_failed, "failed", "실패"},
    {Phrase::outcome_unrecognised, "unrecognised", "인식하지 못함"},
    {Phrase::outcome_empty, "empty", "비어 있음"},
    {Phrase::outcome_binary, "binary", "바이너리"},
    {Phrase::vantage_host, "host", "호스트"},
    {Phrase::vantage_guest, "guest", "게스트"},
    {Phrase::more_lines, "... {} more lines (-v shows them)", "... {}줄 더 있음 (-v로 표시)"},
    {Phrase::more_entries, "... {} more (-v shows them)", "... {}개 더 있음 (-v로 표시)"},
    {Phrase::nodes, "Nodes", "노드별"},
    {Phrase::catalogue, "catalogue {}", "카탈로그 {}"},
}};

constexpr bool in_order() {
    for (std::size_t i = 0; i < kCount; ++i)
        if (static_cast<std::size_t>(kRows[i].which) != i || kRows[i].en.empty() || kRows[i].ko.empty()) return false;
    return true;
}
static_assert(in_order(), "the table has one row per phrase, in the order of the enumeration, in both languages");

}  // namespace

std::string_view phrase(Phrase which, model::Language language) {
    CHECK(which < Phrase::count_, "no such phrase");
    const Row& row = kRows[static_cast<std::size_t>(which)];
    return language == model::Language::ko ? row.ko : row.en;
}

}  // namespace gpumedic::report
