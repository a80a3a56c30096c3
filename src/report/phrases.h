// Every fixed text of the reports, in both languages, in one table. Texts of faults come from the catalogue, not from
// here.
#pragma once

#include <cstdint>
#include <string_view>

#include "model/localized.h"

namespace gpumedic::report {

enum class Phrase : std::uint8_t {
    verdict_fault,
    verdict_healthy,
    verdict_inconclusive,
    certain,
    likely,
    possible,
    healthy_summary,
    inconclusive_summary,
    nothing_of_gpu,
    nothing_read,
    node,
    boot,
    root,
    victim,
    affected,
    jobs,
    peers,
    scheduling,
    seen_time,
    state,
    state_open,
    state_cleared,
    state_earlier_boot,
    severity,
    severity_info,
    severity_warning,
    severity_error,
    severity_fatal,
    joined_inferred,
    held_by,
    index,
    link,
    iommu_group,
    pci_device,
    why,
    mark_seen,
    mark_inferred,
    evidence,
    against,
    times,
    do_now,
    risk,
    because,
    why_not_less,
    do_not,
    if_not_fit,
    when,
    checks,
    expect,
    missing,
    collect,
    others,
    other_incidents,
    unexplained,
    benign,
    sources,
    sources_line,
    not_ok,
    records,
    malformed,
    malformed_lines,
    unrecognised_kind,
    outcome_ok,
    outcome_absent,
    outcome_denied,
    outcome_timed_out,
    outcome_truncated,
    outcome_unrecognised,
    outcome_empty,
    outcome_binary,
    vantage_host,
    vantage_guest,
    more_lines,
    more_entries,
    nodes,
    catalogue,
    count_  // number of phrases, not a phrase
};

/// Some phrases hold "{}" for a number or name: see fill(). Thread-safe; the view is of a literal.
[[nodiscard]] std::string_view phrase(Phrase which, model::Language language);

}  // namespace gpumedic::report
