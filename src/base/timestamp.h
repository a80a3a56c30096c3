// Times as logs write them. Pure parsers; no locale, no time zone database, thread-safe.
#pragma once

#include <chrono>
#include <compare>
#include <optional>
#include <string>
#include <string_view>

namespace gpumedic::base {

/// One moment, as precisely as the source told it.
///   wall : microseconds since 1970-01-01 UTC. `zone` says whether the source named its offset.
///   boot : microseconds since that machine's boot (dmesg's "[  12.345678]").
struct Timestamp {
    enum class Clock { wall, boot };
    Clock clock{Clock::wall};
    std::chrono::microseconds value{};
    /// Offset from UTC that the source named; nothing when the time had no zone (then read as UTC, or --tz).
    std::optional<std::chrono::minutes> zone{};
    /// False where the source has no year (RFC 3164) and it was taken from context.
    bool has_year{true};

    auto operator<=>(const Timestamp& other) const = default;
};

/// What a zone-less or year-less time is read with.
struct TimeContext {
    std::chrono::minutes zone{0};  // offset for times without one
    int year{1970};                // for RFC 3164
    /// The present, in microseconds since 1970, where it is known: a time without year lies before it.
    std::optional<std::chrono::microseconds> present{};
    /// Whether somebody chose `zone`; else evidence that tells its own zone is believed.
    bool zone_is_chosen{false};
};

/// A time at the start of `text`, and how many bytes it took.
struct ParsedTime {
    Timestamp time;
    std::size_t length{};
};

/// RFC 3339 and its looser relatives: "2025-10-10T22:25:01.838131+09:00", "...Z", "+0900", "2026-02-11
/// 13:00:00.123+0000", "2025-01-21T02:21:33,498559+00:00" (util-linux), without zone, with 0 to 9 fractional digits.
[[nodiscard]] std::optional<ParsedTime> parse_iso_time(std::string_view text, const TimeContext& context);
/// "Oct 10 22:25:01" or "Oct 10 22:25:01.838131" (journal short, short-precise, RFC 3164; day padded with a blank or
/// not).
[[nodiscard]] std::optional<ParsedTime> parse_syslog_time(std::string_view text, const TimeContext& context);
/// "Thu Apr  4 18:03:11 2024" (ctime; dmesg -T).
[[nodiscard]] std::optional<ParsedTime> parse_ctime(std::string_view text, const TimeContext& context);

/// The same day and time of another year, for times whose year was taken from context. The 29th of February may become
/// the 1st of March.
[[nodiscard]] Timestamp shifted_by_years(Timestamp time, int years);

/// RFC 3339 with offset ("2025-10-10T22:25:01.838131+09:00"; UTC as "Z"); fraction only where it is not zero.
/// A boot-clock time gives "[12.345678]".
[[nodiscard]] std::string format_time(const Timestamp& time);

}  // namespace gpumedic::base
