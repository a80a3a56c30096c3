#include "bundle/encoding.h"

#include <gtest/gtest.h>

namespace gpumedic::bundle {
namespace {

using namespace std::string_literals;

std::string decode(Encoding order, std::string_view bytes, std::size_t piece) {
    Utf16Decoder decoder(order);
    std::string out;
    for (std::size_t i = 0; i < bytes.size(); i += piece) decoder.decode(bytes.substr(i, piece), out);
    decoder.finish(out);
    return out;
}

TEST(Encoding, MarksAreDetected) {
    EXPECT_EQ(detect_encoding("\xEF\xBB\xBFx").length, 3U);
    EXPECT_EQ(detect_encoding("\xEF\xBB\xBFx").encoding, Encoding::utf8);
    EXPECT_EQ(detect_encoding("\xFF\xFEx").encoding, Encoding::utf16_le);
    EXPECT_EQ(detect_encoding("\xFE\xFFx").encoding, Encoding::utf16_be);
    EXPECT_EQ(detect_encoding("plain").length, 0U);
    EXPECT_EQ(detect_encoding("").length, 0U);
}

TEST(Encoding, Utf16IsDecodedInPiecesOfAnySize) {
    // "A", U+00E9, U+D55C, U+1F600
    const std::string little = "A\0\xE9\0\x5C\xD5\x3D\xD8\x00\xDE"s;
    const std::string big = "\0A\0\xE9\xD5\x5C\xD8\x3D\xDE\x00"s;
    for (const std::size_t piece : {1U, 2U, 3U, 100U}) {
        EXPECT_EQ(decode(Encoding::utf16_le, little, piece), "A\xC3\xA9\xED\x95\x9C\xF0\x9F\x98\x80");
        EXPECT_EQ(decode(Encoding::utf16_be, big, piece), "A\xC3\xA9\xED\x95\x9C\xF0\x9F\x98\x80");
    }
}

TEST(Encoding, BrokenPairsBecomeReplacements) {
    const std::string replacement = "\xEF\xBF\xBD";
    EXPECT_EQ(decode(Encoding::utf16_le,
                     "\x00\xDC"
                     "A\0"s,
                     2),
              replacement + "A");  // low alone
    EXPECT_EQ(decode(Encoding::utf16_le,
                     "\x00\xD8"
                     "A\0"s,
                     2),
              replacement + "A");                                                 // high alone
    EXPECT_EQ(decode(Encoding::utf16_le, "A\0\x00\xD8"s, 2), "A" + replacement);  // high at the end
    EXPECT_EQ(decode(Encoding::utf16_le, "A\0B"s, 2), "A" + replacement);         // odd byte at the end
}

}  // namespace
}  // namespace gpumedic::bundle
