// The values of a GPU that are kept as fields: where `-q`, `-q -x` and `--query-gpu` show each. Pure.
#pragma once

#include <string>
#include <string_view>

#include "evidence/nvidia_smi/gpu.h"

namespace gpumedic::evidence::nvidia_smi {

/// Keeps a value of `-q` (innermost section and key), `-q -x` (parent and element) or csv (column) that we know. A
/// field that the GPU has already stays as it is; a value that has not the shape of its field is left out.
void take_query_field(std::string_view section, std::string_view key, std::string_view value, Gpu& gpu);
void take_xml_field(std::string_view parent, std::string_view element, std::string_view value, Gpu& gpu);
void take_csv_field(std::string_view column, std::string_view value, Gpu& gpu);

/// A section of `-q` from which a value is kept.
[[nodiscard]] bool is_section_of_fields(std::string_view name);
/// "   HW Thermal Slowdown   : Active": a pair of `-q` with a key that we read, whatever its section.
[[nodiscard]] bool is_known_pair(std::string_view line);

/// Adds a count to a sum of counts that is kept as text. What is no number adds nothing; huge counts do not overflow.
void add_count(std::string_view value, std::string& sum);

}  // namespace gpumedic::evidence::nvidia_smi
