// Numbers and words of a line, said in words.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "knowledge/catalogue.h"

namespace gpumedic::knowledge {

/// One row of a table that a signal's fields matched.
struct Decoded {
    std::string field;  // "status", or "unit, status" where several fields make the key
    std::string value;  // as the line has it
    std::string name;   // NV_ERR_TIMEOUT; may be empty
    Localized text;
};

/// What the definition's tables say of these fields, in the order of the definition. Nothing where a field is missing
/// or no row matches. Pure.
[[nodiscard]] std::vector<Decoded> decode(const Index& catalogue, const Signal& definition,
                                          const std::vector<std::pair<std::string, std::string>>& fields);

/// Rows of all tables with that name ("NV_ERR_TIMEOUT"; case does not matter).
[[nodiscard]] std::vector<std::pair<const CodeTable*, const TableRow*>> rows_named(const Catalogue& catalogue,
                                                                                   std::string_view name);

/// How a value writes its numbers: decimal unless 0x marks them, or hexadecimal without a mark.
enum class Numbers : std::uint8_t { marked, hexadecimal };

/// Does the value fit the matcher of a row (see TableRow)?
[[nodiscard]] bool fits(std::string_view matcher, std::string_view value, Numbers numbers);

/// The number that the first fitting row of a table of one key expects for the value (its `name`); nothing where no row
/// fits or its name is no number.
[[nodiscard]] std::optional<double> expected_number(const CodeTable& table, std::string_view value);

}  // namespace gpumedic::knowledge
