// The catalogue as text and JSON: its list, and single definitions. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "knowledge/catalogue.h"
#include "report/report.h"

namespace gpumedic::cli {

struct CatalogueEntry {
    std::string_view kind;  // signal, fault, class, action, check, table
    std::string id;         // codes of a family are entries of their own: "xid.79"
    model::Localized title;
};

/// `kind` is "signals", "faults", "classes", "actions", "checks", "tables", or empty for all. In the catalogue's order.
[[nodiscard]] std::vector<CatalogueEntry> entries_of(const knowledge::Catalogue& catalogue, std::string_view kind);

[[nodiscard]] std::string render_list_text(const std::vector<CatalogueEntry>& entries,
                                           const report::TextOptions& options);
/// Schema gpumedic.catalogue/v1: {"schema","version","entries":[{"kind","id","title"}]}.
[[nodiscard]] std::string render_list_json(const std::vector<CatalogueEntry>& entries,
                                           const knowledge::Catalogue& catalogue);

/// A definition as label and text, row by row.
struct Row {
    std::string_view key;
    model::Localized text;
};
/// Empty where the catalogue has no such id.
[[nodiscard]] std::vector<Row> definition_rows(const knowledge::Index& index, std::string_view id);
[[nodiscard]] std::string render_rows_text(const std::vector<Row>& rows, const report::TextOptions& options);
/// {"schema":"gpumedic.definition/v1","rows":[{"key","text"}]}: keys repeat, so rows are a list.
[[nodiscard]] std::string render_rows_json(const std::vector<Row>& rows);

}  // namespace gpumedic::cli
