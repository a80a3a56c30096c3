#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "codec/value.h"

namespace gpumedic::codec {
namespace {

using base::ErrorCode;
using testing::HasSubstr;

Value one_document(std::string_view text) {
    auto documents = parse_yaml(text);
    EXPECT_TRUE(documents) << (documents ? "" : documents.error().what);
    if (!documents || documents->size() != 1) {
        ADD_FAILURE() << "not one document";
        return {};
    }
    return std::move(documents->front());
}

base::Error refusal(std::string_view text, const TreeLimits& limits = {}) {
    auto documents = parse_yaml(text, limits);
    if (documents) {
        ADD_FAILURE() << "accepted: " << text;
        return {};
    }
    return documents.error();
}

std::string repeated(std::string_view piece, std::size_t times) {
    std::string text;
    for (std::size_t i = 0; i < times; ++i) text += piece;
    return text;
}

TEST(Yaml, ReadsScalarsListsAndMapsWithTheirPlaces) {
    const Value root = one_document("id: xid.79\nin: [kernel, 'text']\ntitle:\n  en: GPU lost\n  ko: 장치 손실\n");
    EXPECT_EQ(root.text({"id"}), "xid.79");
    const Value* in = root.find("in");
    ASSERT_NE(in, nullptr);
    ASSERT_TRUE(in->is_list());
    ASSERT_EQ(in->items.size(), 2U);
    EXPECT_FALSE(in->items[0].quoted);
    EXPECT_TRUE(in->items[1].quoted);
    EXPECT_EQ(root.text({"title", "ko"}), "장치 손실");
    ASSERT_EQ(root.members.size(), 3U);
    EXPECT_EQ(root.members[2].key, "title");
    EXPECT_EQ(root.members[2].line, 3U);
    EXPECT_EQ(root.members[2].column, 1U);
    EXPECT_EQ(root.at({"title", "en"})->line, 4U);
    EXPECT_EQ(root.at({"title", "en"})->column, 7U);
}

TEST(Yaml, TellsNullFromTheQuotedWord) {
    const Value root = one_document("a: ~\nb:\nc: null\nd: 'null'\ne: \"\"\n");
    EXPECT_EQ(root.find("a")->kind, Value::Kind::null);
    EXPECT_EQ(root.find("b")->kind, Value::Kind::null);
    EXPECT_EQ(root.find("c")->kind, Value::Kind::null);
    EXPECT_EQ(root.text({"d"}), "null");
    ASSERT_TRUE(root.find("e")->is_scalar());
    EXPECT_EQ(root.text({"e"}), "");
}

TEST(Yaml, KeepsNumbersAndTruthWordsAsWritten) {
    const Value root = one_document("a: 0x1F\nb: 007\nc: 1.50\nd: yes\ne: 18446744073709551616\n");
    EXPECT_EQ(root.text({"a"}), "0x1F");
    EXPECT_EQ(root.text({"b"}), "007");
    EXPECT_EQ(root.text({"c"}), "1.50");
    EXPECT_EQ(root.text({"d"}), "yes");
    EXPECT_EQ(root.text({"e"}), "18446744073709551616");
}

TEST(Yaml, ReadsBlockScalarsAndWindowsLineEnds) {
    const Value root = one_document("a: |\r\n  one\r\n  two\r\nb: x\r\n");
    EXPECT_EQ(root.text({"a"}), "one\ntwo\n");
    EXPECT_EQ(root.text({"b"}), "x");
}

TEST(Yaml, ReadsKeysOfManagedFields) {
    const Value root =
        one_document("f:status:\n  f:conditions:\n    .: {}\n    k:{\"type\":\"Ready\"}:\n      f:status: {}\n");
    EXPECT_NE(root.at({"f:status", "f:conditions", "k:{\"type\":\"Ready\"}", "f:status"}), nullptr);
}

TEST(Yaml, ReadsSeveralDocuments) {
    const auto documents = parse_yaml("# head\na: 1\n---\nb: 2\n...\n---\n- c\n");
    ASSERT_TRUE(documents);
    ASSERT_EQ(documents->size(), 3U);
    EXPECT_EQ((*documents)[0].text({"a"}), "1");
    EXPECT_EQ((*documents)[1].text({"b"}), "2");
    EXPECT_EQ((*documents)[2].items.at(0).scalar, "c");
}

TEST(Yaml, GivesNoDocumentForEmptyTextAndComments) {
    for (const char* text : {"", "\n\n", "# only a comment", "# only a comment\n", "\xEF\xBB\xBF"}) {
        const auto documents = parse_yaml(text);
        ASSERT_TRUE(documents) << text;
        EXPECT_TRUE(documents->empty()) << text;
    }
}

TEST(Yaml, RefusesADuplicateKeyWithBothPlaces) {
    const base::Error error = refusal("a: 1\nb:\n  x: 1\n  y: 2\n  'x': 3\n");
    EXPECT_EQ(error.code, ErrorCode::malformed);
    EXPECT_EQ(error.where, "5:3");
    EXPECT_THAT(error.what, HasSubstr("'x'"));
    EXPECT_THAT(error.help, HasSubstr("line 3"));
}

TEST(Yaml, RefusesAnchorsAndAliases) {
    EXPECT_EQ(refusal("a: &x 1\nb: *x\n").where, "1:4");
    EXPECT_EQ(refusal("a: &x {k: v}\n").where, "1:4");
    EXPECT_EQ(refusal("- &x [1]\n").where, "1:3");
    EXPECT_EQ(refusal("a: &x\n").where.substr(0, 2), "1:");
    EXPECT_EQ(refusal("a: *unknown\n").code, ErrorCode::malformed);
    const std::string laughs = "a: &a [x,x]\nb: &b [*a,*a]\nc: &c [*b,*b]\n";
    EXPECT_THAT(refusal(laughs).what, HasSubstr("anchors"));
}

TEST(Yaml, RefusesKeysThatAreNoText) {
    EXPECT_EQ(refusal("? [a, b]\n: c\n").code, ErrorCode::malformed);
    EXPECT_EQ(refusal("{a: 1}: c\n").code, ErrorCode::malformed);
    EXPECT_EQ(refusal(": c\n").code, ErrorCode::malformed);
    EXPECT_EQ(refusal("~: c\n").code, ErrorCode::malformed);
}

TEST(Yaml, RefusesWhatYamlCppWouldReadWrongly) {
    EXPECT_THAT(refusal("a: 'x\nb: 1\n").what, HasSubstr("quote"));
    EXPECT_THAT(refusal("a: \"x\nb: 1").what, HasSubstr("quote"));
    EXPECT_EQ(refusal("- a\nb: 1\n").where, "2:1");
    EXPECT_EQ(refusal(",").code, ErrorCode::malformed);
    EXPECT_EQ(refusal("a: b\n]\n").code, ErrorCode::malformed);
    EXPECT_EQ(refusal("a: [b\n").code, ErrorCode::malformed);
    EXPECT_EQ(refusal("a:\n\tb: 1\n").code, ErrorCode::malformed);
}

TEST(Yaml, ReplacesBytesThatAreNoText) {
    const Value root = one_document(std::string("a: 1\x04 x\nb: \xff\xfe\nc: q\0q\n", 21));
    EXPECT_EQ(root.text({"a"}), "1\xEF\xBF\xBD x");
    EXPECT_EQ(root.text({"b"}), "\xEF\xBF\xBD\xEF\xBF\xBD");
    EXPECT_EQ(root.text({"c"}), "q\xEF\xBF\xBDq");
    EXPECT_TRUE(
        parse_yaml(std::string("\xff\xfe"
                               "a\0:\0 \0"
                               "1\0",
                               10)));
    EXPECT_EQ(one_document("\xEF\xBB\xBF"
                           "a: 1\n")
                  .text({"a"}),
              "1");
}

TEST(Yaml, HoldsItsCaps) {
    TreeLimits limits;
    limits.bytes = 8;
    EXPECT_EQ(refusal("a: 1\nb: 2\n", limits).code, ErrorCode::too_large);
    limits = {};
    limits.nodes = 10;
    EXPECT_EQ(refusal(repeated("- a\n", 20), limits).code, ErrorCode::too_large);
    EXPECT_EQ(refusal(repeated("---\n- a\n", 20), limits).code, ErrorCode::too_large);
    limits = {};
    limits.depth = 5;
    EXPECT_EQ(refusal("[[[[[[1]]]]]]", limits).code, ErrorCode::too_large);
    EXPECT_TRUE(parse_yaml("[[[[[1]]]]]", limits));
    limits.depth = 100'000;
    EXPECT_EQ(refusal(repeated("[", 10'000) + repeated("]", 10'000), limits).code, ErrorCode::too_large);
}

TEST(Yaml, DoesNotBufferAHugeFlowOrScalar) {
    const std::size_t many = 3U << 20;
    EXPECT_EQ(refusal(repeated("[", many)).code, ErrorCode::too_large);
    EXPECT_EQ(refusal("[" + repeated("a,", many / 2)).code, ErrorCode::too_large);
    EXPECT_EQ(refusal("a: \"" + repeated("x", many) + "\"\n").code, ErrorCode::too_large);
}

TEST(Yaml, SurvivesTruncationAtEveryByte) {
    const std::string text =
        "%YAML 1.2\n---\nid: a.b # c\nlist:\n  - {k: 'v', l: [1, \"\\u00e9\\n\"]}\n  - |\n    text\n  - >-\n    "
        "fold\n? long\n: !!str x\n---\n글: '값'\n";
    ASSERT_TRUE(parse_yaml(text));
    for (std::size_t length = 0; length < text.size(); ++length) {
        const auto documents = parse_yaml(std::string_view{text}.substr(0, length));
        EXPECT_TRUE(documents || !documents.error().what.empty()) << length;
        EXPECT_LE(documents ? documents->size() : 0, 2U) << length;
    }
}

TEST(Yaml, SurvivesEveryByteAtEveryPlace) {
    const std::string text = "a: [b, {c: 'd'}]\ne: |\n  f\n- g: \"h\"\n";
    std::size_t answers = 0;
    for (std::size_t place = 0; place < text.size(); ++place) {
        for (int byte = 0; byte < 256; ++byte) {
            std::string changed = text;
            changed[place] = static_cast<char>(byte);
            const auto documents = parse_yaml(changed);
            answers += documents || !documents.error().what.empty() ? 1 : 0;
        }
    }
    EXPECT_EQ(answers, text.size() * 256);
}

}  // namespace
}  // namespace gpumedic::codec
