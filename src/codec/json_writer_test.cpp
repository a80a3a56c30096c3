#include "codec/json_writer.h"

#include <gtest/gtest.h>

#include <limits>

#include "codec/value.h"

namespace gpumedic::codec {
namespace {

std::string text_of(std::string_view text) { return JsonWriter(JsonWriter::Layout::compact).string(text).take(); }

std::string decimal_of(double value, int decimals) {
    return JsonWriter(JsonWriter::Layout::compact).decimal(value, decimals).take();
}

TEST(JsonWriter, WritesPrettyText) {
    JsonWriter writer;
    writer.begin_object()
        .member("a", "x")
        .key("list")
        .begin_array()
        .number(std::int64_t{-1})
        .boolean(true)
        .null()
        .end_array();
    writer.key("none").begin_array().end_array().key("empty").begin_object().end_object().end_object();
    EXPECT_EQ(
        writer.take(),
        "{\n  \"a\": \"x\",\n  \"list\": [\n    -1,\n    true,\n    null\n  ],\n  \"none\": [],\n  \"empty\": {}\n}\n");
}

TEST(JsonWriter, WritesCompactText) {
    JsonWriter writer(JsonWriter::Layout::compact);
    writer.begin_object()
        .member("a", "x")
        .key("l")
        .begin_array()
        .number(std::uint64_t{18446744073709551615U})
        .begin_object();
    writer.key("b").boolean(false).end_object().end_array().end_object();
    EXPECT_EQ(writer.take(), "{\"a\":\"x\",\"l\":[18446744073709551615,{\"b\":false}]}");
}

TEST(JsonWriter, EscapesWhatMustNotStandInJsonOrReachATerminal) {
    EXPECT_EQ(text_of("\"\\\n\r\t\b\f"), R"("\"\\\n\r\t\b\f")");
    EXPECT_EQ(text_of(std::string_view("\x1b[31m\0\x7f", 7)), "\"\\u001b[31m\\u0000\\u007f\"");
    EXPECT_EQ(text_of("\xC2\x9B"
                      "2J"),
              "\"\\u009b2J\"");
    EXPECT_EQ(text_of("장치 é"), "\"장치 é\"");
}

TEST(JsonWriter, ReplacesInvalidUtf8) {
    EXPECT_EQ(text_of("a\xff"
                      "b"),
              "\"a\xEF\xBF\xBD"
              "b\"");
    EXPECT_EQ(text_of("\xE2\x82"), "\"\xEF\xBF\xBD\xEF\xBF\xBD\"");
    EXPECT_EQ(text_of("\xC0\xAF"), "\"\xEF\xBF\xBD\xEF\xBF\xBD\"");
    EXPECT_EQ(text_of("\xF4\x90\x80\x80").size(), 2 + 4 * 3U);
}

TEST(JsonWriter, WritesDecimalsWithoutNoise) {
    EXPECT_EQ(decimal_of(0.93, 3), "0.93");
    EXPECT_EQ(decimal_of(0.1 + 0.2, 6), "0.3");
    EXPECT_EQ(decimal_of(1.0, 2), "1");
    EXPECT_EQ(decimal_of(100.0, 0), "100");
    EXPECT_EQ(decimal_of(-0.001, 2), "0");
    EXPECT_EQ(decimal_of(-1.5, 2), "-1.5");
    EXPECT_EQ(decimal_of(std::numeric_limits<double>::quiet_NaN(), 2), "null");
    EXPECT_EQ(decimal_of(std::numeric_limits<double>::infinity(), 2), "null");
}

TEST(JsonWriter, WhatItWritesOurReaderReads) {
    std::string all;
    for (int byte = 0; byte < 256; ++byte) all.push_back(static_cast<char>(byte));
    JsonWriter writer;
    writer.begin_object().member(all, all).end_object();
    const auto value = parse_json(writer.take());
    ASSERT_TRUE(value) << value.error().what;
    ASSERT_EQ(value->members.size(), 1U);
    EXPECT_EQ(value->members[0].key, value->members[0].value.scalar);
    EXPECT_EQ(value->members[0].key.substr(0, 128), all.substr(0, 128));
}

TEST(JsonWriterDeathTest, MisuseIsOurBug) {
    EXPECT_EXIT(JsonWriter().begin_object().string("x"), testing::ExitedWithCode(70), "needs a key");
    EXPECT_EXIT(JsonWriter().begin_array().end_object(), testing::ExitedWithCode(70), "no JSON object");
    EXPECT_EXIT(JsonWriter().begin_array().key("x"), testing::ExitedWithCode(70), "stands in an object");
    EXPECT_EXIT(static_cast<void>(JsonWriter().begin_array().take()), testing::ExitedWithCode(70), "not finished");
    EXPECT_EXIT(JsonWriter().null().null(), testing::ExitedWithCode(70), "one value");
}

}  // namespace
}  // namespace gpumedic::codec
