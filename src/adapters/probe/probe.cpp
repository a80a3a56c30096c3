#include "adapters/probe/probe.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <fstream>
#include <utility>

#include "adapters/probe/worker.h"

namespace gpumedic::adapters {
namespace {

using Clock = std::chrono::steady_clock;
using ports::ProbeEnd;

constexpr std::size_t kMaxErrorBytes = 8 * 1024;
constexpr int kPiecesAtOnce = 16;

void close_end(int& end) {
    if (end >= 0) ::close(std::exchange(end, -1));
}

/// Wakes the watch when a stop is requested in another thread.
class StopSignal {
public:
    explicit StopSignal(const std::stop_token& stop) : on_stop_(stop, Raise{event_.number}) {}
    [[nodiscard]] int descriptor() const { return event_.number; }

private:
    struct Event {
        int number{::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)};
        Event() = default;
        Event(const Event&) = delete;
        Event& operator=(const Event&) = delete;
        ~Event() { close_end(number); }
    };
    struct Raise {
        int number;
        void operator()() const {
            const std::uint64_t one = 1;
            static_cast<void>(::write(number, &one, sizeof one) == sizeof one);
        }
    };
    Event event_;
    std::stop_callback<Raise> on_stop_;  // goes first, and waits for a call that runs: the event is still open then
};

/// Where the kernel keeps it: "pci_wait_cfg". Only files that never wait themselves.
std::string where_it_waits(pid_t worker) {
    const std::string folder = "/proc/" + std::to_string(worker);
    std::string name;
    std::getline(std::ifstream(folder + "/wchan"), name);
    if (!name.empty() && name != "0") return name;
    std::getline(std::ifstream(folder + "/stack"), name);  // root only: "[<0>] pci_wait_cfg+0x8a/0x120"
    const auto start = name.find("] ");
    if (start == std::string::npos) return {};
    return name.substr(start + 2, name.find('+') - start - 2);
}

/// Watches one worker from its start to its end, or to where it is left behind.
class Watch {
public:
    Watch(probe::WorkerEnds ends, const ports::ProbeLimits& limits, const ports::ProbeSink& sink,
          const std::stop_token& stop)
        : ends_(ends), limits_(limits), sink_(sink), stop_(stop), started_(Clock::now()) {}
    Watch(const Watch&) = delete;
    Watch& operator=(const Watch&) = delete;
    ~Watch() { let_go(); }

    ports::ProbeResult run();

private:
    enum class StopWish : std::uint8_t { heeded, ignored };
    enum class Until : std::uint8_t { end, deadline, cap, stop };
    [[nodiscard]] Until wait_until(Clock::time_point deadline, StopWish wish);
    void take_output();
    void take_errors();
    void take_status();
    void end_by_force();
    void signal_group(int signal) const;
    void let_go();

    probe::WorkerEnds ends_;
    const ports::ProbeLimits& limits_;
    const ports::ProbeSink& sink_;
    StopSignal stop_;
    Clock::time_point started_;
    pid_t worker_{-1};
    bool ended_{false};
    bool capped_{false};
    bool watcher_lost_{false};
    ports::ProbeResult result_{};
};

ports::ProbeResult Watch::run() {
    const Until until = wait_until(started_ + limits_.deadline, StopWish::heeded);
    if (until == Until::end) {
        take_output();  // what is still in the pipe; others who hold it are ended with the group
        take_errors();
        if (capped_) result_.end = ProbeEnd::capped;
    } else {
        end_by_force();
        if (until == Until::cap) result_.end = ended_ ? ProbeEnd::capped : ProbeEnd::blocked;
        if (until == Until::stop) result_.end = ended_ ? ProbeEnd::stopped : ProbeEnd::blocked;
        if (until == Until::deadline) result_.end = ended_ ? ProbeEnd::timed_out : ProbeEnd::blocked;
    }
    if (watcher_lost_ && !ended_) result_.why = "its watcher was ended from outside";
    signal_group(SIGKILL);
    result_.duration = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - started_);
    let_go();
    return std::move(result_);
}

Watch::Until Watch::wait_until(Clock::time_point deadline, StopWish wish) {
    while (!ended_ && !watcher_lost_) {
        const auto left = deadline - Clock::now();
        if (left <= Clock::duration::zero()) return Until::deadline;
        const auto nanos = std::chrono::duration_cast<std::chrono::nanoseconds>(left).count();
        const timespec timeout{nanos / 1'000'000'000, nanos % 1'000'000'000};
        std::array<pollfd, 4> watched{{{ends_.output, POLLIN, 0},
                                       {ends_.errors, POLLIN, 0},
                                       {ends_.status, POLLIN, 0},
                                       {wish == StopWish::heeded ? stop_.descriptor() : -1, POLLIN, 0}}};
        const int ready = ::ppoll(watched.data(), watched.size(), &timeout, nullptr);
        if (ready < 0 && errno != EINTR) return Until::stop;
        if (ready <= 0) continue;
        if (watched[0].revents != 0) take_output();
        if (watched[1].revents != 0) take_errors();
        if (watched[2].revents != 0) take_status();
        if (capped_ && wish == StopWish::heeded && !ended_) return Until::cap;
        if (watched[3].revents != 0) return Until::stop;
    }
    return Until::end;
}

void Watch::take_output() {
    std::array<char, 64 * 1024> buffer{};
    // A flood must not keep us from the clock and from the worker's end.
    for (int pieces = 0; pieces < kPiecesAtOnce && ends_.output >= 0 && !capped_; ++pieces) {
        const ssize_t count = ::read(ends_.output, buffer.data(), buffer.size());
        if (count < 0 && errno == EINTR) continue;
        if (count < 0 && errno == EAGAIN) return;
        if (count <= 0) return close_end(ends_.output);
        const auto room = limits_.max_bytes - result_.bytes;
        const auto taken = std::min<std::uint64_t>(room, static_cast<std::uint64_t>(count));
        result_.bytes += taken;
        if (taken > 0) sink_({buffer.data(), static_cast<std::size_t>(taken)});
        capped_ = capped_ || taken < static_cast<std::uint64_t>(count);
    }
}

void Watch::take_errors() {
    std::array<char, 4096> buffer{};
    for (int pieces = 0; pieces < kPiecesAtOnce && ends_.errors >= 0; ++pieces) {
        const ssize_t count = ::read(ends_.errors, buffer.data(), buffer.size());
        if (count < 0 && errno == EINTR) continue;
        if (count < 0 && errno == EAGAIN) return;
        if (count <= 0) return close_end(ends_.errors);
        const auto room = kMaxErrorBytes - result_.errors.size();
        result_.errors.append(buffer.data(), std::min(room, static_cast<std::size_t>(count)));
    }
}

void Watch::take_status() {
    probe::StatusMessage message{};
    for (;;) {
        const ssize_t count = ::read(ends_.status, &message, sizeof message);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0 && errno == EAGAIN) return;
        if (count != static_cast<ssize_t>(sizeof message)) {
            watcher_lost_ = true;
            return close_end(ends_.status);
        }
        worker_ = message.worker;
        if (message.how == 0) continue;
        ended_ = true;
        result_.end = message.how == CLD_EXITED ? ProbeEnd::exited : ProbeEnd::signalled;
        result_.code = message.code;
        return;
    }
}

void Watch::end_by_force() {
    if (worker_ > 0) result_.waits_in = where_it_waits(worker_);
    for (const int signal : {SIGTERM, SIGKILL}) {
        if (ended_ || watcher_lost_) return;
        signal_group(signal);
        static_cast<void>(wait_until(Clock::now() + limits_.grace, StopWish::ignored));
    }
}

void Watch::signal_group(int signal) const {
    // Not after the watcher is gone: the number could be another's by then.
    if (worker_ > 0 && !watcher_lost_) ::kill(-worker_, signal);
}

void Watch::let_go() {
    if (ends_.watcher < 0) return;
    close_end(ends_.control);
    // Of a worker that does not end the watcher never hears: it is ended, and init inherits the worker.
    if (!ended_) ::kill(ends_.watcher, SIGKILL);
    while (::waitpid(ends_.watcher, nullptr, 0) < 0 && errno == EINTR) {
    }
    ends_.watcher = -1;
    close_end(ends_.output);
    close_end(ends_.errors);
    close_end(ends_.status);
}

ports::ProbeResult run(const probe::Work& work, const ports::ProbeLimits& limits, const ports::ProbeSink& sink,
                       const std::stop_token& stop) {
    const auto ends = probe::start_worker(work);
    if (ends) return Watch(*ends, limits, sink, stop).run();
    ports::ProbeResult refused;
    refused.why = ends.error().what;
    return refused;
}

}  // namespace

ports::ProbeResult ChildProbe::run_command(const std::vector<std::string>& argv, const ports::ProbeLimits& limits,
                                           const ports::ProbeSink& sink, const std::stop_token& stop) {
    probe::Work work;
    if (!argv.empty()) work.path = probe::find_command(argv.front());
    if (work.path.empty()) {
        ports::ProbeResult missing;
        missing.end = ProbeEnd::not_found;
        return missing;
    }
    work.argv = argv;
    return run(work, limits, sink, stop);
}

ports::ProbeResult ChildProbe::run_task(const ports::ProbeTask& task, const ports::ProbeLimits& limits,
                                        const ports::ProbeSink& sink, const std::stop_token& stop) {
    probe::Work work;
    work.task = &task;
    return run(work, limits, sink, stop);
}

}  // namespace gpumedic::adapters
