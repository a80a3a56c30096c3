// Work that may never come back: a read of a device that is being reset, a tool that asks a hung driver. adapters/probe
// runs it in a process of its own; tests fake it.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace gpumedic::ports {

struct ProbeLimits {
    std::chrono::milliseconds deadline{5'000};  // from the start to SIGTERM
    std::chrono::milliseconds grace{200};       // from SIGTERM to SIGKILL, and from SIGKILL to giving up
    std::uint64_t max_bytes{std::uint64_t{8} << 20};
};

enum class ProbeEnd : std::uint8_t {
    exited,       // by itself; `code` is its exit status
    signalled,    // by a signal that we did not send; `code` is its number
    timed_out,    // past the deadline, and a signal ended it
    blocked,      // past the deadline, and not even SIGKILL ended it: it was left behind
    capped,       // it wrote more than max_bytes and was ended
    stopped,      // the caller wanted no more
    not_found,    // no such command in the system's folders
    not_started,  // the system refused (`why`)
};

struct ProbeResult {
    ProbeEnd end{ProbeEnd::not_started};
    int code{0};
    std::chrono::milliseconds duration{0};
    std::uint64_t bytes{0};  // delivered to the sink
    std::string errors{};    // standard error, its first 8 KiB
    std::string waits_in{};  // the kernel function in which a process past its deadline waited; may be empty
    std::string why{};       // of not_started
};

/// Receives the output piece by piece, in the thread that called.
using ProbeSink = std::function<void(std::string_view piece)>;

/// What a task writes to, inside of its own process.
class ProbeOutput {
public:
    virtual ~ProbeOutput() = default;
    /// False when nobody reads any more: the task should end.
    [[nodiscard]] virtual bool write(std::string_view bytes) = 0;
};

/// Runs in a copy of this process in which only the calling thread exists: it must not start threads, wait for locks
/// that another thread may hold, or rely on open files other than those it opens itself. Gives its exit status.
using ProbeTask = std::function<int(ProbeOutput&)>;

/// Thread-safe. A call returns at most two graces after its deadline, whatever the process does.
class Probe {
public:
    virtual ~Probe() = default;
    /// `argv[0]` is a bare name, looked for in the system's folders only, or an absolute path. No shell; a fixed
    /// environment (LC_ALL=C); standard input is empty.
    [[nodiscard]] virtual ProbeResult run_command(const std::vector<std::string>& argv, const ProbeLimits& limits,
                                                  const ProbeSink& sink, const std::stop_token& stop) = 0;
    [[nodiscard]] virtual ProbeResult run_task(const ProbeTask& task, const ProbeLimits& limits, const ProbeSink& sink,
                                               const std::stop_token& stop) = 0;
};

}  // namespace gpumedic::ports
