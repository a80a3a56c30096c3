#include "codec/pattern.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gpumedic::codec {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

Pattern compiled(std::string_view expression) {
    auto pattern = Pattern::compile(expression);
    if (!pattern) ADD_FAILURE() << pattern.error().what;
    return pattern ? std::move(*pattern) : std::move(*Pattern::compile("x"));
}

TEST(Pattern, GivesNamedGroupsInTheirOrder) {
    const Pattern pattern =
        compiled(R"(NVRM: Xid \((PCI:(?P<pci>[0-9a-f:.]+))\): (?P<code>\d+)(?:, pid=(?P<pid>\d+))?)");
    EXPECT_THAT(pattern.group_names(), ElementsAre("pci", "code", "pid"));
    const auto captures = pattern.match("kernel: NVRM: Xid (PCI:0000:a1:00): 79, GPU has fallen off the bus.");
    ASSERT_TRUE(captures);
    EXPECT_THAT(*captures, ElementsAre(Pair("pci", "0000:a1:00"), Pair("code", "79")));
    EXPECT_FALSE(pattern.match("NVRM: Xid (PCI:0000:a1:00): none"));
    EXPECT_FALSE(pattern.match(""));
}

TEST(Pattern, AnEmptyGroupTookPart) {
    const Pattern pattern = compiled("a(?P<x>b*)c");
    const auto captures = pattern.match("ac");
    ASSERT_TRUE(captures);
    EXPECT_THAT(*captures, ElementsAre(Pair("x", "")));
    EXPECT_TRUE(compiled("plain").match("some plain text")->empty());
}

TEST(Pattern, NamesStayValidWhenThePatternMoves) {
    Pattern first = compiled("(?P<a_name_longer_than_any_small_string_buffer>x)");
    const auto captures = first.match("x");
    const Pattern second = std::move(first);
    ASSERT_TRUE(captures);
    EXPECT_EQ(captures->front().first, "a_name_longer_than_any_small_string_buffer");
    EXPECT_TRUE(second.match("x"));
}

TEST(Pattern, MatchesAnyBytes) {
    const Pattern pattern = compiled("temp (?P<rest>.*) end");
    const auto captures = pattern.match("\xff temp \x80\xfe\x01 end \xff");
    ASSERT_TRUE(captures);
    EXPECT_THAT(*captures, ElementsAre(Pair("rest", "\x80\xfe\x01")));
    EXPECT_TRUE(compiled("장치 .* 오류").match("로그: 장치 0000:a1:00.0 오류"));
    EXPECT_TRUE(compiled("(?i)xid").match("XID"));
    EXPECT_FALSE(compiled("one.two").match("one\ntwo"));
    EXPECT_TRUE(compiled("(?m)^two$").match("one\ntwo\nthree"));
}

TEST(Pattern, RefusesWithAReason) {
    for (const char* bad :
         {"(", "[a", "a**", "(?=x)", "(?<!x)y", R"((a)\1)", "(?P<n>a)(?P<n>b)", "((a{1000}){1000}){1000}", "\\"}) {
        const auto pattern = Pattern::compile(bad);
        ASSERT_FALSE(pattern) << bad;
        EXPECT_EQ(pattern.error().code, base::ErrorCode::malformed);
        EXPECT_THAT(pattern.error().what, HasSubstr("bad pattern: "));
    }
    std::string groups;
    for (int i = 0; i < 100; ++i) groups += "(a)";
    EXPECT_FALSE(Pattern::compile(groups + "(?P<last>a)"));
    EXPECT_TRUE(Pattern::compile("(?P<first>a)" + groups));
}

TEST(Pattern, IsLinearOnHostileText) {
    const Pattern pattern = compiled("(?P<a>(x+x+)+)y");
    EXPECT_FALSE(pattern.match(std::string(200'000, 'x')));
}

}  // namespace
}  // namespace gpumedic::codec
