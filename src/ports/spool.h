// Bytes that wait to be written or read: in memory while they are few, else in a file that vanishes by itself.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "base/result.h"
#include "ports/evidence_tree.h"

namespace gpumedic::ports {

/// Filled by one thread, then read by one; not both at a time.
class Spool {
public:
    virtual ~Spool() = default;
    /// Errors: unreadable (no space). What was taken before stays.
    [[nodiscard]] virtual base::Result<void> append(std::string_view bytes) = 0;
    [[nodiscard]] virtual std::uint64_t size() const = 0;
    /// Reads from the start. The spool must outlive it.
    [[nodiscard]] virtual std::unique_ptr<ByteSource> open() const = 0;
};

/// Thread-safe.
class SpoolMaker {
public:
    virtual ~SpoolMaker() = default;
    [[nodiscard]] virtual std::unique_ptr<Spool> make() = 0;
};

}  // namespace gpumedic::ports
