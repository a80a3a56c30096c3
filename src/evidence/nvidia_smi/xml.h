// `nvidia-smi -q -x`: the listing of `-q` as XML. A tolerant scanner of tags, line by line: a listing that was cut
// still gives what it shows.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "evidence/nvidia_smi/gpu.h"
#include "evidence/nvidia_smi/query.h"

namespace gpumedic::evidence::nvidia_smi {

/// One listing, fed line by line. Not thread-safe.
class XmlQuery {
public:
    /// False when no listing is open and the line begins none.
    bool line(std::string_view text, std::uint64_t number);
    /// "</nvidia_smi_log>" was seen, or a cap was reached.
    [[nodiscard]] bool finished() const { return finished_; }
    [[nodiscard]] const std::optional<base::Timestamp>& time() const { return time_; }
    /// The GPUs read so far, with their position as index where the listing shows all GPUs there are.
    [[nodiscard]] std::vector<QueriedGpu> take();

private:
    void take_tag(std::string_view tag, std::string_view line, std::uint64_t number);
    void open_element(std::string_view tag, std::string_view line, std::uint64_t number);
    void close_element(std::string_view name, std::string_view line, std::uint64_t number);
    void take_head(std::string_view name, std::string_view value);
    void take_value(std::string_view name, std::string_view value);
    void take_ecc(std::string_view name, std::string_view value);
    void take_link(std::string_view name, std::string_view value, std::string_view line, std::uint64_t number);
    [[nodiscard]] bool inside(std::string_view element) const;

    std::vector<QueriedGpu> gpus_;
    std::vector<std::string> elements_;  // open ones, with their id ("link 3")
    std::string text_;                   // since the last tag
    std::string driver_;
    std::optional<std::uint64_t> attached_;
    std::optional<base::Timestamp> time_;
    std::size_t links_{0};
    bool open_{false};
    bool in_gpu_{false};
    bool finished_{false};
};

/// A line that begins such a listing.
[[nodiscard]] bool starts_xml_listing(std::string_view line);

}  // namespace gpumedic::evidence::nvidia_smi
