// Ctrl-C and a request to terminate, as a stop token: work is put away before the program ends.
#pragma once

#include <csignal>
#include <stop_token>
#include <thread>

namespace gpumedic::cli {

/// From its construction on SIGINT, SIGTERM and SIGHUP of this process request a stop instead of ending it. To be made
/// before other threads are.
class InterruptWatch {
public:
    InterruptWatch();
    InterruptWatch(const InterruptWatch&) = delete;
    InterruptWatch& operator=(const InterruptWatch&) = delete;
    ~InterruptWatch();
    [[nodiscard]] std::stop_token token() const { return stop_.get_token(); }

private:
    sigset_t before_{};
    int end_{-1};  // an event that ends the watch
    std::stop_source stop_{};
    std::jthread watcher_{};
};

}  // namespace gpumedic::cli
