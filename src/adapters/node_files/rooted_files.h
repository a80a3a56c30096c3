// A node's files: "/" for this machine, or the folder with a copy of its tree.
#pragma once

#include <string>

#include "ports/node_files.h"

namespace gpumedic::adapters {

/// Keeps nothing open between calls, so it can be used after fork.
class RootedFiles final : public ports::NodeFiles {
public:
    explicit RootedFiles(std::string root = "/");

    [[nodiscard]] Matches match(const std::string& pattern) override;
    [[nodiscard]] base::Result<std::string> read(const std::string& path, std::uint64_t max_bytes) override;
    [[nodiscard]] base::Result<std::string> link(const std::string& path) override;
    [[nodiscard]] base::Result<Copied> copy(const std::string& path, std::uint64_t max_bytes,
                                            const ports::PieceSink& sink) override;
    [[nodiscard]] base::Result<std::chrono::seconds> changed(const std::string& path) override;
    [[nodiscard]] base::Result<void> kernel_ring(const ports::PieceSink& sink) override;

private:
    [[nodiscard]] int open(const std::string& path, int flags) const;

    std::string root_;  // without a slash at its end; empty for "/"
};

}  // namespace gpumedic::adapters
