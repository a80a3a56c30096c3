// Slurm's short form of many host names. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gpumedic::evidence::slurm {

inline constexpr std::size_t kMaxHosts = 1024;

/// "c[002,004,008-010],login1" -> names with their zeros. One bracket in each name is read; a list that has another
/// form, or more than kMaxHosts names, is given back as it stands.
[[nodiscard]] std::vector<std::string> expand_hostlist(std::string_view list);

}  // namespace gpumedic::evidence::slurm
