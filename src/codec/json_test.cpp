#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "codec/value.h"

namespace gpumedic::codec {
namespace {

using base::ErrorCode;
using testing::HasSubstr;

Value document(std::string_view text) {
    auto value = parse_json(text);
    EXPECT_TRUE(value) << (value ? "" : value.error().what);
    return value ? std::move(*value) : Value{};
}

base::Error refusal(std::string_view text, const TreeLimits& limits = {}) {
    auto value = parse_json(text, limits);
    if (value) {
        ADD_FAILURE() << "accepted: " << text;
        return {};
    }
    return value.error();
}

TEST(Json, ReadsAnObject) {
    const Value root = document(" {\"kind\": \"Pod\", \"n\": [1, null, true], \"e\": {}, \"l\": []}\n");
    EXPECT_EQ(root.text({"kind"}), "Pod");
    EXPECT_TRUE(root.find("kind")->quoted);
    const Value* list = root.find("n");
    ASSERT_NE(list, nullptr);
    ASSERT_EQ(list->items.size(), 3U);
    EXPECT_EQ(list->items[0].scalar, "1");
    EXPECT_FALSE(list->items[0].quoted);
    EXPECT_EQ(list->items[1].kind, Value::Kind::null);
    EXPECT_EQ(list->items[2].scalar, "true");
    EXPECT_TRUE(root.find("e")->is_map());
    EXPECT_TRUE(root.find("l")->is_list());
    EXPECT_EQ(root.line, 0U);
}

TEST(Json, KeepsTheTextOfNumbers) {
    const Value root =
        document("[18446744073709551615, -9223372036854775808, 123456789012345678901234567890, 1.50, 1E3, 0]");
    ASSERT_EQ(root.items.size(), 6U);
    EXPECT_EQ(root.items[0].scalar, "18446744073709551615");
    EXPECT_EQ(root.items[1].scalar, "-9223372036854775808");
    EXPECT_EQ(root.items[2].scalar, "123456789012345678901234567890");
    EXPECT_EQ(root.items[3].scalar, "1.50");
    EXPECT_EQ(root.items[4].scalar, "1E3");
    EXPECT_EQ(root.items[5].scalar, "0");
}

TEST(Json, TheFirstOfTwoEqualKeysCounts) {
    const Value root = document("{\"a\": 1, \"b\": 2, \"a\": {\"x\": 3}, \"b\": 4, \"c\": 5}");
    ASSERT_EQ(root.members.size(), 3U);
    EXPECT_EQ(root.text({"a"}), "1");
    EXPECT_EQ(root.text({"b"}), "2");
    EXPECT_EQ(root.members[2].key, "c");
}

TEST(Json, ReplacesInvalidUtf8) {
    EXPECT_EQ(document("{\"a\": \"x\xff\xc3y\"}").text({"a"}), "x\xEF\xBF\xBD\xEF\xBF\xBDy");
    EXPECT_EQ(document("{\"a\": \"\\u00e9\xED\xA0\x80\"}").text({"a"}), "\xC3\xA9\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD");
    EXPECT_EQ(document("\"장치\"").scalar, "장치");
    EXPECT_EQ(document("\xEF\xBB\xBF[]").kind, Value::Kind::list);
}

TEST(Json, RefusesBadTextWithItsPlace) {
    const base::Error error = refusal("{\n  \"a\": 1,\n  \"b\": oops\n}\n");
    EXPECT_EQ(error.code, ErrorCode::malformed);
    EXPECT_EQ(error.where.substr(0, 2), "3:");
    EXPECT_THAT(error.what, HasSubstr("o"));
    for (const char* text :
         {"", " ", "{", "[1,]", "{\"a\"}", "1 2", "'a'", "nul", "\"\x01\"", "\"\\ud800\"", "1e999", "{} trailing"}) {
        EXPECT_EQ(refusal(text).code, ErrorCode::malformed) << text;
    }
}

TEST(Json, HoldsItsCaps) {
    TreeLimits limits;
    limits.bytes = 4;
    EXPECT_EQ(refusal("[1, 2]", limits).code, ErrorCode::too_large);
    limits = {};
    limits.nodes = 4;
    EXPECT_EQ(refusal("[1, 2, 3, 4]", limits).code, ErrorCode::too_large);
    EXPECT_TRUE(parse_json("[1, 2, 3]", limits));
    limits = {};
    EXPECT_EQ(refusal(std::string(1'000'000, '[')).code, ErrorCode::too_large);
    EXPECT_EQ(refusal(std::string(201, '[') + std::string(201, ']')).code, ErrorCode::too_large);
    EXPECT_TRUE(parse_json(std::string(200, '[') + std::string(200, ']')));
}

TEST(Json, ManyEqualKeysAreNotSlow) {
    std::string text = "{";
    for (int i = 0; i < 200'000; ++i) text += "\"k\":1,";
    text += "\"z\":2}";
    const Value root = document(text);
    ASSERT_EQ(root.members.size(), 2U);
    EXPECT_EQ(root.members[1].key, "z");
}

TEST(Json, SurvivesTruncationAtEveryByte) {
    const std::string text = "{\"a\": [1, -2.5e3, true, null, \"x\\n\\u00e9글\"], \"b\": {\"c\": {}}}";
    ASSERT_TRUE(parse_json(text));
    for (std::size_t length = 0; length < text.size(); ++length) {
        EXPECT_FALSE(parse_json(std::string_view{text}.substr(0, length))) << length;
    }
}

TEST(Json, SurvivesEveryByteAtEveryPlace) {
    const std::string text = "{\"a\": [1, true, null, \"x\\n글\"], \"b\": {}}";
    std::size_t answers = 0;
    for (std::size_t place = 0; place < text.size(); ++place) {
        for (int byte = 0; byte < 256; ++byte) {
            std::string changed = text;
            changed[place] = static_cast<char>(byte);
            const auto value = parse_json(changed);
            answers += value || !value.error().what.empty() ? 1 : 0;
        }
    }
    EXPECT_EQ(answers, text.size() * 256);
}

}  // namespace
}  // namespace gpumedic::codec
