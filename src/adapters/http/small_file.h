// Configuration files, whole.
#pragma once

#include <cstddef>
#include <string>

#include "base/result.h"

namespace gpumedic::adapters::http {

/// The bytes of a regular file of at most `cap` bytes. Thread-safe.
[[nodiscard]] base::Result<std::string> read_small_file(const std::string& path, std::size_t cap = 4 << 20);

}  // namespace gpumedic::adapters::http
