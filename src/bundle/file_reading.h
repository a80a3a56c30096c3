// Reads one open file to its end: text into sections, archives and compressed files through.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bundle/content.h"
#include "bundle/section.h"
#include "ports/evidence_tree.h"

namespace gpumedic::bundle {

// Larger chunks fall out of the L2 cache and are slower.
inline constexpr std::size_t kChunkBytes = std::size_t{128} * 1024;

/// Not thread-safe; one per file. The buffer is lent, so that a folder of small files does not allocate one each.
class FileReading {
public:
    FileReading(Output& output, ports::ByteSource& bytes, std::uint64_t max_bytes, std::vector<char>& buffer,
                int depth = 0)
        : output_(output), bytes_(bytes), max_bytes_(max_bytes), buffer_(buffer), depth_(depth) {}

    /// False when the very first read failed: then nothing was listed, and `error` says why.
    bool read(const std::string& name, const std::string& path, base::Error& error);

private:
    std::string_view fill(std::size_t wanted);
    void fill_head();
    void list_whole(const std::string& name, std::string outcome, std::string_view note, std::uint64_t malformed);
    void read_lines(const std::string& name, const std::string& path, ContentKind kind);
    void read_archive(const std::string& name, const std::string& path);
    [[nodiscard]] Ending ending() const;

    Output& output_;
    ports::ByteSource& bytes_;
    std::uint64_t max_bytes_;
    std::vector<char>& buffer_;
    int depth_;  // archives around it
    std::uint64_t read_bytes_{0};
    std::size_t filled_{0};
    bool at_end_{false};
    bool capped_{false};
    bool skipped_nul_{false};
    std::optional<base::Error> error_;
};

}  // namespace gpumedic::bundle
