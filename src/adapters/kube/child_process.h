// One short-lived program whose output is wanted.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"

namespace gpumedic::adapters::kube {

struct ChildOutput {
    int status{};  // exit status; 128 + signal where one ended it
    std::string out{};
    std::string err{};  // the last kMaxErrorBytes of it
    enum class End : std::uint8_t { by_itself, deadline, stopped, too_much_output } end{End::by_itself};

    static constexpr std::size_t kMaxOutBytes = std::size_t{1} << 20;
    static constexpr std::size_t kMaxErrorBytes = 2000;
};

/// `program` is a path, or a name that PATH finds. No shell; standard input is empty. What is still running at the
/// deadline, with all that it started in its process group, is killed. Never blocks for more than a second beyond the
/// deadline. Thread-safe.
[[nodiscard]] base::Result<ChildOutput> run_child(
    const std::string& program, const std::vector<std::string>& arguments,
    const std::vector<std::pair<std::string, std::string>>& added_environment, std::chrono::milliseconds deadline,
    const std::stop_token& stop);

}  // namespace gpumedic::adapters::kube
