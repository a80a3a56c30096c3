#include "evidence/slurm/table.h"

#include <algorithm>
#include <array>

#include "base/text.h"

namespace gpumedic::evidence::slurm {
namespace {

constexpr std::size_t kMaxColumns = 64;

std::string upper(std::string_view text) {
    std::string out(text);
    for (char& c : out)
        if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
    return out;
}

bool has(const std::vector<std::string>& columns, std::string_view name) {
    return std::find(columns.begin(), columns.end(), name) != columns.end();
}

bool names_nodes(const std::vector<std::string>& columns) {
    return has(columns, "NODELIST") || has(columns, "HOSTNAMES") || has(columns, "NODE_LIST");
}

std::optional<model::RecordType> type_of(const std::vector<std::string>& columns) {
    if (has(columns, "JOBID") &&
        (has(columns, "ST") || has(columns, "STATE") || has(columns, "JOBNAME") || has(columns, "NODELIST(REASON)")))
        return model::RecordType::slurm_job;
    const bool tells =
        has(columns, "STATE") || has(columns, "REASON") || has(columns, "GRES") || has(columns, "STATECOMPACT");
    if (names_nodes(columns) && tells) return model::RecordType::slurm_node;
    return std::nullopt;
}

struct Kept {
    std::string_view column;
    std::string_view field;
};
constexpr std::array<Kept, 2> kOfNode{{{"GRES", "gres"}, {"GRES_USED", "gres_used"}}};
constexpr std::array<Kept, 7> kOfJob{{{"JOBID", "job"},
                                      {"NAME", "name"},
                                      {"JOBNAME", "name"},
                                      {"REASON", "reason"},
                                      {"NODELIST", "nodes"},
                                      {"NODE_LIST", "nodes"},
                                      {"EXITCODE", "exit_code"}}};

void take_node_cell(std::string_view column, std::string_view cell, const base::TimeContext& context, Entry& entry) {
    if (column == "NODELIST" || column == "HOSTNAMES") entry.nodes = cell;
    if (column == "STATE" || column == "STATECOMPACT") entry.set("state", base::lower(cell));
    if (column == "REASON") entry.set("reason", cell);
    if (column == "TIMESTAMP")
        if (const auto parsed = base::parse_iso_time(cell, context)) entry.time = parsed->time;
    for (const auto& kept : kOfNode)
        if (kept.column == column) entry.set(kept.field, cell);
    // The star marks the default partition.
    if (column == "PARTITION") entry.set("partition", cell.substr(0, cell.find_last_not_of('*') + 1));
}

void take_job_cell(std::string_view column, std::string_view cell, Entry& entry) {
    if (column == "ST" || column == "STATE") entry.set("state", base::lower(cell));
    if (column == "NODELIST(REASON)") {
        const bool reason = cell.starts_with("(") && cell.ends_with(")");
        entry.set(reason ? "reason" : "nodes", reason ? cell.substr(1, cell.size() - 2) : cell);
    }
    for (const auto& kept : kOfJob)
        if (kept.column == column) entry.set(kept.field, cell);
}

}  // namespace

std::optional<Table> Table::parse_header(std::string_view line) {
    Table table;
    table.bars_ = base::contains(line, "|");
    auto cells = table.bars_ ? base::split(line, '|') : base::split_blanks(line);
    if (table.bars_ && !cells.empty() && base::trim(cells.back()).empty()) cells.pop_back();
    if (cells.size() < 2 || cells.size() > kMaxColumns) return std::nullopt;
    for (const auto cell : cells) {
        const auto name = base::trim(cell);
        if (name.empty() || name.front() < 'A' || name.front() > 'Z') return std::nullopt;
        table.columns_.push_back(upper(name));
    }
    const auto type = type_of(table.columns_);
    if (!type) return std::nullopt;
    table.type_ = *type;
    table.flexible_ = table.columns_.size();
    for (const auto* name : {"NODELIST(REASON)", "REASON", "NAME", "JOBNAME"}) {
        const auto found = std::find(table.columns_.begin(), table.columns_.end(), name);
        if (found == table.columns_.end()) continue;
        table.flexible_ = static_cast<std::size_t>(found - table.columns_.begin());
        break;
    }
    return table;
}

bool Table::take_dashes(std::string_view line) {
    const auto words = base::split_blanks(line);
    if (words.size() != columns_.size() || bars_) return false;
    std::vector<std::size_t> ends;
    for (const auto word : words) {
        if (word.find_first_not_of('-') != std::string_view::npos) return false;
        ends.push_back(static_cast<std::size_t>(word.data() - line.data()) + word.size());
    }
    ends_ = std::move(ends);
    return true;
}

std::vector<std::string_view> Table::cells_by_words(std::string_view line) const {
    auto words = base::split_blanks(line);
    const auto count = columns_.size();
    if (words.size() < count) return {};
    if (words.size() == count) return words;
    if (flexible_ >= count) return {};
    const auto extra = words.size() - count;
    std::vector<std::string_view> cells(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(flexible_));
    const auto start = static_cast<std::size_t>(words[flexible_].data() - line.data());
    const auto& last = words[flexible_ + extra];
    cells.push_back(line.substr(start, static_cast<std::size_t>(last.data() - line.data()) + last.size() - start));
    cells.insert(cells.end(), words.begin() + static_cast<std::ptrdiff_t>(flexible_ + extra + 1), words.end());
    return cells;
}

std::vector<std::string_view> Table::cells_of(std::string_view line) const {
    std::vector<std::string_view> cells;
    if (bars_) {
        cells = base::split(line, '|');
        if (cells.size() == columns_.size() + 1 && cells.back().empty()) cells.pop_back();
    } else if (ends_.empty()) {
        return cells_by_words(line);
    } else {
        std::size_t start = 0;
        for (std::size_t i = 0; i < ends_.size() && start <= line.size(); ++i) {
            // The last cell is not padded, and what stands behind it belongs to it.
            const auto end = i + 1 == ends_.size() ? line.size() : std::min(ends_[i], line.size());
            cells.push_back(base::trim(line.substr(start, end - start)));
            start = end;
        }
    }
    if (cells.size() != columns_.size()) cells.clear();
    return cells;
}

std::optional<Entry> Table::parse_row(std::string_view line, const base::TimeContext& context) const {
    const auto cells = cells_of(line);
    if (cells.empty()) return std::nullopt;
    Entry entry;
    entry.type = type_;
    entry.raw = line;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
        const auto cell = base::trim(cells[i]);
        if (type_ == model::RecordType::slurm_node) {
            take_node_cell(columns_[i], cell, context, entry);
        } else {
            take_job_cell(columns_[i], cell, entry);
        }
    }
    const bool named = type_ == model::RecordType::slurm_node ? !entry.nodes.empty() : !entry.field("job").empty();
    if (!named) return std::nullopt;
    return entry;
}

}  // namespace gpumedic::evidence::slurm
