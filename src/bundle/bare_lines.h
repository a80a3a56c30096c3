// Lines that lost their header: whose they are, their first words tell.
#pragma once

#include <cstdint>
#include <string_view>

namespace gpumedic::bundle {

/// Counts the lines of a text without a form of its own. Not thread-safe.
class BareLines {
public:
    void see(std::string_view line);
    /// "kernel messages" or "slurm messages" where at least half of the lines are such, or a kernel's whole boot is
    /// among them; else "".
    [[nodiscard]] std::string_view kind() const;

private:
    std::uint64_t lines_{};
    std::uint64_t kernel_{};
    std::uint64_t slurm_{};
    bool has_boot_{false};
};

}  // namespace gpumedic::bundle
