// Which fields a record of each type can have: the table of src/model/README.md (a test compares the two), so that a
// condition on a misspelt field is a mistake and not a signal that never fires. Private to the module.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "model/record.h"

namespace gpumedic::knowledge {

[[nodiscard]] std::span<const std::string_view> fields_of(model::RecordType type);
/// All record types, as the catalogue spells them.
[[nodiscard]] std::vector<std::string_view> record_type_names();

}  // namespace gpumedic::knowledge
