// Where bytes come from. bundle asks this port; adapters/files implements it, tests fake it.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"

namespace gpumedic::ports {

/// A stream of bytes that is read once.
class ByteSource {
public:
    virtual ~ByteSource() = default;
    /// Fills at most `buffer.size()` bytes; 0 means the end.
    [[nodiscard]] virtual base::Result<std::size_t> read(std::span<char> buffer) = 0;
};

/// One readable thing below what the user named.
struct EvidenceEntry {
    std::string name;  // path relative to the argument's folder, or the argument itself; "-" for standard input
    std::string path;  // what open() takes
};

class EvidenceTree {
public:
    virtual ~EvidenceTree() = default;
    /// A file gives itself, a folder all regular files below it (sorted by name, links not followed), "-" standard
    /// input. Entries that cannot be listed are in `problems`.
    struct Listing {
        std::vector<EvidenceEntry> entries;
        std::vector<base::Error> problems;
    };
    [[nodiscard]] virtual base::Result<Listing> list(const std::string& argument) = 0;
    [[nodiscard]] virtual base::Result<std::unique_ptr<ByteSource>> open(const EvidenceEntry& entry) = 0;
};

}  // namespace gpumedic::ports
