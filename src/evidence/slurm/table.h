// Tables of sinfo, squeue and sacct. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "evidence/slurm/entry.h"

namespace gpumedic::evidence::slurm {

class Table {
public:
    /// "PARTITION AVAIL TIMELIMIT NODES STATE NODELIST", "JOBID ... NODELIST(REASON)", "JobID|State|ExitCode|" ...
    [[nodiscard]] static std::optional<Table> parse_header(std::string_view line);
    /// The row of dashes below sacct's header: from then on cells are cut by its widths. False when it is none.
    bool take_dashes(std::string_view line);
    /// Nothing when the row does not fit the header.
    [[nodiscard]] std::optional<Entry> parse_row(std::string_view line, const base::TimeContext& context) const;

private:
    [[nodiscard]] std::vector<std::string_view> cells_of(std::string_view line) const;
    [[nodiscard]] std::vector<std::string_view> cells_by_words(std::string_view line) const;

    std::vector<std::string> columns_;  // upper case
    std::vector<std::size_t> ends_;     // of the columns, where dashes told them
    std::size_t flexible_{0};           // the column that may hold blanks
    bool bars_{false};
    model::RecordType type_{model::RecordType::slurm_node};
};

}  // namespace gpumedic::evidence::slurm
