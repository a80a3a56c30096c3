#include "base/timestamp.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace gpumedic::base {
namespace {

using std::chrono::days;
using std::chrono::microseconds;
using std::chrono::minutes;
using std::chrono::seconds;

constexpr std::size_t kMaxMonthToken = 16;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool digit_at(std::string_view text, std::size_t at) { return at < text.size() && is_digit(text[at]); }

/// Exactly `count` digits at `at`, or -1.
int fixed_number(std::string_view text, std::size_t at, std::size_t count) {
    if (at + count > text.size()) return -1;
    int value = 0;
    for (std::size_t i = at; i < at + count; ++i) {
        if (!is_digit(text[i])) return -1;
        value = value * 10 + (text[i] - '0');
    }
    return value;
}

/// Digits after the point at `at`, read as microseconds; finer digits are dropped. Moves `at` past them.
microseconds fraction(std::string_view text, std::size_t& at) {
    std::int64_t value = 0;
    std::int64_t unit = 100'000;
    for (; digit_at(text, at); ++at) {
        value += (text[at] - '0') * unit;
        unit /= 10;
    }
    return microseconds{value};
}

/// "22:25:01" with an optional fraction after '.' or ','. Moves `at` past it.
std::optional<microseconds> time_of_day(std::string_view text, std::size_t& at) {
    const int hour = fixed_number(text, at, 2);
    const int minute = fixed_number(text, at + 3, 2);
    const int second = fixed_number(text, at + 6, 2);
    if (hour < 0 || hour > 23 || minute < 0 || minute > 59 || second < 0 || second > 60) return std::nullopt;
    if (text[at + 2] != ':' || text[at + 5] != ':') return std::nullopt;
    at += 8;
    if (digit_at(text, at)) return std::nullopt;
    microseconds value = seconds{(hour * 60 + minute) * 60 + second};
    if (at < text.size() && (text[at] == '.' || text[at] == ',') && digit_at(text, at + 1))
        value += fraction(text, ++at);
    return value;
}

/// "Z", "+09:00", "+0900" or "+09". Nothing (and `at` unmoved) where no zone stands.
std::optional<minutes> zone_at(std::string_view text, std::size_t& at) {
    if (at >= text.size()) return std::nullopt;
    if (text[at] == 'Z' || text[at] == 'z') {
        ++at;
        return minutes{0};
    }
    if (text[at] != '+' && text[at] != '-') return std::nullopt;
    const int hour = fixed_number(text, at + 1, 2);
    if (hour < 0 || hour > 23) return std::nullopt;
    std::size_t next = at + 3;
    const bool colon = next < text.size() && text[next] == ':' && digit_at(text, next + 1);
    int minute = fixed_number(text, colon ? next + 1 : next, 2);
    if (minute < 0 && !colon && !digit_at(text, next)) {
        minute = 0;
    } else if (minute < 0 || minute > 59) {
        return std::nullopt;
    } else {
        next += colon ? 3 : 2;
    }
    const minutes offset{hour * 60 + minute};
    const bool west = text[at] == '-';
    at = next;
    return west ? -offset : offset;
}

microseconds at_midnight(int year, int month, int day) {
    const std::chrono::sys_days date{std::chrono::year{year} / month / day};
    return date.time_since_epoch();
}

bool is_date(int year, int month, int day) {
    if (year < 1 || month < 1 || day < 1) return false;
    return (std::chrono::year{year} / month / day).ok();
}

constexpr std::array<std::string_view, 12> kMonths{"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                   "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};

/// journalctl and dmesg -T write the month in the operator's language. Only spellings that differ from the English
/// ones.
constexpr std::pair<std::string_view, int> kOtherMonths[] = {
    {"janv", 1}, {"ene", 1},   {"jan", 1},  {"févr", 2}, {"feb", 2},  {"Mär", 3},  {"mars", 3},
    {"mar", 3},  {"avril", 4}, {"abr", 4},  {"Mai", 5},  {"mai", 5},  {"may", 5},  {"juin", 6},
    {"jun", 6},  {"jul", 7},   {"juil", 7}, {"août", 8}, {"ago", 8},  {"sept", 9}, {"sep", 9},
    {"Sept", 9}, {"Okt", 10},  {"oct", 10}, {"nov", 11}, {"Dez", 12}, {"dic", 12}, {"déc", 12},
};

std::optional<int> other_month(std::string_view token) {
    for (std::string_view sign : {std::string_view{"월"}, std::string_view{"月"}}) {
        if (!token.ends_with(sign)) continue;
        token.remove_suffix(sign.size());
        const int month = token.size() <= 2 && !token.empty() ? fixed_number(token, 0, token.size()) : -1;
        return month >= 1 && month <= 12 ? std::optional{month} : std::nullopt;
    }
    if (token.ends_with('.')) token.remove_suffix(1);
    for (const auto& [name, month] : kOtherMonths)
        if (token == name) return month;
    return std::nullopt;
}

/// A month's name and the blanks after it. Moves `at` past both.
std::optional<int> month_at(std::string_view text, std::size_t& at) {
    if (at >= text.size()) return std::nullopt;
    const auto token = text.substr(at, std::min(text.find(' ', at) - at, kMaxMonthToken + 1));
    if (token.size() > kMaxMonthToken || at + token.size() >= text.size()) return std::nullopt;
    std::optional<int> month;
    for (std::size_t i = 0; i < kMonths.size() && token.size() == 3; ++i)
        if (token == kMonths[i]) month = static_cast<int>(i) + 1;
    if (!month) month = other_month(token);
    if (!month) return std::nullopt;
    at += token.size();
    while (at < text.size() && text[at] == ' ') ++at;
    return month;
}

/// One or two digits and the blank after them. Moves `at` past both.
int day_at(std::string_view text, std::size_t& at) {
    const std::size_t count = digit_at(text, at + 1) ? 2 : 1;
    const int day = fixed_number(text, at, count);
    at += count;
    if (day < 1 || day > 31 || at >= text.size() || text[at] != ' ') return -1;
    ++at;
    return day;
}

}  // namespace

std::optional<ParsedTime> parse_iso_time(std::string_view text, const TimeContext& context) {
    if (text.size() < 19 || text[4] != '-' || text[7] != '-') return std::nullopt;
    if (text[10] != 'T' && text[10] != ' ' && text[10] != 't') return std::nullopt;
    const int year = fixed_number(text, 0, 4);
    const int month = fixed_number(text, 5, 2);
    const int day = fixed_number(text, 8, 2);
    if (!is_date(year, month, day)) return std::nullopt;
    std::size_t at = 11;
    const auto clock = time_of_day(text, at);
    if (!clock) return std::nullopt;
    ParsedTime parsed;
    parsed.time.zone = zone_at(text, at);
    parsed.time.value = at_midnight(year, month, day) + *clock - parsed.time.zone.value_or(context.zone);
    parsed.length = at;
    return parsed;
}

std::optional<ParsedTime> parse_syslog_time(std::string_view text, const TimeContext& context) {
    std::size_t at = 0;
    const auto month = month_at(text, at);
    if (!month) return std::nullopt;
    const int day = day_at(text, at);
    if (day < 0) return std::nullopt;
    const auto clock = time_of_day(text, at);
    if (!clock) return std::nullopt;
    ParsedTime parsed;
    parsed.time.has_year = false;
    parsed.time.value = at_midnight(context.year, *month, day) + *clock - context.zone;
    parsed.length = at;
    return parsed;
}

std::optional<ParsedTime> parse_ctime(std::string_view text, const TimeContext& context) {
    const auto weekday = text.substr(0, kMaxMonthToken).find(' ');
    if (weekday == std::string_view::npos || weekday == 0) return std::nullopt;
    std::size_t at = weekday;
    while (at < text.size() && text[at] == ' ') ++at;
    const auto month = month_at(text, at);
    if (!month) return std::nullopt;
    const int day = day_at(text, at);
    if (day < 0) return std::nullopt;
    const auto clock = time_of_day(text, at);
    if (!clock || at >= text.size() || text[at] != ' ') return std::nullopt;
    const int year = fixed_number(text, at + 1, 4);
    if (!is_date(year, *month, day) || digit_at(text, at + 5)) return std::nullopt;
    ParsedTime parsed;
    parsed.time.value = at_midnight(year, *month, day) + *clock - context.zone;
    parsed.length = at + 5;
    return parsed;
}

Timestamp shifted_by_years(Timestamp time, int years) {
    const std::chrono::sys_time<microseconds> moment{time.value};
    const auto date = std::chrono::floor<days>(moment);
    const std::chrono::year_month_day from{date};
    const std::chrono::sys_days to{(from.year() + std::chrono::years{years}) / from.month() / from.day()};
    time.value += to - date;
    return time;
}

std::string format_time(const Timestamp& time) {
    if (time.clock == Timestamp::Clock::boot) {
        const auto whole = std::chrono::floor<seconds>(time.value);
        return fmt::format("[{}.{:06}]", whole.count(), (time.value - whole).count());
    }
    const minutes zone = time.zone.value_or(minutes{0});
    const std::chrono::sys_time<microseconds> local{time.value + zone};
    const auto date = std::chrono::floor<days>(local);
    const std::chrono::year_month_day ymd{date};
    const std::chrono::hh_mm_ss clock{local - date};
    std::string text = fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}", static_cast<int>(ymd.year()),
                                   static_cast<unsigned>(ymd.month()), static_cast<unsigned>(ymd.day()),
                                   clock.hours().count(), clock.minutes().count(), clock.seconds().count());
    if (clock.subseconds().count() != 0) text += fmt::format(".{:06}", clock.subseconds().count());
    if (zone == minutes{0}) return text + "Z";
    const auto size = zone < minutes{0} ? -zone : zone;
    return text + fmt::format("{}{:02}:{:02}", zone < minutes{0} ? '-' : '+', size.count() / 60, size.count() % 60);
}

}  // namespace gpumedic::base
