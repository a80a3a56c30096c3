#include "adapters/bmc/walk.h"

#include <gmock/gmock.h>

#include <map>

namespace gpumedic::adapters::bmc {
namespace {

using ports::ServiceText;
using testing::Contains;
using testing::ElementsAre;
using testing::Field;
using testing::HasSubstr;
using testing::Not;
using Outcome = ServiceText::Outcome;

class Walking : public testing::Test {
protected:
    std::map<std::string, std::string> tree_{
        {"/redfish/v1/",
         R"({"Systems":{"@odata.id":"/redfish/v1/Systems"},"Managers":{"@odata.id":"/redfish/v1/Managers"},
             "Chassis":{"@odata.id":"/redfish/v1/Chassis"}})"},
        {"/redfish/v1/Systems", R"({"Members":[{"@odata.id":"/redfish/v1/Systems/1"}]})"},
        {"/redfish/v1/Systems/1",
         R"({"PowerState":"On","LogServices":{"@odata.id":"/redfish/v1/Systems/1/LogServices"}})"},
        {"/redfish/v1/Systems/1/LogServices", R"({"Members":[{"@odata.id":"/redfish/v1/Systems/1/LogServices/SEL"}]})"},
        {"/redfish/v1/Systems/1/LogServices/SEL",
         R"({"Entries":{"@odata.id":"/redfish/v1/Systems/1/LogServices/SEL/Entries"}})"},
        {"/redfish/v1/Systems/1/LogServices/SEL/Entries",
         R"({"Members":[{"Id":"1"}],"Members@odata.nextLink":"/redfish/v1/Systems/1/LogServices/SEL/Entries?$skip=1"})"},
        {"/redfish/v1/Systems/1/LogServices/SEL/Entries?$skip=1", R"({"Members":[{"Id":"2"}]})"},
        {"/redfish/v1/Managers", R"({"Members":[{"@odata.id":"/redfish/v1/Managers/BMC"}]})"},
        {"/redfish/v1/Managers/BMC", R"({"LogServices":{"@odata.id":"/redfish/v1/Systems/1/LogServices"}})"},
        {"/redfish/v1/Chassis", R"({"Members":[{"@odata.id":"/redfish/v1/Chassis/1"}]})"},
        {"/redfish/v1/Chassis/1", R"({"Thermal":{"@odata.id":"/redfish/v1/Chassis/1/Thermal"}})"},
        {"/redfish/v1/Chassis/1/Thermal", R"({"Temperatures":[]})"}};
    std::map<std::string, base::ErrorCode> errors_{};
    std::vector<std::string> asked_{};
    WalkLimits limits_{};

    std::vector<ServiceText> run() {
        return walk(
            [this](const std::string& path) -> base::Result<std::string> {
                asked_.push_back(path);
                if (const auto error = errors_.find(path); error != errors_.end())
                    return base::fail(error->second, "it says no");
                const auto found = tree_.find(path);
                if (found == tree_.end()) return base::fail(base::ErrorCode::not_found, "no such document");
                return found->second;
            },
            limits_);
    }
    static std::vector<std::string> names(const std::vector<ServiceText>& texts) {
        std::vector<std::string> names;
        for (const auto& text : texts) names.push_back(text.name);
        return names;
    }
};

TEST_F(Walking, LogsPageByPageSystemsAndReadings) {
    const auto texts = run();
    EXPECT_THAT(
        names(texts),
        ElementsAre("bmc/redfish/Systems/1.json", "bmc/redfish/Systems/1/LogServices/SEL/Entries.json",
                    "bmc/redfish/Systems/1/LogServices/SEL/Entries-skip-1.json", "bmc/redfish/Chassis/1/Thermal.json"));
    EXPECT_THAT(texts, Not(Contains(Field(&ServiceText::outcome, Not(Outcome::ok)))));
    EXPECT_EQ(asked_.size(), tree_.size()) << "a log that system and manager share is read once";
}

TEST_F(Walking, OneBrokenDocumentCostsItselfOnly) {
    errors_["/redfish/v1/Systems/1/LogServices/SEL/Entries?$skip=1"] = base::ErrorCode::unreadable;
    tree_["/redfish/v1/Systems/1"] = "<html>";
    const auto texts = run();
    EXPECT_EQ(texts[0].outcome, Outcome::failed);
    EXPECT_EQ(texts[0].text, "<html>") << "what came is kept";
    EXPECT_THAT(names(texts), Contains("bmc/redfish/Chassis/1/Thermal.json"));
}

TEST_F(Walking, AnErrorThatWouldComeBackEndsIt) {
    errors_["/redfish/v1/Systems"] = base::ErrorCode::timed_out;
    const auto texts = run();
    ASSERT_EQ(texts.size(), 1U);
    EXPECT_EQ(texts[0].outcome, Outcome::timed_out);
    EXPECT_EQ(asked_.size(), 2U);
}

TEST_F(Walking, HostileLinksAreNotFollowed) {
    tree_["/redfish/v1/Systems"] =
        R"({"Members":[{"@odata.id":"https://elsewhere.test/redfish/v1"},{"@odata.id":"/redfish/v1/../../etc"},
            {"@odata.id":"/redfish/v1/a b"},{"@odata.id":"/redfish/v1/Systems"},{"@odata.id":7}]})";
    run();
    for (const auto& path : asked_) EXPECT_TRUE(tree_.contains(path)) << path;
}

TEST_F(Walking, ALogWithoutEndIsCut) {
    tree_["/redfish/v1/Systems/1/LogServices/SEL/Entries?$skip=1"] =
        R"({"Members@odata.nextLink":"/redfish/v1/Systems/1/LogServices/SEL/Entries"})";
    EXPECT_LE(run().size(), 5U) << "a ring of pages is walked once";
    asked_.clear();
    limits_.pages = 1;
    const auto texts = run();
    EXPECT_THAT(texts, Contains(Field(&ServiceText::why, HasSubstr("more than 1 pages"))));
    limits_.bytes = 300;
    EXPECT_THAT(run(), Contains(Field(&ServiceText::outcome, Outcome::truncated)));
}

}  // namespace
}  // namespace gpumedic::adapters::bmc
