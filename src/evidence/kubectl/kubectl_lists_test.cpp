// Lists of objects, which are read item by item.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "evidence/kubectl/document.h"
#include "evidence/kubectl/kubectl_test_reading.h"

namespace gpumedic::evidence {
namespace {

using model::RecordType;
using ::testing::SizeIs;
using testing_kubectl::of_type;
using testing_kubectl::read;

std::string pod(const std::string& name, const std::string& kind = "\"apiVersion\": \"v1\", \"kind\": \"Pod\", ") {
    return "        {\n            " + kind + "\"metadata\": {\"name\": \"" + name +
           "\", \"namespace\": \"a\", \"items\": [\"x\"]},\n            \"status\": {\"phase\": \"Failed\", "
           "\"message\": \"m " +
           name + " { [\"}\n        }";
}

TEST(KubectlLists, EachItemIsARecordWithItsLine) {
    const auto seen = read("{\n    \"apiVersion\": \"v1\",\n    \"items\": [\n" + pod("p1") + ",\n" + pod("p2") +
                           "\n    ],\n    \"kind\": \"List\",\n    \"metadata\": {\"resourceVersion\": \"\"}\n}\n");
    ASSERT_THAT(seen, SizeIs(2));
    EXPECT_EQ(seen[0].fields.at("name"), "p1");
    EXPECT_EQ(seen[0].text, "m p1 { [");
    EXPECT_EQ(seen[0].line, 6U);
    EXPECT_EQ(seen[1].fields.at("name"), "p2");
    EXPECT_EQ(seen[1].line, 10U);
}

TEST(KubectlLists, ATypedListNamesItsItemsKind) {
    const auto seen = read("{\"kind\":\"PodList\",\"apiVersion\":\"v1\",\"metadata\":{},\"items\":[" + pod("p1", "") +
                           "," + pod("p2", "") + "]}\n");
    EXPECT_THAT(of_type(seen, RecordType::k8s_pod), SizeIs(2));
    EXPECT_THAT(seen, SizeIs(2));
}

TEST(KubectlLists, BareArraysAndOneLineAreReadToo) {
    EXPECT_THAT(of_type(read("[\n" + pod("p1") + ",\n" + pod("p2") + "\n]\n"), RecordType::k8s_pod), SizeIs(2));
    std::string line = "{\"apiVersion\":\"v1\",\"items\":[" + pod("p1") + "," + pod("p2") + "],\"kind\":\"List\"}";
    std::erase(line, '\n');
    EXPECT_THAT(of_type(read(line), RecordType::k8s_pod), SizeIs(2));
    EXPECT_THAT(of_type(read(line + "\n" + line + "\n"), RecordType::k8s_pod), SizeIs(4));
}

TEST(KubectlLists, ACutListGivesWhatIsWhole) {
    const std::string text =
        "{\n    \"apiVersion\": \"v1\",\n    \"items\": [\n" + pod("p1") + ",\n" + pod("p2") + "\n    ]\n}\n";
    for (std::size_t size = text.find("p1\n        }"); size < text.size(); ++size) {
        const auto seen = read(text.substr(0, size));
        EXPECT_LE(of_type(seen, RecordType::k8s_pod).size(), 2U);
    }
    std::uint64_t malformed = 0;
    const auto seen = read(text.substr(0, text.find("\"m p2")), {}, &malformed);
    EXPECT_THAT(of_type(seen, RecordType::k8s_pod), SizeIs(1));
    EXPECT_EQ(malformed, 1U);
}

TEST(KubectlLists, YamlListsAreReadItemByItem) {
    const auto item = [](const std::string& name) {
        return "- apiVersion: v1\n  kind: Pod\n  metadata:\n    name: " + name +
               "\n    namespace: a\n  status:\n    phase: Failed\n    message: m " + name + "\n";
    };
    const auto seen =
        read("apiVersion: v1\nitems:\n" + item("p1") + item("p2") + "kind: List\nmetadata:\n  resourceVersion: \"\"\n");
    ASSERT_THAT(seen, SizeIs(2));
    EXPECT_EQ(seen[0].fields.at("name"), "p1");
    EXPECT_EQ(seen[0].line, 10U);
    EXPECT_EQ(seen[1].fields.at("name"), "p2");
    EXPECT_EQ(seen[1].line, 18U);
    EXPECT_THAT(read("items:\n" + item("p1") + "---\n" + item("p2").substr(2)), SizeIs(::testing::Ge(1)));
}

TEST(KubectlLists, MemoryIsThatOfOneItem) {
    kubectl::JsonParts parts;
    std::size_t longest = 0;
    std::size_t item = 0;
    const auto sink = [&](std::string_view piece, kubectl::JsonParts::Role role) {
        using Role = kubectl::JsonParts::Role;
        if (role == Role::item || role == Role::item_end) item += piece.size();
        longest = std::max(longest, item);
        if (role == Role::item_end) item = 0;
    };
    parts.line("{\"items\": [", sink);
    for (int i = 0; i < 1000; ++i) parts.line("{\"a\": [1, {\"b\": \"]}\\\"\"}]},", sink);
    parts.line("], \"kind\": \"List\"}", sink);
    EXPECT_TRUE(parts.closed());
    EXPECT_LE(longest, 32U);
}

}  // namespace
}  // namespace gpumedic::evidence
