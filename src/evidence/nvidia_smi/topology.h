// `nvidia-smi topo`: matrices of how devices are connected. Pure.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gpumedic::evidence::nvidia_smi {

/// One GPU of `topo -m`.
struct MatrixRow {
    std::uint64_t line{};
    std::string raw{};
    std::string index{};
    std::uint64_t nvlink_peers{};       // other GPUs that it reaches over NVLink ("NV18")
    std::uint64_t most_nvlink_peers{};  // of any GPU of the same matrix
};

/// A matrix while it is read: its head, its rows, its legend. At most kMaxGpus rows are kept.
class Matrix {
public:
    static constexpr std::size_t kMaxGpus = 256;
    void open(std::string_view head);
    /// True when the line belongs to the matrix that is open.
    bool row(std::string_view text, std::uint64_t number);
    /// The rows of the matrix, which is closed. Nothing for `topo -p2p`, whose cells are no links.
    [[nodiscard]] std::vector<MatrixRow> take();

private:
    bool open_{false};
    std::size_t gpus_{};  // columns
    std::vector<MatrixRow> rows_;
    bool links_{false};  // a cell that only `topo -m` has was seen
};

/// "        GPU0    GPU1    ...   CPU Affinity": the head of `topo -m` and `topo -p2p`.
[[nodiscard]] bool is_topology_header(std::string_view line);
/// A row or a line of the legend below such a head.
[[nodiscard]] bool is_topology_line(std::string_view line);

}  // namespace gpumedic::evidence::nvidia_smi
