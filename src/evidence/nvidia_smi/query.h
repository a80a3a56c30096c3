// `nvidia-smi -q`: blocks of "key : value" lines, nested by indent. The column of the colon differs between driver
// ages.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "evidence/nvidia_smi/gpu.h"

namespace gpumedic::evidence::nvidia_smi {

struct QueriedGpu {
    Gpu gpu{};
    std::vector<Link> links{};
};

/// One listing, fed line by line. Not thread-safe.
class Query {
public:
    /// False when the line has no form of this listing.
    bool line(std::string_view text, std::uint64_t number);

    /// "    Fabric", "    Remapped Rows" ...: a section that we read, without its GPU (a grep took the line away). The
    /// next section of this name begins another GPU.
    [[nodiscard]] static bool is_known_section(std::string_view text);
    /// Whether a block of a GPU has begun, so that an indented line belongs to the listing.
    [[nodiscard]] bool open() const { return !gpus_.empty(); }
    [[nodiscard]] bool full() const { return gpus_.size() >= kMaxGpus || links_ >= kMaxLinks; }
    [[nodiscard]] const std::optional<base::Timestamp>& time() const { return time_; }
    /// The GPUs read so far, with their position as index where the listing shows all GPUs there are.
    [[nodiscard]] std::vector<QueriedGpu> take();

    static constexpr std::size_t kMaxGpus = 1024;
    static constexpr std::size_t kMaxLinks = 64 * 1024;

private:
    struct Section {
        std::size_t indent;
        std::string name;
    };
    bool start_nameless(std::string_view text, std::uint64_t number);
    void take_head(std::string_view key, std::string_view value);
    void take_value(std::string_view key, std::string_view value);
    void take_ecc(std::string_view key, std::string_view value);
    void take_link(std::string_view text, std::uint64_t number, std::string_view key, std::string_view value);
    [[nodiscard]] bool inside(std::string_view section) const;

    std::vector<QueriedGpu> gpus_;
    std::vector<Section> sections_;
    std::string nameless_;  // the section that opened the last block, where no GPU did
    std::string driver_;
    std::optional<std::uint64_t> attached_;
    std::optional<base::Timestamp> time_;
    std::size_t links_{0};
};

}  // namespace gpumedic::evidence::nvidia_smi
