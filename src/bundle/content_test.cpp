#include "bundle/content.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

namespace gpumedic::bundle {
namespace {

using namespace std::string_literals;

std::string random_bytes(std::size_t count) {
    std::mt19937 engine(7);
    std::string bytes(count, '\0');
    for (auto& byte : bytes) byte = static_cast<char>(engine() & 0xFF);
    return bytes;
}

TEST(Content, TextIsText) {
    EXPECT_EQ(classify_content("Oct 10 22:25:01 node-a kernel: NVRM: x\n").kind, ContentKind::text);
    EXPECT_EQ(classify_content("전원을 완전히 끈 뒤 다시 켰다\n").kind, ContentKind::text);
    EXPECT_EQ(classify_content("\x1B[32m[ 1.2]\x1B[0m colours\n").kind, ContentKind::text);
    EXPECT_EQ(classify_content("").kind, ContentKind::empty);
}

TEST(Content, LegacyEncodingIsText) {
    std::string euc_kr;  // pairs of bytes from B0A1 to C8FE, as EUC-KR writes Hangul
    for (int i = 0; i < 400; ++i) euc_kr += "\xB0\xA1\xC8\xFE ";
    EXPECT_EQ(classify_content(euc_kr).kind, ContentKind::text);
}

TEST(Content, JunkIsBinary) {
    EXPECT_EQ(classify_content(random_bytes(100)).kind, ContentKind::binary);
    EXPECT_EQ(classify_content(random_bytes(8192)).kind, ContentKind::binary);
    EXPECT_EQ(classify_content("\x7F"
                               "ELF\x02\x01\x01\x03\0\0\0\0\0\0\0\0\x03\0\x3E\0\x01\0\0\0"s)
                  .kind,
              ContentKind::binary);
    EXPECT_EQ(classify_content("\0\0\0\0"s).kind, ContentKind::binary);
}

TEST(Content, HoleOfNulBytesLeavesALogText) {
    EXPECT_EQ(classify_content(std::string(4000, '\0') + "Oct 10 22:25:01 node-a kernel: NVRM: x\n").kind,
              ContentKind::text);
}

TEST(Content, PackedFilesAreNamed) {
    EXPECT_EQ(classify_content("\x1F\x8B\x08\x00"s).kind, ContentKind::packed);
    EXPECT_EQ(classify_content("\xFD"
                               "7zXZ\0\0"s)
                  .kind,
              ContentKind::packed);
    EXPECT_EQ(classify_content("\x28\xB5\x2F\xFD..").kind, ContentKind::packed);
    EXPECT_EQ(classify_content("PK\x03\x04..").kind, ContentKind::packed);
    EXPECT_EQ(classify_content("BZh91AY&SY").kind, ContentKind::packed);
    EXPECT_EQ(classify_content(std::string(257, 'a') + "ustar").kind, ContentKind::packed);
    EXPECT_EQ(classify_content("7z\xBC\xAF\x27\x1C....").kind, ContentKind::closed);
    EXPECT_NE(classify_content("7z\xBC\xAF\x27\x1C....").note.find("unpack it first"), std::string_view::npos);
    EXPECT_EQ(classify_content("PKI: certificate expired").kind, ContentKind::text);
}

TEST(Content, ReadableLines) {
    EXPECT_TRUE(is_readable_line("Oct 10 22:25:01 node-a kernel: x"));
    EXPECT_FALSE(is_readable_line("short"));
    EXPECT_FALSE(is_readable_line("                                    "));
    EXPECT_FALSE(is_readable_line("NVRM: a format string of a program\0"s));
    EXPECT_FALSE(is_readable_line("a line with a wild byte \xFF in it"));
}

TEST(Content, Utf8Lengths) {
    EXPECT_EQ(utf8_length("a"), 1U);
    EXPECT_EQ(utf8_length("\xC3\xA9"), 2U);
    EXPECT_EQ(utf8_length("\xED\x95\x9C"), 3U);
    EXPECT_EQ(utf8_length("\xF0\x9F\x98\x80"), 4U);
    for (const auto* bad :
         {"\x80", "\xC0\x80", "\xC3", "\xE0\x80\x80", "\xED\xA0\x80", "\xF0\x80\x80\x80", "\xF4\x90\x80\x80", "\xFF"})
        EXPECT_EQ(utf8_length(bad), 0U) << bad;
    EXPECT_EQ(utf8_length(""), 0U);
}

}  // namespace
}  // namespace gpumedic::bundle
