#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "codec/value.h"
#include "report/diagnosis_samples.h"
#include "report/report.h"

namespace gpumedic::report {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

codec::Value parsed(const std::string& json) {
    auto value = codec::parse_json(json);
    EXPECT_TRUE(value.has_value()) << json;
    return value ? *value : codec::Value{};
}
const codec::Value& first_of(const codec::Value& value, std::string_view key) {
    static const codec::Value none;
    const codec::Value* list = value.find(key);
    return list == nullptr || list->items.empty() ? none : list->items.front();
}

TEST(RenderJson, HasTheContractsShape) {
    const codec::Value root = parsed(render_json(samples::fault()));
    EXPECT_EQ(root.text({"schema"}), "gpumedic.diagnosis/v1");
    EXPECT_EQ(root.text({"verdict"}), "fault");
    EXPECT_EQ(root.text({"summary", "ko"}), "node-07에 진행 중인 사건 1건.");
    const codec::Value& incident = first_of(root, "incidents");
    EXPECT_EQ(incident.text({"class"}), "vfio_reset_failure");
    EXPECT_EQ(incident.text({"confidence"}), "0.934");
    EXPECT_EQ(incident.text({"first_seen"}), "2025-10-10T21:40:03+09:00");
    EXPECT_EQ(incident.text({"action", "class"}), "cold_reboot");
    EXPECT_EQ(incident.text({"action", "why_not_less", "en"}), "A warm reboot leaves the slot powered.");
    EXPECT_EQ(first_of(*incident.find("action"), "alternatives").text({"when", "en"}), "no VM holds a GPU");
    EXPECT_EQ(first_of(*incident.find("action"), "steps").text({"command"}), "kubectl cordon node-07");
    EXPECT_EQ(first_of(incident, "chain").text({"how"}), "inferred");
    EXPECT_EQ(first_of(incident, "evidence").text({"line"}), "3");
    EXPECT_EQ(first_of(root, "benign").text({"why", "en"}), "it comes with every VM stop");
    EXPECT_EQ(first_of(root, "sources").text({"vantage"}), "host");
    EXPECT_EQ(root.text({"stats", "signals"}), "3");
}

TEST(RenderJson, LeavesOutWhatIsAbsent) {
    const codec::Value root = parsed(render_json(samples::fault()));
    const codec::Value& incident = first_of(root, "incidents");
    const codec::Value& vm = incident.find("devices")->items.back();
    EXPECT_EQ(vm.text({"role"}), "victim");
    EXPECT_EQ(vm.text({"holder", "namespace"}), "ml");
    for (const std::string_view key : {"pci", "uuid", "index", "link", "nvswitch", "iommu_group"})
        EXPECT_EQ(vm.find(key), nullptr) << key;
    EXPECT_EQ(vm.find("holder")->find("pod"), nullptr);
    EXPECT_EQ(root.find("nodes"), nullptr);
}

TEST(RenderJson, KeepsListsThatAreEmpty) {
    const std::string json = render_json(model::Diagnosis{});
    const codec::Value root = parsed(json);
    for (const std::string_view key : {"incidents", "benign", "unexplained", "missing", "sources"}) {
        ASSERT_NE(root.find(key), nullptr) << key;
        EXPECT_TRUE(root.find(key)->is_list());
    }
    EXPECT_EQ(root.text({"verdict"}), "inconclusive");
}

TEST(RenderJson, NamesNodesOnlyWhereThereAreSeveral) {
    model::Diagnosis diagnosis;
    diagnosis.nodes = {{"a", model::Verdict::healthy}};
    EXPECT_THAT(render_json(diagnosis), Not(HasSubstr("\"nodes\"")));
    diagnosis.nodes.push_back({"b", model::Verdict::fault});
    EXPECT_EQ(first_of(parsed(render_json(diagnosis)), "nodes").text({"verdict"}), "healthy");
}

TEST(RenderJson, SurvivesHostileValues) {
    model::Diagnosis diagnosis = samples::fault();
    diagnosis.incidents.front().confidence = std::numeric_limits<double>::quiet_NaN();
    diagnosis.incidents.front().evidence.front().text = std::string("\x00\x1b[2J\xff\"\\", 8);
    const std::string json = render_json(diagnosis);
    EXPECT_EQ(json.find('\x1b'), std::string::npos);
    EXPECT_EQ(first_of(parsed(json), "incidents").text({"confidence"}), "0");
}

TEST(RenderJson, IsDeterministicAndInTheContractsOrder) {
    EXPECT_EQ(render_json(samples::fault()), render_json(samples::fault()));
    EXPECT_THAT(render_json(samples::fault()),
                StartsWith("{\n  \"schema\": \"gpumedic.diagnosis/v1\",\n  \"verdict\": \"fault\",\n"));
}

}  // namespace
}  // namespace gpumedic::report
