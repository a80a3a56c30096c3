// `nvidia-smi --query-gpu=a,b,c --format=csv[,noheader][,nounits]`. Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "evidence/nvidia_smi/gpu.h"

namespace gpumedic::evidence::nvidia_smi {

/// Columns that the command asks for; empty when it is no such query. Needed where the answer has no header.
[[nodiscard]] std::vector<std::string> csv_columns_of_command(std::string_view command);
/// Columns of a header line ("index, name, memory.used [MiB]"), without units; empty when the line is none.
[[nodiscard]] std::vector<std::string> csv_columns_of_header(std::string_view line);
/// Columns of rows that have neither header nor command but tell by themselves: "3, Drain and Reset" is an index and a
/// recovery action.
[[nodiscard]] std::vector<std::string> csv_columns_of_row(std::string_view line);
/// One row; nothing when it does not have these columns.
[[nodiscard]] std::optional<Gpu> parse_csv_row(std::string_view line, const std::vector<std::string>& columns);

}  // namespace gpumedic::evidence::nvidia_smi
