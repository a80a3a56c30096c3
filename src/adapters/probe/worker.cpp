#include "adapters/probe/worker.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <string_view>
#include <system_error>

namespace gpumedic::adapters::probe {
namespace {

// "/usr/local/nvidia/bin" is where driver containers put the tools.
constexpr std::array<std::string_view, 7> kFolders{
    "/usr/sbin", "/usr/bin", "/sbin", "/bin", "/usr/local/sbin", "/usr/local/bin", "/usr/local/nvidia/bin"};
constexpr const char* kEnvironment[] = {
    "LC_ALL=C",         "PATH=/usr/sbin:/usr/bin:/sbin:/bin:/usr/local/sbin:/usr/local/bin:/usr/local/nvidia/bin",
    "TERM=dumb",        "HOME=/",
    "PAGER=cat",        "SYSTEMD_PAGER=",
    "SYSTEMD_COLORS=0", nullptr};

struct Pipe {
    int read{-1};
    int write{-1};
};

struct Pipes {
    Pipe output{};
    Pipe errors{};
    Pipe status{};
    Pipe control{};

    void close_all() const {
        for (const Pipe& pipe : {output, errors, status, control})
            for (const int end : {pipe.read, pipe.write})
                if (end >= 0) ::close(end);
    }
};

bool open_pipe(Pipe& pipe) {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) return false;
    pipe = {ends[0], ends[1]};
    return true;
}

// From here to the end of watch(): after fork in a program with threads. Only calls that are safe there, and the task.

void write_all(int descriptor, const void* data, std::size_t size) {
    const auto* bytes = static_cast<const char*>(data);
    while (size > 0) {
        const ssize_t count = ::write(descriptor, bytes, size);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return;
        bytes += count;
        size -= static_cast<std::size_t>(count);
    }
}

/// Everything open from `first` on: descriptors of other probes above all, or their pipes would never end.
void close_from(int first) {
#ifdef SYS_close_range
    if (::syscall(SYS_close_range, static_cast<unsigned>(first), ~0U, 0U) == 0) return;
#endif
    constexpr int kUsualLimit = 4096;  // kernels before 5.9
    for (int number = first; number < kUsualLimit; ++number) ::close(number);
}

/// Moves the given ends to 3, 4, 5 ... and closes the rest.
template <std::size_t N>
void keep_only(std::array<int*, N> wanted) {
    constexpr int kAbove = 64;
    for (int* end : wanted) *end = ::fcntl(*end, F_DUPFD, kAbove);
    int target = 3;
    for (int* end : wanted) {
        ::dup2(*end, target);
        *end = target++;
    }
    close_from(target);
}

void reset_signals() {
    sigset_t none;
    ::sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
    for (const int signal : {SIGPIPE, SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGCHLD}) ::signal(signal, SIG_DFL);
}

class WorkerOutput final : public ports::ProbeOutput {
public:
    bool write(std::string_view bytes) override {
        while (!bytes.empty()) {
            const ssize_t count = ::write(STDOUT_FILENO, bytes.data(), bytes.size());
            if (count < 0 && errno == EINTR) continue;
            if (count <= 0) return false;
            bytes.remove_prefix(static_cast<std::size_t>(count));
        }
        return true;
    }
};

[[noreturn]] void work_and_exit(const Work& work, char* const* argv, int output, int errors) {
    ::setpgid(0, 0);
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    const int nothing = ::open("/dev/null", O_RDONLY);
    ::dup2(nothing, STDIN_FILENO);
    ::dup2(output, STDOUT_FILENO);
    ::dup2(errors, STDERR_FILENO);
    close_from(3);
    if (work.task != nullptr) {
        ::signal(SIGPIPE, SIG_IGN);  // a closed pipe is the task's sign to end
        WorkerOutput out;
        ::_exit((*work.task)(out));
    }
    if (::chdir("/") == 0)
        ::execve(work.path.c_str(), argv, const_cast<char* const*>(kEnvironment));  // NOLINT(*-const-cast): C interface
    constexpr std::string_view kCannot = "cannot be executed: ";
    write_all(STDERR_FILENO, kCannot.data(), kCannot.size());
    const char* reason = ::strerrordesc_np(errno);
    if (reason != nullptr) write_all(STDERR_FILENO, reason, std::strlen(reason));
    ::_exit(127);
}

/// Reports the worker's start and end. The worker stays a zombie until we have heard of its end: until then its number
/// belongs to nobody else, and signals cannot hit a stranger.
[[noreturn]] void watch(const Work& work, char* const* argv, const Pipes& pipes, pid_t parent) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent) ::_exit(0);
    reset_signals();
    ::setpgid(0, 0);  // a terminal's Ctrl-C is for the program, which ends us
    int output = pipes.output.write;
    int errors = pipes.errors.write;
    int status = pipes.status.write;
    int control = pipes.control.read;
    keep_only<4>({&output, &errors, &status, &control});
    const pid_t worker = ::fork();
    if (worker < 0) ::_exit(1);
    if (worker == 0) work_and_exit(work, argv, output, errors);
    ::setpgid(worker, worker);
    ::close(output);
    ::close(errors);
    StatusMessage message{worker, 0, 0};
    write_all(status, &message, sizeof message);
    siginfo_t ended{};
    while (::waitid(P_PID, static_cast<id_t>(worker), &ended, WEXITED | WNOWAIT) != 0 && errno == EINTR) {
    }
    message.how = ended.si_code;
    message.code = ended.si_status;
    write_all(status, &message, sizeof message);
    char ignored = 0;
    while (::read(control, &ignored, 1) < 0 && errno == EINTR) {
    }
    ::_exit(0);
}

std::string reason(int number) { return std::generic_category().message(number); }

}  // namespace

std::string find_command(const std::string& name) {
    const auto runs = [](const std::string& path) {
        struct stat facts{};
        return ::stat(path.c_str(), &facts) == 0 && S_ISREG(facts.st_mode) && ::access(path.c_str(), X_OK) == 0;
    };
    if (name.starts_with('/')) return runs(name) ? name : std::string{};
    if (name.empty() || name.find('/') != std::string::npos) return {};
    for (const auto folder : kFolders) {
        std::string path = std::string(folder) + "/" + name;
        if (runs(path)) return path;
    }
    return {};
}

base::Result<WorkerEnds> start_worker(const Work& work) {
    Pipes pipes;
    if (!open_pipe(pipes.output) || !open_pipe(pipes.errors) || !open_pipe(pipes.status) || !open_pipe(pipes.control)) {
        const int error = errno;
        pipes.close_all();
        return base::fail(base::ErrorCode::unreadable, "no pipe: " + reason(error));
    }
    std::vector<char*> argv;
    for (const auto& word : work.argv)
        argv.push_back(const_cast<char*>(word.c_str()));  // NOLINT(*-const-cast): C interface
    argv.push_back(nullptr);
    const pid_t parent = ::getpid();
    const pid_t watcher = ::fork();
    if (watcher == 0) watch(work, argv.data(), pipes, parent);
    if (watcher < 0) {
        const int error = errno;
        pipes.close_all();
        return base::fail(base::ErrorCode::unreadable, "no process: " + reason(error));
    }
    for (const int end : {pipes.output.write, pipes.errors.write, pipes.status.write, pipes.control.read}) ::close(end);
    for (const int end : {pipes.output.read, pipes.errors.read, pipes.status.read})
        ::fcntl(end, F_SETFL, ::fcntl(end, F_GETFL) | O_NONBLOCK);
    return WorkerEnds{watcher, pipes.output.read, pipes.errors.read, pipes.status.read, pipes.control.write};
}

}  // namespace gpumedic::adapters::probe
