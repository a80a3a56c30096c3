#include "adapters/kube/child_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <map>
#include <system_error>

extern char** environ;

namespace gpumedic::adapters::kube {
namespace {

using Clock = std::chrono::steady_clock;

/// Owns a file descriptor.
class Handle {
public:
    Handle() = default;
    ~Handle() { close(); }
    Handle(const Handle&) = delete;
    Handle& operator=(const Handle&) = delete;
    [[nodiscard]] int number() const { return number_; }
    void take(int number) {
        close();
        number_ = number;
    }
    void close() {
        if (number_ >= 0) ::close(number_);
        number_ = -1;
    }

private:
    int number_{-1};
};

struct Pipe {
    Handle reader;
    Handle writer;
    [[nodiscard]] bool open() {
        std::array<int, 2> ends{};
        if (::pipe2(ends.data(), O_CLOEXEC) != 0) return false;
        reader.take(ends[0]);
        writer.take(ends[1]);
        return ::fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0;
    }
};

std::vector<std::string> environment_with(const std::vector<std::pair<std::string, std::string>>& added) {
    std::map<std::string, std::string> merged;
    for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
        const std::string text(*entry);
        const auto equals = text.find('=');
        if (equals != std::string::npos) merged[text.substr(0, equals)] = text.substr(equals + 1);
    }
    for (const auto& [name, value] : added) merged[name] = value;
    std::vector<std::string> entries;
    entries.reserve(merged.size());
    for (const auto& [name, value] : merged) entries.push_back(fmt::format("{}={}", name, value));
    return entries;
}

std::vector<char*> pointers_to(std::vector<std::string>& texts) {
    std::vector<char*> pointers;
    for (auto& text : texts) pointers.push_back(text.data());
    pointers.push_back(nullptr);
    return pointers;
}

/// The error number of the start, 0 when it runs.
int start(const std::string& program, std::vector<std::string> words, std::vector<std::string> environment, int out,
          int err, pid_t& pid) {
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_init(&files);
    posix_spawnattr_init(&attributes);
    posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&files, out, 1);
    posix_spawn_file_actions_adddup2(&files, err, 2);
    sigset_t none;
    sigset_t all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &all);
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    const auto argv = pointers_to(words);
    const auto envp = pointers_to(environment);
    const int number = ::posix_spawnp(&pid, program.c_str(), &files, &attributes, argv.data(), envp.data());
    posix_spawn_file_actions_destroy(&files);
    posix_spawnattr_destroy(&attributes);
    return number;
}

/// Reads what is there; false at the end.
bool drain(int file, std::string& target) {
    std::array<char, 8192> buffer{};
    while (true) {
        const ssize_t got = ::read(file, buffer.data(), buffer.size());
        if (got > 0) {
            target.append(buffer.data(), static_cast<std::size_t>(got));
            if (target.size() > 2 * ChildOutput::kMaxOutBytes) return true;
            continue;
        }
        if (got < 0 && errno == EINTR) continue;
        return got < 0 && errno == EAGAIN;
    }
}

void keep_end(std::string& text, std::size_t cap) {
    if (text.size() > cap) text.erase(0, text.size() - cap);
}

struct Child {
    pid_t pid;
    Handle ended;  // a pidfd: readable when the program is over
    Pipe out;
    Pipe err;
    Handle stopped;
};

void follow(Child& child, ChildOutput& output, Clock::time_point end, const std::stop_token& stop) {
    const std::stop_callback wake(stop, [&] {
        const std::uint64_t one = 1;
        [[maybe_unused]] const auto written = ::write(child.stopped.number(), &one, sizeof one);
    });
    bool out_open = true;
    bool err_open = true;
    while (true) {
        const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now()).count();
        if (left <= 0) {
            output.end = ChildOutput::End::deadline;
            return;
        }
        std::array<pollfd, 4> waits{{{child.ended.number(), POLLIN, 0},
                                     {child.stopped.number(), POLLIN, 0},
                                     {out_open ? child.out.reader.number() : -1, POLLIN, 0},
                                     {err_open ? child.err.reader.number() : -1, POLLIN, 0}}};
        if (::poll(waits.data(), waits.size(), static_cast<int>(std::min<std::int64_t>(left, 60'000))) < 0) continue;
        if (out_open) out_open = drain(child.out.reader.number(), output.out);
        if (err_open) err_open = drain(child.err.reader.number(), output.err);
        keep_end(output.err, ChildOutput::kMaxErrorBytes);
        if (output.out.size() > ChildOutput::kMaxOutBytes) {
            output.end = ChildOutput::End::too_much_output;
            return;
        }
        if (waits[1].revents != 0) {
            output.end = ChildOutput::End::stopped;
            return;
        }
        if (waits[0].revents != 0) {  // what it wrote before its end may have come after our reads
            drain(child.out.reader.number(), output.out);
            drain(child.err.reader.number(), output.err);
            keep_end(output.err, ChildOutput::kMaxErrorBytes);
            return;
        }
    }
}

}  // namespace

base::Result<ChildOutput> run_child(const std::string& program, const std::vector<std::string>& arguments,
                                    const std::vector<std::pair<std::string, std::string>>& added_environment,
                                    std::chrono::milliseconds deadline, const std::stop_token& stop) {
    const auto end = Clock::now() + deadline;
    Child child{};
    child.stopped.take(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
    if (child.stopped.number() < 0 || !child.out.open() || !child.err.open()) {
        return base::fail(base::ErrorCode::unreadable, std::generic_category().message(errno), program);
    }
    std::vector<std::string> words{program};
    words.insert(words.end(), arguments.begin(), arguments.end());
    const int number = start(program, std::move(words), environment_with(added_environment), child.out.writer.number(),
                             child.err.writer.number(), child.pid);
    if (number != 0) {
        const auto code = number == ENOENT ? base::ErrorCode::not_found : base::ErrorCode::denied;
        return base::fail(code, fmt::format("cannot be started: {}", std::generic_category().message(number)), program);
    }
    child.out.writer.close();
    child.err.writer.close();
    child.ended.take(static_cast<int>(::syscall(SYS_pidfd_open, child.pid, 0)));
    ChildOutput output;
    follow(child, output, end, stop);
    if (output.end != ChildOutput::End::by_itself) {
        ::kill(-child.pid, SIGKILL);
        pollfd dying{child.ended.number(), POLLIN, 0};
        ::poll(&dying, 1, 1000);  // a program in the kernel's hands does not die at once; it is left behind then
    }
    int status = 0;
    if (::waitpid(child.pid, &status, WNOHANG) == child.pid) {
        output.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    }
    return output;
}

}  // namespace gpumedic::adapters::kube
