#include "base/text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>

namespace gpumedic::base {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

std::string all_bytes() {
    std::string bytes;
    for (int byte = 0; byte < 256; ++byte) bytes.push_back(static_cast<char>(byte));
    return bytes;
}

TEST(Text, Trims) {
    EXPECT_EQ(trim(" \t a b \r\n"), "a b");
    EXPECT_EQ(trim_left("  a "), "a ");
    EXPECT_EQ(trim_right(" a  "), " a");
    EXPECT_EQ(trim(" \t\n"), "");
    EXPECT_EQ(trim(""), "");
}

TEST(Text, Splits) {
    EXPECT_THAT(split("a,,b", ','), ElementsAre("a", "", "b"));
    EXPECT_THAT(split(",", ','), ElementsAre("", ""));
    EXPECT_THAT(split("", ','), ElementsAre(""));
    EXPECT_THAT(split_blanks("  a \t b  "), ElementsAre("a", "b"));
    EXPECT_THAT(split_blanks(" \t "), IsEmpty());
    EXPECT_THAT(split_blanks("one"), ElementsAre("one"));
}

TEST(Text, SplitsOnce) {
    EXPECT_EQ(split_once("key: a: b", ": "), std::pair(std::string_view("key"), std::string_view("a: b")));
    EXPECT_EQ(split_once("key", ": "), std::pair(std::string_view("key"), std::string_view()));
    EXPECT_EQ(split_once(": b", ": "), std::pair(std::string_view(), std::string_view("b")));
}

TEST(Text, IgnoresAsciiCaseOnly) {
    EXPECT_EQ(lower("GPU \xC3\x89 Z["), "gpu \xC3\x89 z[");
    EXPECT_TRUE(contains_ignoring_case("the NVRM line", "nvrm"));
    EXPECT_TRUE(contains_ignoring_case("abc", ""));
    EXPECT_FALSE(contains_ignoring_case("ab", "abc"));
    EXPECT_FALSE(contains_ignoring_case("a@b", "a`b"));
    EXPECT_TRUE(contains("abc", "bc"));
    EXPECT_FALSE(contains("abc", "BC"));
}

TEST(Text, ReplacesEveryPiece) {
    EXPECT_EQ(replace_all("{a} and {a}", "{a}", "x"), "x and x");
    EXPECT_EQ(replace_all("aaa", "aa", "b"), "ba");
    EXPECT_EQ(replace_all("aa", "a", "aa"), "aaaa");
    EXPECT_EQ(replace_all("abc", "", "x"), "abc");
    EXPECT_EQ(replace_all("", "a", "x"), "");
}

TEST(Text, ParsesWholeNumbersOnly) {
    EXPECT_EQ(parse_number<int>("79"), 79);
    EXPECT_EQ(parse_number<int>("-3"), -3);
    EXPECT_EQ(parse_number<unsigned>("ed", 16), 0xEDU);
    EXPECT_EQ(parse_number<std::uint8_t>("255"), 255);
    EXPECT_EQ(parse_number<std::uint8_t>("256"), std::nullopt);
    for (const char* bad : {"", " 1", "1 ", "1x", "+1", "0x1", "99999999999999999999"})
        EXPECT_EQ(parse_number<int>(bad), std::nullopt) << bad;
}

TEST(Text, ParsesDecimals) {
    EXPECT_EQ(parse_decimal("1.5"), 1.5);
    EXPECT_EQ(parse_decimal("-2e3"), -2000.0);
    for (const char* bad : {"", "1.5 ", "1,5", "x", "1.5W"}) EXPECT_EQ(parse_decimal(bad), std::nullopt) << bad;
}

TEST(Text, PrintableKeepsGoodTextAndNothingThatATerminalObeys) {
    EXPECT_EQ(printable("장치 é\t\xF0\x9F\x98\x80"), "장치 é\t\xF0\x9F\x98\x80");
    EXPECT_EQ(printable("\x1b[31mred\n\x7f"), " [31mred  ");
    EXPECT_EQ(printable("\xC2\x9B"
                        "2J"),
              " 2J");
    EXPECT_EQ(printable("a\xFF\xC3"
                        "b"),
              "a" + std::string(kReplacement) + std::string(kReplacement) + "b");
    EXPECT_EQ(printable(std::string_view("\0", 1)), " ");
    EXPECT_EQ(printable("x\xE2\x80\xAE"
                        "y"),
              "x y");
}

TEST(Text, PrintableIsValidUtf8WhateverTheBytes) {
    const std::string bytes = all_bytes() + "\xF0\x9F\x98\x80\xED\xA0\x80\xF4\x90\x80\x80";
    for (std::size_t start = 0; start < bytes.size(); ++start) {
        const std::string shown = printable(std::string_view{bytes}.substr(start));
        ASSERT_TRUE(is_valid_utf8(shown)) << start;
        ASSERT_EQ(shown.find('\x1b'), std::string::npos);
        ASSERT_EQ(printable(shown), shown);
    }
}

TEST(Text, KnowsValidUtf8) {
    for (const char* good : {"", "abc", "한국어", "\xF0\x9F\x98\x80", "\xF4\x8F\xBF\xBF", "\xED\x9F\xBF"})
        EXPECT_TRUE(is_valid_utf8(good)) << good;
    for (const char* bad : {"\x80", "\xC0\x80", "\xE0\x80\x80", "\xED\xA0\x80", "\xF0\x80\x80\x80", "\xF4\x90\x80\x80",
                            "\xE2\x82", "\xFF"}) {
        EXPECT_FALSE(is_valid_utf8(bad));
    }
}

TEST(Text, MeasuresColumns) {
    EXPECT_EQ(display_width("abc"), 3U);
    EXPECT_EQ(display_width("장치"), 4U);
    EXPECT_EQ(display_width("ｆ"), 2U);
    EXPECT_EQ(display_width("e\xCC\x81"), 1U);
    EXPECT_EQ(display_width(""), 0U);
    EXPECT_EQ(display_width("\xFF"), 1U);
}

}  // namespace
}  // namespace gpumedic::base
