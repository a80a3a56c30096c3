// The plain forms: `dcgmi dmon` and `dcgmi nvlink -s`. Pure.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "evidence/dcgm/finding.h"

namespace gpumedic::evidence::dcgm {

/// Columns of "#Entity   XIDER   GPUTL" without the first; empty when the line is no such header.
[[nodiscard]] std::vector<std::string> parse_monitor_header(std::string_view line);
/// Cells of "GPU 1   120   N/A" that are shown; none for other lines and entities. `line` of the findings is left at 0.
[[nodiscard]] std::vector<Finding> parse_monitor_row(std::string_view line, const std::vector<std::string>& columns);

/// "gpuId 3:" -> "3", else "".
[[nodiscard]] std::string_view parse_gpu_heading(std::string_view line);

enum class LinkState : std::uint8_t { up, down, disabled, unsupported };
/// "U U D X _ ..." -> states by the link's number; empty when the line is no such row.
[[nodiscard]] std::vector<LinkState> parse_link_row(std::string_view line);

}  // namespace gpumedic::evidence::dcgm
