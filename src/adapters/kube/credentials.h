// Who we are at this moment: tokens are rotated under us, plugins' answers expire.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>

#include "adapters/http/http.h"
#include "adapters/kube/access.h"
#include "adapters/kube/exec_plugin.h"

namespace gpumedic::adapters::kube {

using http::Secret;

/// Files are read for every request, so that a rotated token or certificate counts at once; a plugin's answer is kept
/// until shortly before it expires. Thread-safe: one plugin runs at a time, the other callers wait for its answer.
class Credentials {
public:
    explicit Credentials(const Access& access) : access_(access) {}
    [[nodiscard]] base::Result<Secret> current(std::chrono::milliseconds deadline, const std::stop_token& stop);
    /// The server refused the last secret: a kept answer of a plugin is forgotten.
    void refused();

private:
    [[nodiscard]] base::Result<PluginAnswer> plugin_answer(const ExecPlugin& plugin, std::chrono::milliseconds deadline,
                                                           const std::stop_token& stop);
    const Access access_;
    std::mutex mutex_;
    std::condition_variable answered_;
    bool asking_{false};  // a plugin runs, on one caller's thread
    std::optional<PluginAnswer> kept_;
};

}  // namespace gpumedic::adapters::kube
