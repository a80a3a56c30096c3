#include <gtest/gtest.h>

#include "knowledge/catalogue.h"
#include "knowledge/test_catalogue.h"

namespace gpumedic::knowledge {
namespace {

class IndexTest : public ::testing::Test {
protected:
    Catalogue catalogue_ = load_catalogue({}, {{test::whole_catalogue()}}).catalogue;
    Index index_{catalogue_};
};

TEST_F(IndexTest, FindsDefinitionsById) {
    EXPECT_EQ(&index_.catalogue(), &catalogue_);
    EXPECT_EQ(index_.signal("pci.config_all_ones"), &catalogue_.signals[1]);
    EXPECT_EQ(index_.fault("vm.down"), &catalogue_.faults[1]);
    EXPECT_EQ(index_.action("look"), &catalogue_.actions[1]);
    EXPECT_EQ(index_.check("kernel_quiet"), &catalogue_.checks[0]);
    EXPECT_EQ(index_.fault_class("fallen"), &catalogue_.classes[0]);
    EXPECT_EQ(index_.signal("absent"), nullptr);
    EXPECT_EQ(index_.fault(""), nullptr);
}

TEST_F(IndexTest, CodeBelongsToItsSignal) {
    EXPECT_EQ(index_.signal("xid.79"), &catalogue_.signals[0]);
    EXPECT_EQ(index_.signal("xid.other"), &catalogue_.signals[0]);
    ASSERT_NE(index_.code_of("xid.79"), nullptr);
    EXPECT_EQ(index_.code_of("xid.79")->code, "79");
    EXPECT_EQ(index_.code_of("xid.other"), nullptr);
    EXPECT_EQ(index_.code_of("xid"), nullptr);
    EXPECT_EQ(index_.signal("pci.config_all_ones.1"), nullptr) << "it has no codes";
}

TEST_F(IndexTest, TitleIsTheMostExactOneThereIs) {
    EXPECT_EQ(index_.title_of("xid.79").en, "Xid 79: off the bus");
    EXPECT_EQ(index_.title_of("xid.79").ko, "Xid 79: 버스에서 사라짐");
    EXPECT_EQ(index_.title_of("xid.other").en, "Xid");
    EXPECT_TRUE(index_.title_of("absent").empty());
}

TEST(MatchesId, FamilyFormCoversWhatIsBelowIt) {
    EXPECT_TRUE(matches_id("xid.79", "xid.79"));
    EXPECT_FALSE(matches_id("xid.79", "xid.791"));
    EXPECT_TRUE(matches_id("xid.*", "xid.79"));
    EXPECT_FALSE(matches_id("xid.*", "xid"));
    EXPECT_FALSE(matches_id("xid.*", "xid."));
    EXPECT_FALSE(matches_id("xid.*", "xidother.79"));
    EXPECT_FALSE(matches_id("", "xid.79"));
}

}  // namespace
}  // namespace gpumedic::knowledge
