// Tables of `kubectl get`, and the event table of `kubectl describe`. Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "evidence/kubectl/command.h"
#include "evidence/kubectl/draft.h"

namespace gpumedic::evidence::kubectl {

/// Cells of one row by the column's name (upper case). Views into the row.
using Row = std::vector<std::pair<std::string_view, std::string_view>>;

/// The text of a cell, or "".
[[nodiscard]] std::string_view cell(const Row& row, std::string_view column);

class Table {
public:
    /// The header of a `kubectl get` table: "NAME   AGE   STATUS", "NAMESPACE   NAME ...", "LAST SEEN   TYPE ...".
    [[nodiscard]] static std::optional<Table> parse_header(std::string_view line);
    /// The header of the events in `kubectl describe`: "  Type     Reason   Age   From   Message".
    [[nodiscard]] static std::optional<Table> parse_event_header(std::string_view line);

    /// What its rows are, by its columns; `other` when we do not know it.
    [[nodiscard]] Subject subject() const { return subject_; }
    /// Cells by the columns' offsets: an empty cell (a VMI without IP) moves nothing. Where a row is wider than its
    /// header (kubectl get -w), by the gaps between the cells; no cells at all where that is ambiguous. Keys are views
    /// into this table.
    [[nodiscard]] Row row(std::string_view line) const;

private:
    struct Column {
        std::string name;
        std::size_t start;
    };
    void decide_subject();
    [[nodiscard]] bool has(std::string_view name) const;
    std::vector<Column> columns_;
    Subject subject_{Subject::other};
};

/// A row of a table without header (grep cut it): the default columns of the resource that the command names.
[[nodiscard]] Row row_without_header(std::string_view line, const Command& command);

/// The record of a row; nothing when the row lacks what makes it one. The namespace is the row's, else the command's.
[[nodiscard]] std::optional<Draft> draft_of_row(Subject subject, const Row& row, const Command& command);

}  // namespace gpumedic::evidence::kubectl
