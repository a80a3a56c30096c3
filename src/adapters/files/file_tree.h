// The files of this machine as evidence: files, folders, standard input and pipes.
#pragma once

#include <cstddef>
#include <memory>
#include <set>
#include <string>

#include "ports/evidence_tree.h"

namespace gpumedic::adapters {

struct FileTreeLimits {
    std::size_t max_entries = 200'000;  // per argument; a folder with more is listed up to here and says so
    int max_depth = 64;                 // folders below the argument's folder
};

/// Plain open(2) and read(2); EINTR is retried. A named argument may be a symbolic link, a FIFO ("<(command)") or "-";
/// below a folder only regular files are evidence, and everything else (links, FIFOs, sockets, devices) is listed as a
/// problem and never opened, so that a listing cannot block. Errors: not_found, denied, unreadable. Not thread-safe.
class FileTree final : public ports::EvidenceTree {
public:
    explicit FileTree(FileTreeLimits limits = {}) : limits_(limits) {}

    [[nodiscard]] base::Result<Listing> list(const std::string& argument) override;
    [[nodiscard]] base::Result<std::unique_ptr<ports::ByteSource>> open(const ports::EvidenceEntry& entry) override;

private:
    FileTreeLimits limits_;
    std::set<std::string> streams_;  // arguments that are FIFOs or devices: the only ones that may be opened as such
};

}  // namespace gpumedic::adapters
