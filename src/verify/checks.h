// One function per check. Nothing: the check does not apply here.
#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "verify/verify.h"

namespace gpumedic::verify {

/// What a check found; id, title and command stand in the table.
struct Finding {
    model::CheckResult result{model::CheckResult::unknown};
    model::Localized expected{};
    model::Localized seen{};
    model::Localized why{};
};

using CheckFunction = std::optional<Finding> (*)(const Question&);

struct CheckRow {
    std::string_view id;
    std::string_view title_en;
    std::string_view title_ko;
    CheckFunction function;
    std::string_view command;  // with which a person would see it
};

// Of the boot.
[[nodiscard]] std::optional<Finding> booted_anew(const Question&);
[[nodiscard]] std::optional<Finding> power_was_cut(const Question&);
[[nodiscard]] std::optional<Finding> no_new_fault(const Question&);
// Of the devices.
[[nodiscard]] std::optional<Finding> devices_are_there(const Question&);
[[nodiscard]] std::optional<Finding> config_answers(const Question&);
[[nodiscard]] std::optional<Finding> pcie_width(const Question&);
[[nodiscard]] std::optional<Finding> links_active(const Question&);
[[nodiscard]] std::optional<Finding> fabric_joined(const Question&);
[[nodiscard]] std::optional<Finding> group_on_its_driver(const Question&);
[[nodiscard]] std::optional<Finding> versions_as_expected(const Question&);
// Of the cluster.
[[nodiscard]] std::optional<Finding> allocatable_as_expected(const Question&);
[[nodiscard]] std::optional<Finding> vms_run(const Question&);
[[nodiscard]] std::optional<Finding> vms_hold_their_devices(const Question&);
[[nodiscard]] std::optional<Finding> guests_see_their_gpus(const Question&);
[[nodiscard]] std::optional<Finding> slurm_takes_jobs(const Question&);

/// A text without words in a language: an address, a number.
[[nodiscard]] inline model::Localized same(const std::string& text) { return {text, text}; }

}  // namespace gpumedic::verify
