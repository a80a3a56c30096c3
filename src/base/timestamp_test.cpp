#include "base/timestamp.h"

#include <gtest/gtest.h>

namespace gpumedic::base {
namespace {

using std::chrono::microseconds;
using std::chrono::minutes;

const TimeContext kUtc{minutes{0}, 2025};
const TimeContext kSeoul{minutes{540}, 2025};

std::string iso(std::string_view text, const TimeContext& context = kUtc) {
    const auto parsed = parse_iso_time(text, context);
    return parsed ? format_time(parsed->time) : "nothing";
}

TEST(IsoTime, ReadsEveryRelative) {
    EXPECT_EQ(iso("2025-10-10T22:25:01.838131+09:00 x"), "2025-10-10T22:25:01.838131+09:00");
    EXPECT_EQ(iso("2025-10-10T22:25:01Z"), "2025-10-10T22:25:01Z");
    EXPECT_EQ(iso("2025-01-02T15:20:12+0800 host"), "2025-01-02T15:20:12+08:00");
    EXPECT_EQ(iso("2026-02-11 13:00:00.123+0000: 12"), "2026-02-11T13:00:00.123000Z");
    EXPECT_EQ(iso("2025-01-21T02:21:33,498559+00:00 m"), "2025-01-21T02:21:33.498559Z");
    EXPECT_EQ(iso("2025-01-21T02:21:33.498559123Z"), "2025-01-21T02:21:33.498559Z");
    EXPECT_EQ(iso("2025-01-21T02:21:33-05"), "2025-01-21T02:21:33-05:00");
    EXPECT_EQ(iso("2024-02-29T23:59:60Z"), "2024-03-01T00:00:00Z");
}

TEST(IsoTime, CountsItsBytes) {
    EXPECT_EQ(parse_iso_time("2025-10-10T22:25:01.838131+09:00 x", kUtc)->length, 32u);
    EXPECT_EQ(parse_iso_time("2025-10-10T22:25:01 x", kUtc)->length, 19u);
    EXPECT_EQ(parse_iso_time("2025-10-10T22:25:01. x", kUtc)->length, 19u);
    EXPECT_EQ(parse_iso_time("2025-10-10T22:25:01-x", kUtc)->length, 19u);
}

TEST(IsoTime, ZoneComesFromContextOnlyWhereNoneIsNamed) {
    const auto bare = parse_iso_time("2025-10-10 22:25:01", kSeoul);
    ASSERT_TRUE(bare);
    EXPECT_FALSE(bare->time.zone);
    EXPECT_EQ(format_time(bare->time), "2025-10-10T13:25:01Z");
    EXPECT_EQ(iso("2025-10-10T22:25:01+00:00", kSeoul), "2025-10-10T22:25:01Z");
}

TEST(IsoTime, RefusesWhatIsNoTime) {
    for (const char* text : {"", "2025", "2025-13-01T00:00:00Z", "2025-02-29T00:00:00Z", "2025-10-10T24:00:00Z",
                             "2025-10-10T22:60:01Z", "2025-10-10x22:25:01Z", "2025-10-10T22:25:011Z",
                             "0000-10-10T22:25:01Z", "20a5-10-10T22:25:01Z", "2025-10-10T22.25.01Z"})
        EXPECT_FALSE(parse_iso_time(text, kUtc)) << text;
}

TEST(IsoTime, EveryTruncationIsSafe) {
    const std::string text = "2025-10-10T22:25:01.838131+09:00";
    for (std::size_t size = 0; size < text.size(); ++size) {
        const auto parsed = parse_iso_time(std::string_view{text}.substr(0, size), kUtc);
        EXPECT_EQ(parsed.has_value(), size >= 19) << size;
        EXPECT_LE(parsed ? parsed->length : 0, size);
    }
}

std::string sys(std::string_view text, const TimeContext& context = kUtc) {
    const auto parsed = parse_syslog_time(text, context);
    return parsed ? format_time(parsed->time) : "nothing";
}

TEST(SyslogTime, ReadsShortForms) {
    EXPECT_EQ(sys("Oct 10 22:25:01 host"), "2025-10-10T22:25:01Z");
    EXPECT_EQ(sys("Oct  1 22:25:01.838131 host"), "2025-10-01T22:25:01.838131Z");
    EXPECT_EQ(sys("Oct 1 22:25:01"), "2025-10-01T22:25:01Z");
    EXPECT_EQ(sys("Oct 10 22:25:01 host", kSeoul), "2025-10-10T13:25:01Z");
    EXPECT_FALSE(parse_syslog_time("Oct 10 22:25:01", kUtc)->time.has_year);
    EXPECT_EQ(parse_syslog_time("Oct  1 22:25:01.838131 host", kUtc)->length, 22u);
}

TEST(SyslogTime, ReadsOtherLanguages) {
    EXPECT_EQ(sys("10월 10 22:25:01 host"), "2025-10-10T22:25:01Z");
    EXPECT_EQ(sys("11月 05 14:15:47 host"), "2025-11-05T14:15:47Z");
    EXPECT_EQ(sys("août 25 19:38:04 host"), "2025-08-25T19:38:04Z");
    EXPECT_EQ(sys("Dez 01 19:38:04 host"), "2025-12-01T19:38:04Z");
}

TEST(SyslogTime, RefusesWhatIsNoTime) {
    for (const char* text : {"", "Oct", "Oct ", "Oct 32 22:25:01", "Foo 10 22:25:01", "Oct 10", "Oct 10 2:25:01",
                             "13월 10 22:25:01", "Oct 0 22:25:01", "월 10 22:25:01", "Oct 10 22:25:0"})
        EXPECT_FALSE(parse_syslog_time(text, kUtc)) << text;
}

TEST(SyslogTime, EveryTruncationIsSafe) {
    const std::string text = "10월 10 22:25:01.838131 host";
    for (std::size_t size = 0; size < text.size(); ++size) {
        const auto parsed = parse_syslog_time(std::string_view{text}.substr(0, size), kUtc);
        EXPECT_LE(parsed ? parsed->length : 0, size);
        EXPECT_TRUE(parsed.has_value() || size < 17) << size;
    }
}

TEST(Ctime, ReadsDmesgT) {
    const auto parsed = parse_ctime("Thu Apr  4 18:03:11 2024] x", kUtc);
    ASSERT_TRUE(parsed);
    EXPECT_EQ(format_time(parsed->time), "2024-04-04T18:03:11Z");
    EXPECT_EQ(parsed->length, 24u);
    EXPECT_TRUE(parsed->time.has_year);
    EXPECT_EQ(format_time(parse_ctime("목  4월  4 18:03:11 2024", kSeoul)->time), "2024-04-04T09:03:11Z");
}

TEST(Ctime, RefusesAndSurvivesTruncation) {
    const std::string text = "Thu Apr  4 18:03:11 2024";
    for (std::size_t size = 0; size < text.size(); ++size)
        EXPECT_FALSE(parse_ctime(std::string_view{text}.substr(0, size), kUtc)) << size;
    EXPECT_FALSE(parse_ctime("Thu Feb 30 18:03:11 2024", kUtc));
    EXPECT_FALSE(parse_ctime("Thu Apr  4 18:03:11 20244", kUtc));
    EXPECT_FALSE(parse_ctime("    ", kUtc));
}

TEST(FormatTime, BootClockAndNegativeZone) {
    EXPECT_EQ(format_time({Timestamp::Clock::boot, microseconds{12'345'678}, {}, true}), "[12.345678]");
    EXPECT_EQ(format_time({Timestamp::Clock::wall, microseconds{0}, minutes{-210}, true}), "1969-12-31T20:30:00-03:30");
}

}  // namespace
}  // namespace gpumedic::base
