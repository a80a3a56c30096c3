#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "base/text.h"
#include "codec/pattern.h"

namespace gpumedic::codec {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::uint32_t> found_by(const LiteralGate& gate, std::string_view text) {
    std::vector<std::uint32_t> found{99};
    gate.find(text, found);
    return found;
}

TEST(LiteralGate, FindsEachLiteralOnceInAscendingOrder) {
    const LiteralGate gate({"xid (pci:", "nvrm", "fallen off the bus", "nvrm: xid"});
    EXPECT_THAT(found_by(gate, "NVRM: Xid (PCI:0000:a1:00): 79, GPU has fallen off the bus. NVRM again"),
                ElementsAre(0, 1, 2, 3));
    EXPECT_THAT(found_by(gate, "nvrM"), ElementsAre(1));
    EXPECT_THAT(found_by(gate, "nothing here"), IsEmpty());
    EXPECT_THAT(found_by(gate, ""), IsEmpty());
    EXPECT_THAT(found_by(gate, "nvr"), IsEmpty());
}

TEST(LiteralGate, FindsAtBothEndsAndOverlapping) {
    const LiteralGate gate({"abcd", "bcde", "cdef", "abcdef"});
    EXPECT_THAT(found_by(gate, "abcdef"), ElementsAre(0, 1, 2, 3));
    EXPECT_THAT(found_by(gate, "xxabcd"), ElementsAre(0));
    EXPECT_THAT(found_by(gate, "abcde"), ElementsAre(0, 1));
}

TEST(LiteralGate, DoesNotTakeFoldedNeighboursForLetters) {
    const LiteralGate gate({"[abc]", "{abc}", "a@bc", "a`bc"});
    EXPECT_THAT(found_by(gate, "[ABC]"), ElementsAre(0));
    EXPECT_THAT(found_by(gate, "{abc}"), ElementsAre(1));
    EXPECT_THAT(found_by(gate, "A@BC"), ElementsAre(2));
    EXPECT_THAT(found_by(gate, "a`bc"), ElementsAre(3));
}

TEST(LiteralGate, KnowsEqualLiteralsAndAnyBytes) {
    const LiteralGate gate({"same text", "same text", "장치", std::string("\0\0\0\0", 4)});
    EXPECT_THAT(found_by(gate, "the SAME TEXT"), ElementsAre(0, 1));
    EXPECT_THAT(found_by(gate, "이 장치는"), ElementsAre(2));
    EXPECT_THAT(found_by(gate, std::string(9, '\0')), ElementsAre(3));
    EXPECT_THAT(found_by(LiteralGate({}), "any text"), IsEmpty());
}

TEST(LiteralGate, AgreesWithPlainSearch) {
    std::mt19937 random(7);
    const auto pick = [&](int low, int high) { return std::uniform_int_distribution<int>(low, high)(random); };
    const auto text_of = [&](int length) {
        static constexpr std::string_view kAlphabet = "abAB @`[{:1\xff";
        std::string text;
        for (int i = 0; i < length; ++i) text.push_back(kAlphabet[static_cast<std::size_t>(pick(0, 11))]);
        return text;
    };
    std::size_t hits = 0;
    for (int round = 0; round < 300; ++round) {
        std::vector<std::string> literals;
        for (int i = pick(1, 80); i > 0; --i) literals.push_back(base::lower(text_of(pick(4, 7))));
        const LiteralGate gate(literals);
        for (int i = 0; i < 10; ++i) {
            const std::string text = text_of(pick(0, 200));
            std::vector<std::uint32_t> expected;
            for (std::size_t k = 0; k < literals.size(); ++k) {
                if (base::contains_ignoring_case(text, literals[k])) expected.push_back(static_cast<std::uint32_t>(k));
            }
            hits += expected.size();
            ASSERT_EQ(found_by(gate, text), expected) << text;
        }
    }
    EXPECT_GT(hits, 200U);
}

TEST(LiteralGateDeathTest, AShortLiteralIsOurBug) {
    EXPECT_EXIT(LiteralGate({"abc"}), testing::ExitedWithCode(70), "shorter than four bytes");
}

}  // namespace
}  // namespace gpumedic::codec
