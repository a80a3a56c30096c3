// Lines of a byte source, one by one, in bounded memory.
#pragma once

#include <functional>
#include <string_view>

#include "base/result.h"
#include "ports/evidence_tree.h"

namespace gpumedic::cli {

enum class Next { go_on, stop };

/// Each line without its end; of a line longer than ports::kMaxLineBytes only the front. An error of the source ends
/// it.
[[nodiscard]] base::Result<void> for_each_line(ports::ByteSource& source,
                                               const std::function<Next(std::string_view)>& each);

}  // namespace gpumedic::cli
