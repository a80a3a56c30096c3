#include "time_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <filesystem>

#include "base/text.h"

namespace gpumedic::cli {
namespace {

using base::ErrorCode;
using std::chrono::minutes;
using std::chrono::seconds;

constexpr const char* kZoneFolder = "/usr/share/zoneinfo";

base::Error bad_zone(const std::string& text) {
    return {ErrorCode::usage,
            fmt::format("--tz: '{}' is no time zone", text),
            {},
            "give an offset (+09:00) or a name (Asia/Seoul)"};
}

/// "+09:00", "+0900", "+9".
std::optional<minutes> parse_offset(std::string_view text) {
    if (text.size() < 2 || (text[0] != '+' && text[0] != '-')) return std::nullopt;
    const std::string digits = base::replace_all(text.substr(1), ":", "");
    if (digits.size() > 4 || digits.size() == 3) return std::nullopt;
    const auto number = base::parse_number<int>(digits);
    if (!number || *number < 0) return std::nullopt;
    const minutes size = digits.size() <= 2 ? minutes{*number * 60} : minutes{*number / 100 * 60 + *number % 100};
    if (size > minutes{18 * 60} || (digits.size() == 4 && *number % 100 > 59)) return std::nullopt;
    return text[0] == '-' ? -size : size;
}

bool looks_like_name(std::string_view text) {
    return !text.empty() && text.front() != '/' && !base::contains(text, "..") && std::ranges::all_of(text, [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '/' || c == '_' ||
               c == '-' || c == '+';
    });
}

/// The C library's answer for a zone that is known to exist (for another it would silently say UTC).
minutes offset_of(const std::string& zone, seconds moment) {
    const char* before = std::getenv("TZ");  // NOLINT(concurrency-mt-unsafe): one thread
    const std::optional<std::string> kept = before == nullptr ? std::nullopt : std::optional<std::string>(before);
    ::setenv("TZ", (":" + zone).c_str(), 1);
    ::tzset();
    const auto time = static_cast<std::time_t>(moment.count());
    std::tm local{};
    ::localtime_r(&time, &local);
    if (kept) {
        ::setenv("TZ", kept->c_str(), 1);
    } else {
        ::unsetenv("TZ");
    }
    ::tzset();
    return minutes{local.tm_gmtoff / 60};
}

int year_of(seconds moment) {
    const std::chrono::sys_seconds time{moment};
    return static_cast<int>(std::chrono::year_month_day{std::chrono::floor<std::chrono::days>(time)}.year());
}

}  // namespace

base::Result<minutes> parse_zone(const std::string& text, seconds moment) {
    if (text.empty() || text == "Z" || text == "UTC" || text == "utc") return minutes{0};
    if (const auto offset = parse_offset(text)) return *offset;
    std::error_code error;
    if (!looks_like_name(text)) return tl::make_unexpected(bad_zone(text));
    if (!std::filesystem::is_directory(kZoneFolder, error))
        return base::fail(ErrorCode::usage, fmt::format("--tz {}: this machine has no time zone database", text),
                          kZoneFolder, "give an offset: +09:00");
    if (!std::filesystem::is_regular_file(std::filesystem::path(kZoneFolder) / text, error))
        return tl::make_unexpected(bad_zone(text));
    return offset_of(text, moment);
}

base::Result<base::Timestamp> parse_moment(const std::string& text, const base::TimeContext& context) {
    const std::string trimmed(base::trim(text));
    for (const char* rest : {"", ":00", " 00:00:00"}) {
        const std::string whole = trimmed + rest;
        const auto parsed = base::parse_iso_time(whole, context);
        if (parsed && parsed->length == whole.size()) return parsed->time;
    }
    return base::fail(ErrorCode::usage, fmt::format("'{}' is no time", text), {},
                      "write 2025-10-10T22:25:01+09:00 or '2025-10-10 22:25'");
}

base::Result<TimeBounds> parse_time_bounds(const Arguments& arguments, seconds present) {
    TimeBounds bounds;
    seconds moment = present;
    // The zone's offset depends on the moment and the moment on the zone: UTC is near enough to tell summer from
    // winter.
    for (const std::string& text : {arguments.since, arguments.until}) {
        if (text.empty()) continue;
        const auto rough = parse_moment(text, {});
        if (!rough) return tl::make_unexpected(rough.error());
        moment = std::chrono::floor<seconds>(rough->value);
    }
    bounds.context.year = year_of(moment);
    bounds.context.present = moment;
    const auto zone = parse_zone(arguments.zone, moment);
    if (!zone) return tl::make_unexpected(zone.error());
    bounds.context.zone = *zone;
    bounds.context.zone_is_chosen = !arguments.zone.empty();
    if (!arguments.since.empty()) bounds.since = *parse_moment(arguments.since, bounds.context);
    if (!arguments.until.empty()) bounds.until = *parse_moment(arguments.until, bounds.context);
    if (bounds.since && bounds.until && bounds.until->value < bounds.since->value)
        return base::fail(ErrorCode::usage, "--until is before --since");
    return bounds;
}

}  // namespace gpumedic::cli
