#include "signals/year_fitting.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace gpumedic::signals {
namespace {

base::Timestamp dated(std::string_view text) { return base::parse_iso_time(text, {})->time; }
base::Timestamp yearless(std::string_view text, int year) {
    return base::parse_syslog_time(text, {std::chrono::minutes{0}, year, {}})->time;
}

FoldedSignal signal(std::uint32_t source, base::Timestamp time) {
    FoldedSignal folded;
    folded.source = source;
    folded.signal.first = folded.signal.last = time;
    folded.signal.evidence.push_back({source, 1, time, "x"});
    return folded;
}

std::string time_of(const FoldedSignal& folded) { return base::format_time(*folded.signal.last); }

TEST(FitYears, DatedEvidenceSaysTheYear) {
    std::vector<FoldedSignal> signals{signal(0, yearless("Oct 10 22:25:01 ", 2026)),
                                      signal(1, dated("2025-10-10T22:26:00Z"))};
    fit_years(signals, dated("2026-12-01T00:00:00Z").value);
    EXPECT_EQ(time_of(signals[0]), "2025-10-10T22:25:01Z");
    EXPECT_EQ(signals[0].signal.evidence[0].time, signals[0].signal.first);
    EXPECT_EQ(time_of(signals[1]), "2025-10-10T22:26:00Z");
}

TEST(FitYears, DecemberIsOfTheYearBeforeADatedJanuary) {
    std::vector<FoldedSignal> signals{signal(0, yearless("Dec 31 23:59:00 ", 2026)),
                                      signal(1, dated("2026-01-01T00:01:00Z"))};
    fit_years(signals, std::nullopt);
    EXPECT_EQ(time_of(signals[0]), "2025-12-31T23:59:00Z");
}

TEST(FitYears, NothingLiesInTheFuture) {
    std::vector<FoldedSignal> signals{signal(0, yearless("Dec 30 23:59:00 ", 2026)),
                                      signal(1, yearless("Jan  3 10:00:00 ", 2026))};
    fit_years(signals, dated("2026-01-04T00:00:00Z").value);
    EXPECT_EQ(time_of(signals[0]), "2025-12-30T23:59:00Z");
    EXPECT_EQ(time_of(signals[1]), "2026-01-03T10:00:00Z");
}

TEST(FitYears, ASourceMovesAsOne) {
    std::vector<FoldedSignal> signals{signal(0, yearless("Dec 31 23:59:00 ", 2026)),
                                      signal(0, yearless("Jan  1 00:01:00 ", 2027))};
    fit_years(signals, dated("2026-12-20T00:00:00Z").value);
    EXPECT_EQ(time_of(signals[0]), "2025-12-31T23:59:00Z");
    EXPECT_EQ(time_of(signals[1]), "2026-01-01T00:01:00Z");
}

TEST(FitYears, BootTimesAndAbsentTimesStay) {
    FoldedSignal without;
    std::vector<FoldedSignal> signals{
        without, signal(1, {base::Timestamp::Clock::boot, std::chrono::seconds{12}, std::nullopt, true}),
        signal(2, yearless("Feb 29 10:00:00 ", 2024)), signal(3, dated("2025-03-01T09:00:00Z"))};
    fit_years(signals, std::nullopt);
    EXPECT_FALSE(signals[0].signal.last);
    EXPECT_EQ(time_of(signals[1]), "[12.000000]");
    EXPECT_EQ(time_of(signals[2]), "2025-03-01T10:00:00Z");
}

}  // namespace
}  // namespace gpumedic::signals
