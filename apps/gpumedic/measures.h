// Sizes and spans of time as people write them. Pure.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "base/result.h"

namespace gpumedic::cli {

/// "800", "64K", "512M", "2G" (powers of 1024; "MiB" and "MB" too). Errors: usage.
[[nodiscard]] base::Result<std::uint64_t> parse_size(const std::string& text, const std::string& option);
/// "90", "90s", "1500ms", "2m". Errors: usage; 0 and more than a day too.
[[nodiscard]] base::Result<std::chrono::milliseconds> parse_span(const std::string& text, const std::string& option);

}  // namespace gpumedic::cli
