#include "knowledge/decode.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "knowledge/test_catalogue.h"

namespace gpumedic::knowledge {
namespace {

using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::IsEmpty;

const Catalogue& whole() {
    static const LoadResult loaded = load_catalogue({}, {{test::whole_catalogue()}});
    return loaded.catalogue;
}

TEST(Fits, ANumberInAnyWriting) {
    EXPECT_TRUE(fits("0x65", "0x00000065", Numbers::marked));
    EXPECT_TRUE(fits("0x65", "101", Numbers::marked));
    EXPECT_TRUE(fits("101", "65", Numbers::hexadecimal));
    EXPECT_FALSE(fits("0x65", "65", Numbers::marked));
    EXPECT_FALSE(fits("0x65", "0x650", Numbers::marked));
}

TEST(Fits, ATextWhateverItsCase) {
    EXPECT_TRUE(fits("GPU Reset Required", "gpu reset required", Numbers::marked));
    EXPECT_FALSE(fits("GPU Reset Required", "gpu reset", Numbers::marked));
}

TEST(Fits, BitsLowestLast) {
    EXPECT_TRUE(fits("--01", "0x5", Numbers::marked));
    EXPECT_TRUE(fits("--01", "0xfffffff1", Numbers::marked));
    EXPECT_FALSE(fits("--01", "0x7", Numbers::marked));
    EXPECT_TRUE(fits("bit:4", "0x10", Numbers::marked));
    EXPECT_FALSE(fits("bit:4", "0xf", Numbers::marked));
    EXPECT_FALSE(fits("bit:64", "0xffffffffffffffff", Numbers::marked));
}

TEST(Fits, APartOfAText) {
    EXPECT_TRUE(fits("has:H100 80GB", "NVIDIA h100 80GB HBM3", Numbers::marked));
    EXPECT_FALSE(fits("has:H100 80GB", "NVIDIA H100 NVL", Numbers::marked));
}

TEST(Expected, TheFirstRowThatFits) {
    const Index index(whole());
    EXPECT_EQ(expected_number(*index.table("widths"), "2330"), 16.0);
    EXPECT_EQ(expected_number(*index.table("widths"), "1db1"), std::nullopt);
    EXPECT_EQ(expected_number(*index.table("verdicts"), "31"), std::nullopt) << "its row has no number";
}

TEST(Fits, WhatIsNoNumberFitsNoNumber) {
    EXPECT_FALSE(fits("0x65", "", Numbers::marked));
    EXPECT_FALSE(fits("bit:4", "GPC0", Numbers::marked));
    EXPECT_FALSE(fits("--01", "0x1ffffffffffffffff", Numbers::marked));
}

TEST(Decode, SaysTheFieldsOfASignal) {
    const Index index(whole());
    const auto decoded = decode(index, *index.signal("xid.79"), {{"code", "79"}});
    EXPECT_THAT(decoded, ElementsAre(AllOf(Field(&Decoded::field, "code"), Field(&Decoded::value, "79"),
                                           Field(&Decoded::name, "GONE"))));
}

TEST(Decode, AFieldThatIsMissingOrUnknownSaysNothing) {
    const Index index(whole());
    EXPECT_THAT(decode(index, *index.signal("xid.79"), {{"pid", "79"}}), IsEmpty());
    EXPECT_THAT(decode(index, *index.signal("xid.79"), {{"code", "80"}}), IsEmpty());
}

TEST(Decode, SeveralKeysAndAllRowsThatFit) {
    const Index index(whole());
    Signal signal;
    signal.decode = {{"words", {"unit", "word"}, false}};
    const auto decoded = decode(index, signal, {{"word", "0x11"}, {"unit", "DL"}});
    ASSERT_EQ(decoded.size(), 2u);
    EXPECT_EQ(decoded[0].field, "unit, word");
    EXPECT_EQ(decoded[1].text.en, "the far end was lost");
    EXPECT_THAT(decode(index, signal, {{"word", "0x11"}, {"unit", "TL"}}), IsEmpty());
}

TEST(RowsNamed, FindsANameInAnyCase) {
    EXPECT_EQ(rows_named(whole(), "gone").size(), 1u);
    EXPECT_THAT(rows_named(whole(), ""), IsEmpty());
    EXPECT_THAT(rows_named(whole(), "it left"), IsEmpty());
}

TEST(Overrides, ASiteWishesWithoutRewriting) {
    const auto loaded = load_catalogue(whole(), {{{{"overrides/site.yaml", "overrides", test::kOverrides}}}});
    ASSERT_TRUE(loaded.ok());
    const Index index(loaded.catalogue);
    const auto* fault = index.fault("pci.gone");
    EXPECT_EQ(fault->severity, model::Severity::error);
    EXPECT_EQ(fault->strategy, Strategy::observe);
    ASSERT_EQ(fault->plan.size(), 1u);
    EXPECT_EQ(fault->plan[0].action, "look");
    EXPECT_EQ(index.code_of("xid.31")->severity, model::Severity::info);
    EXPECT_NE(loaded.catalogue.version, whole().version);
}

TEST(Overrides, NameWhatThereIs) {
    const std::string wrong = R"(overrides:
  - {fault: pci.gon, severity: error}
  - {signal: xid.3100, severity: info}
  - {fault: pci.gone, action: lok, why: {en: so, ko: 그래서}}
  - {severity: info}
)";
    const auto loaded = load_catalogue(whole(), {{{{"overrides/site.yaml", "overrides", wrong}}}});
    std::vector<std::string> codes;
    for (const auto& problem : loaded.problems) codes.push_back(problem.code);
    EXPECT_THAT(codes, ::testing::UnorderedElementsAre("CAT-008", "CAT-007", "CAT-009", "CAT-034"));
}

}  // namespace
}  // namespace gpumedic::knowledge
