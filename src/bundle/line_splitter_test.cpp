#include "bundle/line_splitter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/text.h"
#include "ports/reader.h"

namespace gpumedic::bundle {
namespace {

using namespace std::string_literals;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

struct Kept {
    std::string text;
    std::uint64_t number;
    std::uint64_t full_bytes;
    bool had_nul;
    bool cut;
};

std::vector<Kept> split(std::string_view bytes, std::size_t piece,
                        LineSplitter::NulBytes nul = LineSplitter::NulBytes::drop) {
    std::vector<Kept> lines;
    LineSplitter splitter(nul, [&lines](const Line& line) {
        lines.push_back({std::string(line.text), line.number, line.full_bytes, line.had_nul, line.is_cut()});
    });
    for (std::size_t i = 0; i < bytes.size(); i += piece) splitter.feed(bytes.substr(i, piece));
    splitter.finish();
    return lines;
}

std::vector<std::string> texts(const std::vector<Kept>& lines) {
    std::vector<std::string> result;
    for (const auto& line : lines) result.push_back(line.text);
    return result;
}

TEST(LineSplitter, EndsOfLines) {
    for (const std::size_t piece : {1U, 2U, 3U, 1000U}) {
        const auto lines = split("one\ntwo\r\n\nfour\r\r\nlast", piece);
        EXPECT_THAT(texts(lines), ElementsAre("one", "two", "", "four", "last"));
        EXPECT_EQ(lines[4].number, 5U);
        EXPECT_FALSE(lines[1].cut);
    }
    EXPECT_THAT(split("", 1), IsEmpty());
    EXPECT_THAT(texts(split("\n", 1)), ElementsAre(""));
    EXPECT_THAT(texts(split("a\rb\n", 1)), ElementsAre("a\rb"));
}

TEST(LineSplitter, LongLineIsCutAndTheNextIsWhole) {
    const std::string bytes = "short\n" + std::string(ports::kMaxLineBytes + 10, 'x') + "\nnext\n";
    for (const std::size_t piece : {std::size_t{1000}, std::size_t{131072}, bytes.size()}) {
        const auto lines = split(bytes, piece);
        ASSERT_EQ(lines.size(), 3U);
        EXPECT_EQ(lines[1].text.size(), ports::kMaxLineBytes);
        EXPECT_EQ(lines[1].full_bytes, ports::kMaxLineBytes + 10);
        EXPECT_TRUE(lines[1].cut);
        EXPECT_EQ(lines[2].text, "next");
        EXPECT_EQ(lines[2].number, 3U);
    }
}

TEST(LineSplitter, LineOfExactlyTheCapIsWhole) {
    for (const std::string end : {"\n", "\r\n", ""}) {
        const auto lines = split(std::string(ports::kMaxLineBytes, 'x') + end, 70'000);
        ASSERT_EQ(lines.size(), 1U);
        EXPECT_EQ(lines[0].text.size(), ports::kMaxLineBytes);
        EXPECT_FALSE(lines[0].cut);
    }
}

TEST(LineSplitter, CutStandsBetweenCharacters) {
    std::string bytes = "xx";
    while (bytes.size() < ports::kMaxLineBytes + 50) bytes += "\xED\x95\x9C";
    const auto lines = split(bytes, 4096);
    ASSERT_EQ(lines.size(), 1U);
    EXPECT_TRUE(lines[0].cut);
    EXPECT_TRUE(base::is_valid_utf8(lines[0].text));
    EXPECT_GT(lines[0].text.size(), ports::kMaxLineBytes - 4);
}

TEST(LineSplitter, NulBytesAreLeftOutAndMarked) {
    for (const std::size_t piece : {1U, 2U, 5U, 1000U}) {
        const auto lines = split("\0\0\0one\nt\0wo\nthree\n\0\0"s, piece);
        EXPECT_THAT(texts(lines), ElementsAre("one", "two", "three", ""));
        EXPECT_TRUE(lines[0].had_nul);
        EXPECT_TRUE(lines[1].had_nul);
        EXPECT_FALSE(lines[2].had_nul);
        EXPECT_TRUE(lines[3].had_nul);
    }
    EXPECT_THAT(texts(split("a\0b\n"s, 1, LineSplitter::NulBytes::keep)), ElementsAre("a\0b"s));
}

}  // namespace
}  // namespace gpumedic::bundle
