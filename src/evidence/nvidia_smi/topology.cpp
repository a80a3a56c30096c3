#include "evidence/nvidia_smi/topology.h"

#include "base/text.h"

namespace gpumedic::evidence::nvidia_smi {
namespace {

/// "GPU0", "NIC11".
bool is_device(std::string_view word) {
    if (!word.starts_with("GPU") && !word.starts_with("NIC")) return false;
    word.remove_prefix(3);
    return !word.empty() && word.find_first_not_of("0123456789") == std::string_view::npos;
}

}  // namespace

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
