// What Slurm says about one node or job. Plain values.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/timestamp.h"
#include "model/record.h"

namespace gpumedic::evidence::slurm {

struct Entry {
    model::RecordType type{model::RecordType::slurm_node};
    std::uint64_t line{};
    std::string raw{};
    std::optional<base::Timestamp> time{};
    std::string nodes{};  // of a node entry: a list of hosts, one record each
    std::vector<std::pair<std::string_view, std::string>> fields{};  // keys are literals

    /// Leaves out what the tools print for nothing: "(null)", "None", "N/A", "none" ...
    void set(std::string_view key, std::string_view value);
    [[nodiscard]] std::string_view field(std::string_view key) const;
};

/// "text [root@2025-01-31T10:00:00]" -> text, and the time into `entry`.
void set_reason(Entry& entry, std::string_view reason, const base::TimeContext& context);

}  // namespace gpumedic::evidence::slurm
