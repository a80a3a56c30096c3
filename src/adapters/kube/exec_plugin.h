// Runs a credential plugin and reads what it prints.
#pragma once

#include <chrono>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

#include "adapters/kube/access.h"

namespace gpumedic::adapters::kube {

struct PluginAnswer {
    std::string token{};
    std::string certificate{};  // PEM
    std::string key{};
    /// When it has to be asked again; nothing: when the server refuses what it gave.
    std::optional<std::chrono::system_clock::time_point> expires{};
};

/// An ExecCredential. Pure. Errors never show what was printed: it may be a secret.
[[nodiscard]] base::Result<PluginAnswer> parse_exec_credential(std::string_view text, const ExecPlugin& plugin);

/// Runs the program without a shell, standard input empty, with KUBERNETES_EXEC_INFO set, in a process group of its
/// own that is killed at the deadline or on a stop request. The end of what it says on standard error becomes part of
/// the error. Thread-safe.
[[nodiscard]] base::Result<PluginAnswer> run_plugin(const ExecPlugin& plugin, const Access& access,
                                                    std::chrono::milliseconds deadline, const std::stop_token& stop);

}  // namespace gpumedic::adapters::kube
