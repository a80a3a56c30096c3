// Starts the two processes of a probe (watcher and worker) and owns the descriptors that lead to them.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "base/result.h"
#include "ports/probe.h"

namespace gpumedic::adapters::probe {

/// Our ends. All are non-blocking, close on exec, and -1 where closed.
struct WorkerEnds {
    pid_t watcher{-1};
    int output{-1};
    int errors{-1};
    int status{-1};   // StatusMessage, twice: the worker's start and its end
    int control{-1};  // closed to let the watcher go
};

struct StatusMessage {
    pid_t worker{};  // its process group too; stays ours to signal until `control` is closed
    int how{};       // 0 started, else CLD_EXITED, CLD_KILLED, CLD_DUMPED
    int code{};
};

/// A file to execute with its arguments and environment, or a task.
struct Work {
    std::string path{};
    std::vector<std::string> argv{};
    const ports::ProbeTask* task{};
};

[[nodiscard]] base::Result<WorkerEnds> start_worker(const Work& work);

/// "/usr/bin/lspci" for "lspci"; empty where the system's folders have no such command.
[[nodiscard]] std::string find_command(const std::string& name);

}  // namespace gpumedic::adapters::probe
