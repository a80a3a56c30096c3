// Where a collection is written: an archive or a folder that appears in one step.
#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"
#include "ports/evidence_tree.h"

namespace gpumedic::ports {

/// Not thread-safe.
class BundleTarget {
public:
    virtual ~BundleTarget() = default;
    /// `name` is relative, with "/" between its parts. `size` bytes are taken from the source. After an error nothing
    /// more can be added.
    [[nodiscard]] virtual base::Result<void> add(const std::string& name, std::uint64_t size, ByteSource& bytes) = 0;
    /// Gives it its final name.
    [[nodiscard]] virtual base::Result<void> finish() = 0;
    /// After an error: keeps what was written, under a name of its own, and says which; empty when nothing is left.
    [[nodiscard]] virtual std::string keep_part() = 0;
};

}  // namespace gpumedic::ports
