// The files of a node: those of this machine, or of a copy of its tree. Paths are the node's ("/sys/bus/pci/devices").
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace gpumedic::ports {

/// False ends the copy.
using PieceSink = std::function<bool(std::string_view piece)>;

/// Not thread-safe. Only regular files are opened (sysfs and proc files are such); nothing is ever written. Errors:
/// not_found, denied, unreadable. A call may block as long as the kernel likes: use it inside of a ports::Probe.
class NodeFiles {
public:
    virtual ~NodeFiles() = default;
    /// Paths that fit a pattern with * ? [ ] (not across "/"), sorted; folders that may not be listed are in
    /// `problems`.
    struct Matches {
        std::vector<std::string> paths;
        std::vector<base::Error> problems;
    };
    [[nodiscard]] virtual Matches match(const std::string& pattern) = 0;
    /// The file from its start, at most `max_bytes`.
    [[nodiscard]] virtual base::Result<std::string> read(const std::string& path, std::uint64_t max_bytes) = 0;
    /// What a symbolic link names, not followed.
    [[nodiscard]] virtual base::Result<std::string> link(const std::string& path) = 0;

    struct Copied {
        std::uint64_t size{};     // of the file when it was opened; 0 for files of proc and sysfs
        std::uint64_t skipped{};  // bytes left out at its start
        std::uint64_t bytes{};    // handed on
    };
    /// A file of any size. Of one with more than `max_bytes` the end counts: a log's last lines are the telling ones.
    [[nodiscard]] virtual base::Result<Copied> copy(const std::string& path, std::uint64_t max_bytes,
                                                    const PieceSink& sink) = 0;
    /// Time of the last change, since 1970.
    [[nodiscard]] virtual base::Result<std::chrono::seconds> changed(const std::string& path) = 0;
    /// The kernel's ring buffer, one record a line as /dev/kmsg gives them. Does not wait for new ones.
    [[nodiscard]] virtual base::Result<void> kernel_ring(const PieceSink& sink) = 0;
};

}  // namespace gpumedic::ports
