#include "adapters/probe/probe.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <thread>

#include "adapters/probe/worker.h"

namespace gpumedic::adapters {
namespace {

using namespace std::chrono_literals;
using ports::ProbeEnd;
using ports::ProbeLimits;
using testing::HasSubstr;

constexpr ProbeLimits kShort{.deadline = 300ms, .grace = 200ms};
constexpr ProbeLimits kLong{.deadline = 10s};

struct Answer {
    ports::ProbeResult result;
    std::string output{};
};

Answer command(const std::vector<std::string>& argv, const ProbeLimits& limits = kLong, std::stop_token stop = {}) {
    Answer answer;
    answer.result =
        ChildProbe().run_command(argv, limits, [&](std::string_view piece) { answer.output += piece; }, stop);
    return answer;
}

Answer task(const ports::ProbeTask& work, const ProbeLimits& limits = kLong) {
    Answer answer;
    answer.result = ChildProbe().run_task(work, limits, [&](std::string_view piece) { answer.output += piece; }, {});
    return answer;
}

/// Our children that ended and were not waited for.
int zombies() {
    int count = 0;
    for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
        if (entry.path().filename().string().find_first_not_of("0123456789") != std::string::npos) continue;
        std::ifstream file(entry.path() / "stat");
        std::string text;
        std::getline(file, text);
        const auto close = text.rfind(')');
        if (close == std::string::npos) continue;
        const auto rest = text.substr(close + 2);
        if (rest.starts_with("Z " + std::to_string(::getpid()) + " ")) ++count;
    }
    return count;
}

int open_descriptors() {
    int count = 0;
    for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) ++count;
    return count;
}

TEST(Probe, GivesOutputErrorsAndStatus) {
    const auto answer = command({"sh", "-c", "echo out; echo err >&2; exit 3"});
    EXPECT_EQ(answer.result.end, ProbeEnd::exited);
    EXPECT_EQ(answer.result.code, 3);
    EXPECT_EQ(answer.output, "out\n");
    EXPECT_EQ(answer.result.errors, "err\n");
    EXPECT_EQ(answer.result.bytes, 4U);
}

TEST(Probe, CommandsSeeAFixedEnvironmentAndNoInput) {
    ::setenv("GPUMEDIC_TEST_SECRET", "x", 1);
    const auto answer = command({"sh", "-c", "env; cat; ls /proc/self/fd | wc -l"});
    EXPECT_THAT(answer.output, HasSubstr("LC_ALL=C\n"));
    EXPECT_THAT(answer.output, testing::Not(HasSubstr("GPUMEDIC_TEST_SECRET")));
    EXPECT_THAT(answer.output, testing::EndsWith("4\n"));  // 0, 1, 2 and the folder that ls reads
}

TEST(Probe, ArgumentsAreNotReadByAShell) {
    EXPECT_EQ(command({"echo", "$HOME; `id` > x", "*"}).output, "$HOME; `id` > x *\n");
}

TEST(Probe, AMissingCommandIsSaid) {
    EXPECT_EQ(command({"gpumedic-no-such-tool"}).result.end, ProbeEnd::not_found);
    EXPECT_EQ(command({"../bin/sh"}).result.end, ProbeEnd::not_found);
    EXPECT_EQ(command({}).result.end, ProbeEnd::not_found);
}

TEST(Probe, AFileThatIsNoProgramEndsWith127) {
    const auto path = testing::TempDir() + "gpumedic-no-program";
    std::ofstream(path) << "#!/no/such/interpreter\n";
    std::filesystem::permissions(path, std::filesystem::perms::owner_all);
    const auto answer = command({path});
    EXPECT_EQ(answer.result.end, ProbeEnd::exited);
    EXPECT_EQ(answer.result.code, 127);
    EXPECT_THAT(answer.result.errors, HasSubstr("cannot be executed: No such file"));
}

TEST(Probe, DeathByASignalIsTold) {
    const auto answer = command({"sh", "-c", "echo before; kill -SEGV $$"});
    EXPECT_EQ(answer.result.end, ProbeEnd::signalled);
    EXPECT_EQ(answer.result.code, SIGSEGV);
    EXPECT_EQ(answer.output, "before\n");
}

TEST(Probe, ASleeperIsEndedAtItsDeadlineAndItsOutputKept) {
    const auto answer = command({"sh", "-c", "echo before; exec sleep 60"}, kShort);
    EXPECT_EQ(answer.result.end, ProbeEnd::timed_out);
    EXPECT_EQ(answer.output, "before\n");
    EXPECT_GE(answer.result.duration, 300ms);
    EXPECT_LT(answer.result.duration, 2s);
}

TEST(Probe, WhoIgnoresSigtermIsKilled) {
    const auto answer = command({"sh", "-c", "trap '' TERM; while :; do sleep 1; done"}, kShort);
    EXPECT_EQ(answer.result.end, ProbeEnd::timed_out);
    EXPECT_GE(answer.result.duration, 500ms);
    EXPECT_LT(answer.result.duration, 3s);
}

TEST(Probe, AFloodIsCut) {
    const auto answer = command({"yes"}, {.deadline = 10s, .grace = 200ms, .max_bytes = 1000});
    EXPECT_EQ(answer.result.end, ProbeEnd::capped);
    EXPECT_EQ(answer.output.size(), 1000U);
    EXPECT_LT(answer.result.duration, 3s);
}

TEST(Probe, AFloodOfErrorsIsCutAndHarmless) {
    const auto answer = command({"sh", "-c", "yes >&2 & sleep 0.2; kill $!"});
    EXPECT_EQ(answer.result.end, ProbeEnd::exited);
    EXPECT_EQ(answer.result.errors.size(), 8U * 1024);
}

TEST(Probe, ABackgroundChildThatHoldsThePipeDoesNotHoldUs) {
    const auto answer = command({"sh", "-c", "sleep 30 & echo done"});
    EXPECT_EQ(answer.result.end, ProbeEnd::exited);
    EXPECT_EQ(answer.output, "done\n");
    EXPECT_LT(answer.result.duration, 3s);
}

TEST(Probe, AStopFromAnotherThreadEndsIt) {
    std::stop_source source;
    const std::jthread other([&source] {
        static_cast<void>(command({"sleep", "0.2"}));
        source.request_stop();
    });
    const auto answer = command({"sleep", "60"}, kLong, source.get_token());
    EXPECT_EQ(answer.result.end, ProbeEnd::stopped);
    EXPECT_LT(answer.result.duration, 3s);
}

TEST(Probe, ATaskWritesAndGivesItsStatus) {
    const auto answer = task([](ports::ProbeOutput& out) { return out.write("bytes") ? 7 : 1; });
    EXPECT_EQ(answer.result.end, ProbeEnd::exited);
    EXPECT_EQ(answer.result.code, 7);
    EXPECT_EQ(answer.output, "bytes");
}

TEST(Probe, ATaskThatCrashesDoesNotTakeUsDown) {
    const auto answer = task([](ports::ProbeOutput&) {
        ::signal(SIGABRT, SIG_DFL);
        ::abort();
        return 0;
    });
    EXPECT_EQ(answer.result.end, ProbeEnd::signalled);
    EXPECT_EQ(answer.result.code, SIGABRT);
}

/// The parent of a vfork waits in the kernel, in state D, until its child executes something or exits.
TEST(Probe, WhereAWorkerInStateDWaitsIsSaid) {
    const auto answer = task(
        [](ports::ProbeOutput& out) {
            static_cast<void>(out.write("before"));
            if (::vfork() == 0)  // NOLINT: state D is what is wanted
                for (;;) ::pause();
            return 0;
        },
        kShort);
    EXPECT_THAT(answer.result.end, testing::AnyOf(ProbeEnd::timed_out, ProbeEnd::blocked));
    EXPECT_EQ(answer.output, "before");
    EXPECT_LT(answer.result.duration, 2s);
    std::ifstream own("/proc/self/wchan");
    std::string shown;
    if (std::getline(own, shown) && !shown.empty() && ::geteuid() == 0) {
        EXPECT_THAT(answer.result.waits_in, testing::AnyOf(HasSubstr("fork"), HasSubstr("clone"), ""));
    }
}

/// A process that is traced with PTRACE_O_TRACEEXIT stays where it is when SIGKILL comes, until its tracer lets it go:
/// what a read in the kernel that cannot be interrupted looks like from outside.
int survive_sigkill(ports::ProbeOutput& out) {
    const pid_t self = ::getpid();
    int ready[2];
    if (::pipe(ready) != 0) return 1;
    ::prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY);
    if (::fork() == 0) {
        ::setsid();
        ::prctl(PR_SET_PDEATHSIG, 0);
        const bool traced = ::ptrace(PTRACE_SEIZE, self, nullptr, PTRACE_O_TRACEEXIT) == 0;
        ::close(STDOUT_FILENO);
        static_cast<void>(!::write(ready[1], traced ? "y" : "n", 1));
        ::sleep(4);
        ::_exit(0);
    }
    char traced = 'n';
    static_cast<void>(!::read(ready[0], &traced, 1));
    static_cast<void>(out.write(std::string(1, traced) + std::to_string(self)));
    for (;;) ::pause();
}

TEST(Probe, WhatSigkillDoesNotEndIsLeftBehindInTimeAndLeavesNothing) {
    const int descriptors = open_descriptors();
    const auto answer = task(survive_sigkill, kShort);
    ASSERT_FALSE(answer.output.empty());
    if (answer.output.front() == 'n') GTEST_SKIP() << "tracing is not allowed here";
    EXPECT_EQ(answer.result.end, ProbeEnd::blocked);
    EXPECT_GE(answer.result.duration, 700ms);
    EXPECT_LT(answer.result.duration, 2s);
    EXPECT_EQ(open_descriptors(), descriptors);
    EXPECT_TRUE(std::filesystem::exists("/proc/" + answer.output.substr(1))) << "it ended, so nothing was proven";
    EXPECT_EQ(zombies(), 0);
    static_cast<void>(command({"sleep", "4"}));  // its tracer is gone by now, and so is it
    EXPECT_EQ(zombies(), 0);
}

TEST(Probe, AStuckWorkerDoesNotHoldThePipesOfOthers) {
    const std::jthread stuck([] { static_cast<void>(task(survive_sigkill, kShort)); });
    static_cast<void>(command({"sleep", "0.1"}));
    for (int round = 0; round < 5; ++round) {
        const auto answer = command({"echo", "x"});
        EXPECT_EQ(answer.output, "x\n");
        EXPECT_LT(answer.result.duration, 2s);
    }
}

TEST(Probe, ManyAtOnce) {
    std::vector<std::jthread> threads;
    std::atomic<int> good{0};
    for (int i = 0; i < 8; ++i)
        threads.emplace_back([&good] {
            for (int round = 0; round < 10; ++round)
                if (command({"echo", "x"}).output == "x\n") ++good;
        });
    threads.clear();
    EXPECT_EQ(good, 80);
    EXPECT_EQ(zombies(), 0);
}

TEST(FindCommand, LooksInTheSystemsFoldersOnly) {
    EXPECT_TRUE(probe::find_command("sh").starts_with("/"));
    EXPECT_EQ(probe::find_command("./sh"), "");
    EXPECT_EQ(probe::find_command("/bin/sh"), "/bin/sh");
    EXPECT_EQ(probe::find_command("/bin"), "");
}

}  // namespace
}  // namespace gpumedic::adapters
