// Writes archives, streamed. libarchive ends here.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"

namespace gpumedic::codec {

/// Takes the packed bytes; an error ends the archive and is handed back to the caller.
using PackedOutput = std::function<base::Result<void>(std::string_view)>;

/// A tar (pax), packed. Not thread-safe. Owners, and times other than `time`, are not recorded.
class ArchiveWriter {
public:
    enum class Form : std::uint8_t { tar_zst, tar_gz, tar };
    ArchiveWriter(Form form, PackedOutput output);
    ~ArchiveWriter();
    ArchiveWriter(ArchiveWriter&&) noexcept;
    ArchiveWriter& operator=(ArchiveWriter&&) noexcept;

    /// Begins a file of exactly `size` bytes; `time` in seconds since 1970.
    [[nodiscard]] base::Result<void> begin(const std::string& name, std::uint64_t size, std::int64_t time);
    /// Bytes of the file. What is missing of its size at the next begin or finish is filled with NUL.
    [[nodiscard]] base::Result<void> write(std::string_view bytes);
    /// The archive's end; also what the filter still holds.
    [[nodiscard]] base::Result<void> finish();

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

/// By the end of the name: ".tar.zst", ".tzst", ".tar.gz", ".tgz", ".tar"; nothing for another.
[[nodiscard]] bool parse_archive_form(std::string_view path, ArchiveWriter::Form& form);

}  // namespace gpumedic::codec
