#include "evidence/nvidia_smi/topology.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/text.h"

namespace gpumedic::evidence::nvidia_smi {
namespace {

/// "GPU0", "NIC11".
bool is_device(std::string_view word) {
    if (!word.starts_with("GPU") && !word.starts_with("NIC")) return false;
    word.remove_prefix(3);
    return !word.empty() && word.find_first_not_of("0123456789") == std::string_view::npos;
}

/// Ways over PCIe; `topo -p2p` has OK, NS, CNS and the like in their place.
constexpr std::array<std::string_view, 5> kPaths{"SYS", "NODE", "PHB", "PXB", "PIX"};

/// "NV18": a bond of links.
bool is_bond(std::string_view cell) {
    return cell.size() > 2 && cell.starts_with("NV") &&
           cell.find_first_not_of("0123456789", 2) == std::string_view::npos;
}

}  // namespace

void Matrix::open(std::string_view head) {
    *this = Matrix{};
    open_ = true;
    for (const auto word : base::split_blanks(head))
        if (word.starts_with("GPU") && is_device(word)) ++gpus_;
}

bool Matrix::row(std::string_view text, std::uint64_t number) {
    if (!open_ || !is_topology_line(text)) return false;
    const auto words = base::split_blanks(text);
    if (words.size() <= gpus_ || !words.front().starts_with("GPU") || rows_.size() >= kMaxGpus) return true;
    MatrixRow row{number, std::string(text), std::string(words.front().substr(3))};
    for (std::size_t i = 1; i <= gpus_; ++i) {
        if (is_bond(words[i])) ++row.nvlink_peers;
        links_ = links_ || is_bond(words[i]) || std::ranges::find(kPaths, words[i]) != kPaths.end();
    }
    rows_.push_back(std::move(row));
    return true;
}

std::vector<MatrixRow> Matrix::take() {
    auto rows = links_ && rows_.size() == gpus_ ? std::move(rows_) : std::vector<MatrixRow>{};
    *this = Matrix{};
    std::uint64_t most = 0;
    for (const auto& row : rows) most = std::max(most, row.nvlink_peers);
    for (auto& row : rows) row.most_nvlink_peers = most;
    return rows;
}

bool is_topology_header(std::string_view line) {
    if (line.empty() || (line.front() != ' ' && line.front() != '\t')) return false;
    const auto words = base::split_blanks(line);
    if (words.empty() || words.front() != "GPU0") return false;
    if (words.size() == 1) return true;  // one GPU, no affinity: `topo -p2p`
    return is_device(words[1]) || words[1].starts_with("mlx5_") || words[1] == "CPU";
}

bool is_topology_line(std::string_view line) {
    const auto words = base::split_blanks(line);
    if (words.empty()) return true;
    if (is_device(words.front()) && words.size() > 1) return true;
    if (words.front().starts_with("mlx5_") || words.front() == "Legend:") return true;
    if (words.front() == "NIC" && words.size() == 2) return true;  // "NIC Legend:"
    const bool legend = words.size() > 2 && words[1] == "=";
    return legend || (words.size() == 2 && words.front().starts_with("NIC") && words.front().ends_with(":"));
}

}  // namespace gpumedic::evidence::nvidia_smi
