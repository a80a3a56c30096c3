#include "codec/utf8.h"

#include <gtest/gtest.h>

#include "base/text.h"

namespace gpumedic::codec {
namespace {

TEST(Utf8, KnowsWellFormedSequences) {
    EXPECT_EQ(sequence_length("a", 0), 1U);
    EXPECT_EQ(sequence_length("é", 0), 2U);
    EXPECT_EQ(sequence_length("x한", 1), 3U);
    EXPECT_EQ(sequence_length("\xF0\x9F\x98\x80", 0), 4U);
}

TEST(Utf8, RefusesOverlongSurrogateAndTruncatedForms) {
    for (const char* bad : {"\xC0\x80", "\xE0\x9F\xBF", "\xF0\x8F\xBF\xBF", "\xED\xA0\x80", "\xF4\x90\x80\x80",
                            "\xF5\x80\x80\x80", "\x80", "\xFF", "\xE2\x82", "\xC3", "\xF0\x9F\x98"}) {
        EXPECT_EQ(sequence_length(bad, 0), 0U);
        EXPECT_FALSE(is_well_formed(bad, Controls::kept));
    }
}

TEST(Utf8, ReplacesOnlyWhatIsBad) {
    EXPECT_EQ(make_well_formed("a\xFF"
                               "é\n\x01",
                               Controls::kept),
              "a\xEF\xBF\xBD"
              "é\n\x01");
    EXPECT_EQ(make_well_formed("a\xFF"
                               "é\n\x01\t\x7F",
                               Controls::replaced),
              "a\xEF\xBF\xBD"
              "é\n\xEF\xBF\xBD\t\xEF\xBF\xBD");
    EXPECT_TRUE(is_well_formed("a\x01\n", Controls::kept));
    EXPECT_FALSE(is_well_formed("a\x01\n", Controls::replaced));
}

TEST(Utf8, AgreesWithTheCheckOfBase) {
    std::string text(3, ' ');
    int disagreements = 0;
    for (unsigned first = 0; first < 256; ++first) {
        for (unsigned second = 0; second < 256; ++second) {
            for (const unsigned third : {0x41U, 0x7FU, 0x80U, 0xBFU, 0xC3U}) {
                text[0] = static_cast<char>(first);
                text[1] = static_cast<char>(second);
                text[2] = static_cast<char>(third);
                if (is_well_formed(text, Controls::kept) != base::is_valid_utf8(text)) ++disagreements;
            }
        }
    }
    EXPECT_EQ(disagreements, 0);
}

}  // namespace
}  // namespace gpumedic::codec
