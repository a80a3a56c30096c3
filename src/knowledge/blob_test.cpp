#include "knowledge/blob.h"

#include <gtest/gtest.h>

#include "knowledge/test_catalogue.h"

namespace gpumedic::knowledge {
namespace {

Catalogue whole() { return load_catalogue({}, {{test::whole_catalogue()}}).catalogue; }

TEST(Blob, RoundTripLosesNothing) {
    const Catalogue before = whole();
    const auto bytes = write_blob(before);
    const auto after = read_blob(bytes);
    ASSERT_TRUE(after.has_value());
    EXPECT_EQ(write_blob(*after), bytes);
    EXPECT_EQ(after->version, before.version);
    ASSERT_EQ(after->signals.size(), before.signals.size());
    const Signal& xid = after->signals[0];
    EXPECT_EQ(xid.pattern, before.signals[0].pattern);
    EXPECT_EQ(xid.literal, before.signals[0].literal);
    EXPECT_EQ(xid.in, before.signals[0].in);
    EXPECT_EQ(xid.codes.at(0).severity, model::Severity::fatal);
    EXPECT_EQ(xid.codes.at(0).meaning, before.signals[0].codes[0].meaning);
    EXPECT_EQ(after->signals[1].where.at(1).test, FieldCondition::Test::none_of);
    EXPECT_EQ(after->signals[1].match.at(0).fields, before.signals[1].match[0].fields);
    const Fault& fault = after->faults.at(0);
    EXPECT_EQ(fault.effects.at(0).within, std::chrono::seconds(600));
    EXPECT_EQ(fault.effects.at(1).within, std::nullopt);
    EXPECT_TRUE(fault.effects.at(2).inferred);
    EXPECT_EQ(fault.effects.at(2).scope, Scope::holder_vm);
    EXPECT_EQ(fault.plan.at(0).when.all, before.faults[0].plan[0].when.all);
    EXPECT_EQ(fault.scheduling, before.faults[0].scheduling);
    EXPECT_EQ(after->actions.at(0).steps.at(0).risk, before.actions[0].steps[0].risk);
    EXPECT_EQ(after->checks.at(0).expect, before.checks[0].expect);
    EXPECT_EQ(after->classes.at(0).meaning, before.classes[0].meaning);
}

TEST(Blob, EmptyCatalogueRoundTrips) {
    const auto after = read_blob(write_blob({}));
    ASSERT_TRUE(after.has_value());
    EXPECT_TRUE(after->signals.empty());
}

TEST(Blob, CutAtEveryByteIsRefused) {
    const auto bytes = write_blob(whole());
    for (std::size_t size = 0; size < bytes.size(); ++size) {
        EXPECT_FALSE(read_blob(std::string_view(bytes).substr(0, size)).has_value()) << size;
    }
    EXPECT_FALSE(read_blob(bytes + "x").has_value());
}

TEST(Blob, DamagedBytesAreReadSafely) {
    const auto bytes = write_blob(whole());
    std::size_t refused = 0;
    for (std::size_t at = 0; at < bytes.size(); ++at) {
        auto damaged = bytes;
        damaged[at] = '\xff';
        refused += read_blob(damaged).has_value() ? 0U : 1U;
    }
    EXPECT_GT(refused, 0U);
    EXPECT_FALSE(read_blob("no blob at all").has_value());
}

}  // namespace
}  // namespace gpumedic::knowledge
