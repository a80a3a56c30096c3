// Archives and compressed files, streamed. libarchive ends here. Nothing is ever written.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"

namespace gpumedic::codec {

/// The packed bytes, a piece per call; an empty piece is the end. The view must live until the next call.
using PackedInput = std::function<std::string_view()>;

/// tar (plain, gz, xz, zst, bz2, lz4), zip, and single compressed files, recognised by content. Not thread-safe.
class ArchiveReader {
public:
    explicit ArchiveReader(PackedInput input);
    ~ArchiveReader();
    ArchiveReader(ArchiveReader&&) noexcept;
    ArchiveReader& operator=(ArchiveReader&&) noexcept;

    /// Moves to the next regular file; its name inside the archive, empty for a single compressed file. Nothing at the
    /// end. An error ends the archive: damaged, cut off, or a form that is not read.
    [[nodiscard]] base::Result<std::optional<std::string>> next();
    /// Bytes of the current file; 0 at its end. ErrorCode::too_large when the archive unpacks to so much more than its
    /// size that only a bomb does (kFreeBytes plus kMaxRatio times the packed bytes read so far).
    [[nodiscard]] base::Result<std::size_t> read(std::span<char> buffer);

    static constexpr std::uint64_t kFreeBytes = std::uint64_t{256} << 20;
    static constexpr std::uint64_t kMaxRatio = 200;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace gpumedic::codec
