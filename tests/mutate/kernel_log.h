// A system log as entries, so that it can be told in another form.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gpumedic::mutate {

struct Entry {
    std::chrono::microseconds wall{};  // since 1970 UTC
    std::chrono::microseconds uptime{};
    std::string host{};
    std::string program{};  // "kernel" or another's
    std::string pid{};
    int priority{6};
    std::string message{};  // several lines where the source broke it
};

struct Log {
    std::vector<Entry> entries;
    bool dated{};  // the source's times are of the day; else seconds since boot
};

/// The entries of a text that is mostly kernel lines with times; nothing for any other text, JSON included. Times since
/// boot are dated so that the last entry is at `end`.
[[nodiscard]] std::optional<Log> parse_log(std::string_view text, std::chrono::microseconds end);

/// Lines of a text without the last, empty one.
[[nodiscard]] std::vector<std::string_view> lines_of(std::string_view text);
/// Does this text begin lines as a system log does?
[[nodiscard]] bool is_kernel_log(std::string_view text);

}  // namespace gpumedic::mutate
