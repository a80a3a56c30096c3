#include "interrupt.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>

namespace gpumedic::cli {

InterruptWatch::InterruptWatch() : end_(::eventfd(0, EFD_CLOEXEC)) {
    sigset_t wanted;
    ::sigemptyset(&wanted);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) ::sigaddset(&wanted, signal);
    ::pthread_sigmask(SIG_BLOCK, &wanted, &before_);
    const int signals = ::signalfd(-1, &wanted, SFD_CLOEXEC);
    watcher_ = std::jthread([this, signals] {
        std::array<pollfd, 2> watched{{{signals, POLLIN, 0}, {end_, POLLIN, 0}}};
        while (::poll(watched.data(), watched.size(), -1) < 0 && errno == EINTR) {
        }
        if (watched[0].revents != 0) stop_.request_stop();
        ::close(signals);
    });
}

InterruptWatch::~InterruptWatch() {
    const std::uint64_t one = 1;
    static_cast<void>(::write(end_, &one, sizeof one) == sizeof one);
    watcher_.join();
    ::close(end_);
    // What came meanwhile has been heeded; pending again, it would end the program now.
    const timespec now{0, 0};
    sigset_t wanted;
    ::sigemptyset(&wanted);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) ::sigaddset(&wanted, signal);
    while (stop_.stop_requested() && ::sigtimedwait(&wanted, nullptr, &now) > 0) {
    }
    ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

}  // namespace gpumedic::cli
