#include <fmt/format.h>

#include <algorithm>

#include "base/timestamp.h"
#include "verify/checks.h"

namespace gpumedic::verify {
namespace {

using model::CheckResult;

std::string at(std::chrono::microseconds moment) {
    return base::format_time({.value = moment, .zone = std::chrono::minutes{0}});
}

bool asks_for_boot(const Repair& repair) {
    return repair.action == "warm_reboot" || repair.action == "cold_reboot" || repair.action == "reseat_or_check_hw" ||
           repair.action == "replace_hw";
}

/// The power was off for these: a reboot alone does not reach what they reach.
bool asks_for_power(const Repair& repair) {
    return repair.action == "cold_reboot" || repair.action == "reseat_or_check_hw" || repair.action == "replace_hw";
}

bool touches(const model::Incident& incident, const Repair& repair) {
    return std::any_of(incident.devices.begin(), incident.devices.end(), [&](const auto& device) {
        return std::find(repair.devices.begin(), repair.devices.end(), device.pci) != repair.devices.end();
    });
}

/// Lines that the saved diagnosis already knew: a repair without reboot leaves them in the same boot's log. After one
/// that needs a boot they tell that there was none.
bool is_old(const model::Incident& incident, const Repair* repair) {
    if (repair == nullptr || asks_for_boot(*repair) || !repair->last_seen || !incident.last_seen) return false;
    return incident.last_seen->clock == base::Timestamp::Clock::wall &&
           incident.last_seen->value <= *repair->last_seen &&
           (incident.fault == repair->fault || touches(incident, *repair));
}

Finding with_old_lines(const Question& question, Finding finding) {
    const auto& last = question.seen.node.last_line;
    if (!last || *last <= *question.repair->last_seen) {
        finding.seen = {"the log ends with the fault", "로그가 장애에서 끝남"};
        finding.why = {"there is no line since the repair", "조치 이후의 로그가 없음"};
        return finding;
    }
    finding.result = CheckResult::pass;
    finding.seen = {"none since " + at(*question.repair->last_seen), at(*question.repair->last_seen) + " 이후 없음"};
    return finding;
}

}  // namespace

std::optional<Finding> booted_anew(const Question& question) {
    const auto* repair = question.repair;
    if (repair == nullptr || !asks_for_boot(*repair)) return std::nullopt;
    const auto& node = question.seen.node;
    Finding finding;
    if (!repair->boot_id.empty() && !node.boot_id.empty()) {
        finding.result = repair->boot_id != node.boot_id ? CheckResult::pass : CheckResult::fail;
        finding.expected = {"another boot id than " + repair->boot_id, repair->boot_id + "와 다른 boot id"};
        finding.seen = same(node.boot_id);
        if (finding.result == CheckResult::fail) finding.why = {"it is the same boot", "같은 부팅임"};
        return finding;
    }
    if (!repair->last_seen) {
        finding.expected = {"a boot after the fault", "장애 이후의 부팅"};
        finding.why = {"the saved diagnosis has neither boot id nor time", "저장된 진단에 boot id와 시각이 없음"};
        return finding;
    }
    finding.expected = {"a boot after " + at(*repair->last_seen), at(*repair->last_seen) + " 이후의 부팅"};
    if (!node.boot_time) {
        finding.seen = {"no start of a boot", "부팅 시작 기록 없음"};
        finding.why = {"no kernel log with the start of a boot and its time was read",
                       "부팅 시작과 시각이 있는 커널 로그를 읽지 못함"};
        return finding;
    }
    finding.seen = {"booted " + at(*node.boot_time), at(*node.boot_time) + " 부팅"};
    finding.result = *node.boot_time > *repair->last_seen ? CheckResult::pass : CheckResult::fail;
    if (finding.result == CheckResult::fail)
        finding.why = {"the last boot is older than the fault", "마지막 부팅이 장애보다 먼저임"};
    return finding;
}

std::optional<Finding> power_was_cut(const Question& question) {
    const auto* repair = question.repair;
    if (repair == nullptr || !asks_for_power(*repair)) return std::nullopt;
    const auto& node = question.seen.node;
    Finding finding;
    finding.expected = {"the BMC's log tells that the power went off after the fault",
                        "장애 이후 전원이 꺼졌다는 BMC 기록"};
    if (!node.has_power_log) {
        finding.seen = {"no event log of the BMC", "BMC 이벤트 로그 없음"};
        finding.why = {"a new boot id does not prove that the power was off",
                       "새 boot id만으로는 전원 차단을 알 수 없음"};
        return finding;
    }
    if (!node.power_cut || !repair->last_seen) {
        finding.seen = {"no power-off in the BMC's log", "BMC 로그에 전원 차단 없음"};
        finding.result = repair->last_seen ? CheckResult::fail : CheckResult::unknown;
        finding.why = {"the node was not switched off, or its BMC does not record it",
                       "노드 전원이 꺼지지 않았거나 BMC가 기록하지 않음"};
        return finding;
    }
    const auto& cut = *node.power_cut;
    finding.seen = {"power off at " + base::format_time(cut), base::format_time(cut) + " 전원 차단"};
    // A BMC's clock that names no zone may be off by any zone's offset.
    const auto slack = cut.zone ? std::chrono::hours{0} : std::chrono::hours{14};
    if (cut.value - slack > *repair->last_seen) {
        finding.result = CheckResult::pass;
    } else if (cut.value + slack > *repair->last_seen) {
        finding.why = {"the BMC's clock names no zone: it may have been before the fault",
                       "BMC 시각에 시간대가 없어 장애보다 먼저일 수 있음"};
    } else {
        finding.result = CheckResult::fail;
        finding.why = {"that was before the fault", "장애보다 먼저 일어난 일임"};
    }
    return finding;
}

std::optional<Finding> no_new_fault(const Question& question) {
    Finding finding;
    finding.expected = {"no open fault", "열린 장애 없음"};
    const model::Incident* worst = nullptr;
    const model::Incident* old = nullptr;
    for (const auto& incident : question.diagnosis.incidents) {
        if (incident.state != model::IncidentState::open) continue;
        auto& place = is_old(incident, question.repair) ? old : worst;
        if (place == nullptr) place = &incident;
    }
    if (worst != nullptr) {
        finding.result = CheckResult::fail;
        finding.seen = {fmt::format("{} ({})", worst->title.en, worst->fault),
                        fmt::format("{} ({})", worst->title.ko, worst->fault)};
        finding.why = {"the evidence shows it open", "증거에서 아직 해소되지 않음"};
        return finding;
    }
    if (!question.seen.node.has_kernel_log) {
        finding.seen = {"no kernel log", "커널 로그 없음"};
        finding.why = {"without the node's kernel log a fault would not show",
                       "노드의 커널 로그 없이는 장애가 드러나지 않음"};
        return finding;
    }
    if (old == nullptr && question.diagnosis.verdict == model::Verdict::inconclusive) {
        finding.seen = {"none, but the diagnosis is inconclusive", "없음. 그러나 진단이 불확실함"};
        finding.why = {"what was read would not show every fault", "읽은 자료로는 모든 장애가 드러나지 않음"};
        return finding;
    }
    if (old != nullptr) return with_old_lines(question, std::move(finding));
    finding.result = CheckResult::pass;
    finding.seen = {"none", "없음"};
    return finding;
}

}  // namespace gpumedic::verify
