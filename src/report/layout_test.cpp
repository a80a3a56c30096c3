#include "report/layout.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/text.h"

namespace gpumedic::report {
namespace {

using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::IsEmpty;
using ::testing::StartsWith;

TEST(Fold, BreaksAtBlanks) { EXPECT_THAT(fold("one two  three", 8), ElementsAre("one two", "three")); }

TEST(Fold, CountsHangulTwice) { EXPECT_THAT(fold("가나 다라 마바", 9), ElementsAre("가나 다라", "마바")); }

TEST(Fold, BreaksWordsThatAreTooWide) { EXPECT_THAT(fold("abcdefghij k", 4), ElementsAre("abcd", "efgh", "ij k")); }

TEST(Fold, KeepsParagraphsAndDropsEmptyText) {
    EXPECT_THAT(fold("a\nb\n", 10), ElementsAre("a", "b"));
    EXPECT_THAT(fold(" \n ", 10), IsEmpty());
}

TEST(Fold, BoundsCombiningMarks) {
    std::string marks = "e";
    for (int i = 0; i < 10'000; ++i) marks += "\xcc\x81";
    for (const std::string& line : fold(marks, 10)) EXPECT_LE(line.size(), 90U);
}

TEST(Cut, EndsInDots) {
    EXPECT_EQ(cut("abcdef", 6), "abcdef");
    EXPECT_EQ(cut("abcdefg", 6), "abc...");
    EXPECT_EQ(cut("가나다라", 7), "가나...");
}

TEST(Cut, IsQuickAndBoundedOnHugeText) {
    const std::string out = cut(std::string(std::size_t{64} << 20, 'x'), 50);
    EXPECT_EQ(out.size(), 50U);
    EXPECT_THAT(out, EndsWith("..."));
}

TEST(CutFront, KeepsTheEnd) {
    EXPECT_EQ(cut_front("a/b/kernel.log:17", 13), "...nel.log:17");
    EXPECT_EQ(cut_front("kernel.log:17", 20), "kernel.log:17");
}

TEST(CleanLine, LeavesNoControlCharacter) { EXPECT_EQ(clean_line("a\x1b[2Jb\tc\nd\x7f"), "a [2Jb c d "); }

TEST(FoldCommand, StaysPasteable) {
    EXPECT_THAT(fold_command("kubectl get pods -n kubevirt", 80), ElementsAre("kubectl get pods -n kubevirt"));
    EXPECT_THAT(fold_command("kubectl get pods -n kubevirt", 20),
                ElementsAre("kubectl get pods \\", "    -n kubevirt"));
}

TEST(FoldCommand, NeverBreaksInsideQuotes) {
    const auto rows = fold_command("grep -E 'a b c d e f g h i j k' kernel.log", 16);
    EXPECT_THAT(rows, ElementsAre("grep -E \\", "    'a b c d e f g h i j k' \\", "    kernel.log"));
}

TEST(FoldCommand, TakesUnclosedQuotesAsTheyAre) {
    EXPECT_THAT(fold_command("echo \"aaaaaaaaaaaaaaaa bbbb", 10),
                ElementsAre("echo \\", "    \"aaaaaaaaaaaaaaaa bbbb"));
}

TEST(FoldCommand, SeveralLinesAreSeveralCommands) { EXPECT_THAT(fold_command("a\nb\n", 10), ElementsAre("a", "b")); }

TEST(Fill, PutsValuesInOrder) {
    EXPECT_EQ(fill("{} of {}", {"1", "{}"}), "1 of {}");
    EXPECT_EQ(fill("none", {"1"}), "none");
}

TEST(Pad, CountsColumns) {
    EXPECT_EQ(pad("노드", 6), "노드  ");
    EXPECT_THAT(pad("longer", 2), StartsWith("longer"));
}

}  // namespace
}  // namespace gpumedic::report
