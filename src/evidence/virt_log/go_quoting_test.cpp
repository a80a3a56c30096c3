#include "evidence/virt_log/go_quoting.h"

#include <gtest/gtest.h>

namespace gpumedic::evidence {
namespace {

TEST(GoQuoting, RepliesLoseTheirQuotes) {
    EXPECT_EQ(without_go_quoting(R"j(command failed: "LibvirtError(Message='a \"b\" c')")j"),
              "command failed: LibvirtError(Message='a \"b\" c')");
    EXPECT_EQ(without_go_quoting(R"j("all of it")j"), "all of it");
    EXPECT_EQ(without_go_quoting(R"j(failed: "a\nb", retry)j"), "failed: a\nb, retry");
}

TEST(GoQuoting, WordsInASentenceKeepThem) {
    EXPECT_EQ(without_go_quoting(R"j(cannot open "/dev/vfio/1" now)j"), R"j(cannot open "/dev/vfio/1" now)j");
    EXPECT_EQ(without_go_quoting("no quotes at all: x"), "no quotes at all: x");
}

TEST(GoQuoting, ResolvesEveryEscape) {
    EXPECT_EQ(without_go_quoting(R"j("\a\b\f\n\r\t\v\\\"\x41\101\u00e9\uc7a5\U0001F600")j"),
              "\a\b\f\n\r\t\v\\\"AA\xC3\xA9\xEC\x9E\xA5\xF0\x9F\x98\x80");
}

TEST(GoQuoting, KeepsWhatIsNoEscape) {
    EXPECT_EQ(without_go_quoting(R"j("\q \x4 \xzz \u12 \ud800 \U99999999 \9")j"),
              R"j(\q \x4 \xzz \u12 \ud800 \U99999999 \9)j");
    EXPECT_EQ(without_go_quoting(R"j(outside \n stays)j"), R"j(outside \n stays)j");
}

TEST(GoQuoting, ResolvesOneLevelOnly) {
    EXPECT_EQ(without_go_quoting(R"j(a: "b: \"c \\\"d\\\"\"")j"), R"j(a: b: "c \"d\"")j");
}

TEST(GoQuoting, EveryTruncationIsSafe) {
    const std::string text = R"j(a: "b\x41\u00e9\"\\" "c" \")j";
    for (std::size_t size = 0; size <= text.size(); ++size)
        EXPECT_LE(without_go_quoting(std::string_view{text}.substr(0, size)).size(), size + 2);
    EXPECT_EQ(without_go_quoting("a: \"cut"), "a: cut");
    EXPECT_EQ(without_go_quoting("a: \"cut\\"), "a: cut\\");
}

TEST(GoQuoting, OneLine) {
    std::string text = "a\nb\r\n\tc";
    to_one_line(text);
    EXPECT_EQ(text, "a b   c");
}

}  // namespace
}  // namespace gpumedic::evidence
