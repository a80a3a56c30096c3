#include "adapters/kube/item_stream.h"

#include <gmock/gmock.h>

#include <string>
#include <vector>

namespace gpumedic::adapters::kube {
namespace {

using ports::Flow;
using testing::ElementsAre;

constexpr std::string_view kList =
    R"({"kind":"PodList","metadata":{"resourceVersion":"7","items":["no"]},"items":[ {"a":"}]\"{"}, {"items":[{"b":[]}]} ],"x":{}} )";

struct Read {
    std::vector<std::string> items;
    base::Result<std::string> frame;
};

Read read(const std::vector<std::string_view>& pieces) {
    Read got{{}, std::string{}};
    ItemStream stream([&](std::string_view item) {
        got.items.emplace_back(item);
        return Flow::go_on;
    });
    for (const auto piece : pieces) static_cast<void>(stream.feed(piece));
    got.frame = stream.frame();
    return got;
}

TEST(ItemStream, ItemsAndWhatStandsAroundThem) {
    const auto got = read({kList});
    EXPECT_THAT(got.items, ElementsAre(R"({"a":"}]\"{"})", R"({"items":[{"b":[]}]})"));
    EXPECT_EQ(got.frame.value(),
              R"({"kind":"PodList","metadata":{"resourceVersion":"7","items":["no"]},"items":[],"x":{}})");
}

TEST(ItemStream, PiecesMayBeCutAnywhere) {
    const auto whole = read({kList});
    for (std::size_t at = 0; at <= kList.size(); ++at) {
        const auto got = read({kList.substr(0, at), kList.substr(at)});
        EXPECT_EQ(got.items, whole.items) << at;
        EXPECT_EQ(got.frame.value(), whole.frame.value()) << at;
    }
}

TEST(ItemStream, AListThatEndsTooEarlyIsAnErrorAndKeepsItsWholeItems) {
    const auto end = kList.rfind('}');
    for (std::size_t at = 0; at < end; ++at) {
        const auto got = read({kList.substr(0, at)});
        ASSERT_FALSE(got.frame) << at;
        EXPECT_EQ(got.frame.error().code, base::ErrorCode::malformed);
        EXPECT_LE(got.items.size(), 2U);
    }
}

TEST(ItemStream, SomethingBehindTheEndIsAnError) {
    EXPECT_TRUE(read({R"({"items":[]})", " \n"}).frame);
    EXPECT_FALSE(read({R"({"items":[]})", "}"}).frame);
}

TEST(ItemStream, HostileTextNeitherCrashesNorGrows) {
    for (const std::string_view text :
         {"]]]]}}}}", "[[[[", "\"\\", "{\"items\":[1,2,{}", "\xff\xfe", "{\"items\":{\"a\":1}}"}) {
        EXPECT_LE(read({text}).items.size(), 1U) << text;
    }
    ItemStream stream([](std::string_view) { return Flow::go_on; });
    const std::string piece(1 << 20, 'x');
    EXPECT_EQ(stream.feed(R"({"items":[{")"), Flow::go_on);
    Flow flow = Flow::go_on;
    int pieces = 0;
    while (flow == Flow::go_on && ++pieces < 100) flow = stream.feed(piece);
    EXPECT_LE(pieces, 17);
    EXPECT_EQ(stream.frame().error().code, base::ErrorCode::too_large);
}

TEST(ItemStream, TheSinkCanStop) {
    int seen = 0;
    ItemStream stream([&](std::string_view) {
        ++seen;
        return Flow::stop;
    });
    EXPECT_EQ(stream.feed(kList), Flow::stop);
    EXPECT_EQ(seen, 1);
}

TEST(MemberText, TheValueAsItStands) {
    constexpr std::string_view text = R"({"type": "ADDED", "object" : {"type":"x","a":[1,"}"]} , "n":12})";
    EXPECT_EQ(member_text(text, "object"), R"({"type":"x","a":[1,"}"]})");
    EXPECT_EQ(member_text(text, "type"), R"("ADDED")");
    EXPECT_EQ(member_text(text, "n"), "12");
    EXPECT_EQ(member_text(text, "a"), std::nullopt);
    EXPECT_EQ(member_text(R"({"object":{"a")", "object"), std::nullopt);
    EXPECT_EQ(member_text("}}", "object"), std::nullopt);
}

TEST(LineStream, LinesAndTheRest) {
    std::vector<std::string> lines;
    LineStream stream([&](std::string_view line) {
        lines.emplace_back(line);
        return Flow::go_on;
    });
    for (const auto* piece : {"on", "e\ntwo\n\nth", "ree"}) EXPECT_EQ(stream.feed(piece), Flow::go_on);
    EXPECT_THAT(lines, ElementsAre("one", "two"));
    EXPECT_EQ(stream.rest(), 5U);
}

}  // namespace
}  // namespace gpumedic::adapters::kube
