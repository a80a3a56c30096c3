// --since, --until, --boot, --tz as values.
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "arguments.h"
#include "base/result.h"
#include "base/timestamp.h"

namespace gpumedic::cli {

struct TimeBounds {
    std::optional<base::Timestamp> since;
    std::optional<base::Timestamp> until;
    base::TimeContext context;  // for times without zone or year
};

/// "+09:00", "+0900", "-3", "Z", "UTC" or a name of the system's time zone database ("Asia/Seoul"), whose offset is the
/// one of that moment: a log that crosses a change of daylight saving time is read with one offset. Not thread-safe (TZ
/// is set for a while).
[[nodiscard]] base::Result<std::chrono::minutes> parse_zone(const std::string& text, std::chrono::seconds moment);

/// RFC 3339, or "2025-10-10", "2025-10-10 22:00", "2025-10-10T22:00:05"; without zone in the zone of the context.
[[nodiscard]] base::Result<base::Timestamp> parse_moment(const std::string& text, const base::TimeContext& context);

/// All of them together. Times without a year belong to the year of --until, else --since, else the
/// present, unless other evidence has dates close to them or they would lie in the future.
[[nodiscard]] base::Result<TimeBounds> parse_time_bounds(const Arguments& arguments, std::chrono::seconds present);

}  // namespace gpumedic::cli
