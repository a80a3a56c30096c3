#include "evidence/log_lines/prose.h"

#include <gtest/gtest.h>

#include <string>

namespace gpumedic::evidence {
namespace {

std::string fields(std::string_view text) {
    std::string shown;
    for (const auto& field : prose_fields(text))
        shown += (shown.empty() ? "" : " ") + std::string(field.key) + "=" + field.value;
    return shown;
}

TEST(Prose, FiguresHaveTheirUnits) {
    EXPECT_EQ(fields("the third GPU sits at 95 C and draws 600 W"), "celsius=95 watts=600");
    EXPECT_EQ(fields("온도가 95도까지 올라갔습니다"), "celsius=95");
    EXPECT_EQ(fields("97.5°C under load"), "celsius=97.5");
    EXPECT_EQ(fields("소비 전력 700W"), "watts=700");
    for (const char* none : {"GPU 3 is bad", "Tesla V100C", "10.2.3.4 Cisco", "95 CUDA cores", "0000:5a:00.0",
                             "600 Wide", "C", "W", "도", ". C", "1.2.3.4.5 C"})
        EXPECT_EQ(fields(none), "") << none;
}

TEST(Prose, WhatWasTriedAndWhetherItHelped) {
    EXPECT_EQ(fields("We rebooted the node twice, no change"), "tried=reboot result=unchanged");
    EXPECT_EQ(fields("재부팅했는데 그대로입니다"), "tried=reboot result=unchanged");
    EXPECT_EQ(fields("Power cycled it, then it was fine"), "tried=power_cycle");
    EXPECT_EQ(fields("콜드 리부트 후에도 그대로입니다"), "tried=power_cycle result=unchanged");
    EXPECT_EQ(fields("드라이버 재로드는 해 봤습니다"), "tried=driver_reload");
    EXPECT_EQ(fields("reseated the card and it came back"), "tried=reseat result=unchanged");
    EXPECT_EQ(fields("do we need to reboot?"), "");
}

TEST(Prose, AnyBytesAreSurvived) {
    EXPECT_EQ(fields(""), "");
    const std::string text = "온도 95도, rebooted, no change 600 W";
    for (std::size_t size = 0; size <= text.size(); ++size) EXPECT_LE(fields(text.substr(0, size)).size(), 100U);
    EXPECT_EQ(fields(std::string(100'000, 'C')), "");
}

}  // namespace
}  // namespace gpumedic::evidence
