// `nvidia-smi topo`: matrices of how devices are connected. Pure.
#pragma once

#include <string_view>

namespace gpumedic::evidence::nvidia_smi {

/// "        GPU0    GPU1    ...   CPU Affinity": the head of `topo -m` and `topo -p2p`.
[[nodiscard]] bool is_topology_header(std::string_view line);
/// A row or a line of the legend below such a head.
[[nodiscard]] bool is_topology_line(std::string_view line);

}  // namespace gpumedic::evidence::nvidia_smi
