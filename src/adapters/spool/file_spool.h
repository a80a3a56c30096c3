// Spools that keep little in memory and the rest in a nameless file.
#pragma once

#include <cstddef>
#include <string>

#include "ports/spool.h"

namespace gpumedic::adapters {

class FileSpoolMaker final : public ports::SpoolMaker {
public:
    /// `folder` is where the files go: the target's own, so that what fits there once fits there twice, or that of
    /// temporary files.
    explicit FileSpoolMaker(std::string folder, std::size_t memory_bytes = std::size_t{256} * 1024)
        : folder_(std::move(folder)), memory_bytes_(memory_bytes) {}
    [[nodiscard]] std::unique_ptr<ports::Spool> make() override;

private:
    std::string folder_;
    std::size_t memory_bytes_;
};

}  // namespace gpumedic::adapters
