// Writes the blob.
#pragma once

#include <filesystem>
#include <string_view>

#include "base/result.h"

namespace gpumedic::catalogc {

/// Writes beside the target and renames: an interrupted build leaves no half blob behind that looks up to date.
[[nodiscard]] base::Result<std::size_t> write_file(const std::filesystem::path& target, std::string_view bytes);

}  // namespace gpumedic::catalogc
