// IOMMU groups and their device nodes. Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "evidence/host_facts/fact.h"

namespace gpumedic::evidence::host_facts {

/// "/sys/kernel/iommu_groups/12/devices/0000:01:00.0", "IOMMU Group 12 01:00.0 3D controller ...".
[[nodiscard]] std::optional<Fact> parse_group_line(std::string_view line);
/// The group of ".../iommu_groups/12/devices:" and "IOMMU Group 12:", whose members follow; "" for other lines.
[[nodiscard]] std::string group_of_heading(std::string_view line);
/// A member below a heading: a name or a row of `ls -l` with an address, or lspci's line.
[[nodiscard]] std::optional<Fact> parse_group_member(std::string_view line, std::string_view group);

/// "crw------- 1 root root 510, 0 Feb  1 08:00 12" of `ls -l /dev/vfio`; the node `vfio` itself gives no group.
[[nodiscard]] std::optional<Fact> parse_vfio_node(std::string_view line);

}  // namespace gpumedic::evidence::host_facts
