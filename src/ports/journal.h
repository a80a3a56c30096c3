// A systemd journal, asked for entries. adapters/journal implements it over libsystemd.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace gpumedic::ports {

struct JournalQuery {
    enum class Origin : std::uint8_t { kernel, programs } origin{Origin::kernel};
    std::vector<std::string> programs{};  // _COMM or SYSLOG_IDENTIFIER, for Origin::programs; empty: everything
    int boots{1};                         // the last, and so many before it; 0: all
    std::optional<std::chrono::microseconds> since{};  // since 1970
    std::uint64_t max_bytes{std::uint64_t{64} << 20};  // of lines; the newest count
    /// How long the way back from the newest entry may take: of what a slow disk cannot give in time the newest counts.
    std::chrono::milliseconds max_walk{6'000};
};

struct JournalSummary {
    std::uint64_t entries{};
    std::uint64_t bytes{};
    int boots{};              // of which entries were asked for
    bool is_cut{false};       // older entries were left out
    std::uint64_t damaged{};  // files or stretches that could not be read
    std::string damage{};     // why, of the first
};

/// False ends the reading. A line is one entry as a JSON object, with its line end.
using JournalSink = std::function<bool(std::string_view line)>;

/// Not thread-safe; may block: use it inside of a ports::Probe.
class Journal {
public:
    virtual ~Journal() = default;
    /// Entries in their order of time. Errors: not_found (there is no journal), denied, unreadable (none of its files
    /// can be read).
    [[nodiscard]] virtual base::Result<JournalSummary> read(const JournalQuery& query, const JournalSink& sink) = 0;
};

}  // namespace gpumedic::ports
