#include "evidence/dcgm/dcgm_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "base/text.h"

namespace gpumedic::evidence {
namespace {

using model::RecordType;
using ::testing::Contains;
using ::testing::IsEmpty;
using ::testing::Pair;
using ::testing::SizeIs;
using Fields = std::map<std::string, std::string>;

struct Seen {
    RecordType type{};
    std::uint64_t line{};
    std::string text;
    std::string raw;
    Fields fields;
};

std::vector<Seen> read(std::string_view text, const std::string& command = {}) {
    std::vector<Seen> seen;
    const auto reader = dcgm_kind().make({"dcgm.txt", command, {}}, [&](const model::Record& record) {
        Seen one{record.type, record.line, std::string(record.text), std::string(record.raw), {}};
        for (const auto& field : record.fields) {
            EXPECT_FALSE(field.value.empty()) << field.key;
            EXPECT_TRUE(one.fields.emplace(field.key, field.value).second) << field.key << " twice";
        }
        seen.push_back(std::move(one));
    });
    std::uint64_t number = 0;
    for (const auto line : base::split(text, '\n')) reader->line(line, ++number);
    reader->finish();
    EXPECT_EQ(reader->stats().records, seen.size());
    return seen;
}

constexpr std::string_view kDiag =
    "Successfully ran diagnostic for group.\n"
    "+---------------------------+------------------------------------------------+\n"
    "| Diagnostic                | Result                                         |\n"
    "+===========================+================================================+\n"
    "|-----  Metadata  ----------+------------------------------------------------|\n"
    "| DCGM Version              | 3.3.9                                          |\n"
    "| Driver Version Detected   | 550.90.07                                      |\n"
    "|-----  Deployment  --------+------------------------------------------------|\n"
    "| NVML Library              | Pass                                           |\n"
    "+-----  Integration  -------+------------------------------------------------+\n"
    "| PCIe                      | Fail - All                                     |\n"
    "| Warning                   | GPU 2GPU 2's NvLink link 4 is currently down   |\n"
    "|                           | Run a field diagnostic on the GPU., GPU 3GPU   |\n"
    "|                           | 3's NvLink link 5 is currently down Run a fie  |\n"
    "|                           | ld diagnostic on the GPU.                      |\n"
    "+-----  Stress  ------------+------------------------------------------------+\n"
    "| Targeted Power            | Pass - GPU: 0                                  |\n"
    "|                           | Fail - GPUs: 1, 2                              |\n"
    "+---------------------------+------------------------------------------------+\n";

TEST(Dcgm, JoinsTheCutCellsOfADiagnosis) {
    const auto seen = read(kDiag, "dcgmi diag -r 2");
    ASSERT_THAT(seen, SizeIs(7));
    EXPECT_EQ(seen[0].type, RecordType::text);
    EXPECT_EQ(seen[1].fields, (Fields{{"test", "NVML Library"}, {"result", "pass"}}));
    EXPECT_EQ(seen[2].text, "GPU 2GPU 2's NvLink link 4 is currently down Run a field diagnostic on the GPU.");
    EXPECT_EQ(seen[2].fields, (Fields{{"index", "2"}, {"test", "PCIe"}, {"result", "fail"}}));
    EXPECT_EQ(seen[2].line, 12U);
    EXPECT_EQ(seen[3].text, "GPU 3GPU 3's NvLink link 5 is currently down Run a field diagnostic on the GPU.");
    EXPECT_EQ(seen[3].fields, (Fields{{"index", "3"}, {"test", "PCIe"}, {"result", "fail"}}));
    EXPECT_EQ(seen[4].fields, (Fields{{"index", "0"}, {"test", "Targeted Power"}, {"result", "pass"}}));
    EXPECT_EQ(seen[6].fields, (Fields{{"index", "2"}, {"test", "Targeted Power"}, {"result", "fail"}}));
    EXPECT_EQ(seen[6].text, "Targeted Power");
}

TEST(Dcgm, ReadsTheDiagnosisOfVersion4) {
    const auto seen = read(
        "| Diagnostic                | Result                                         |\n"
        "|-----  Hardware  ----------+------------------------------------------------|\n"
        "| memory                    | Fail                                           |\n"
        "|                           | GPU0: Pass                                     |\n"
        "|                           | GPU1: Fail                                     |\n"
        "| Warning: GPU1             | A page retirement is pending                   |\n");
    ASSERT_THAT(seen, SizeIs(2));
    EXPECT_EQ(seen[0].text, "A page retirement is pending");
    EXPECT_EQ(seen[0].fields, (Fields{{"index", "1"}, {"test", "memory"}, {"result", "fail"}}));
    EXPECT_EQ(seen[1].fields, (Fields{{"index", "0"}, {"test", "memory"}, {"result", "pass"}}));
}

constexpr std::string_view kHealth =
    "+---------------------------+----------------------------------------------------------+\n"
    "| Health Monitor Report                                                                |\n"
    "+===========================+==========================================================+\n"
    "| Overall Health            | Warning                                                  |\n"
    "| GPU                       |                                                          |\n"
    "| -> 5                      | Warning                                                  |\n"
    "|    -> Errors              |                                                          |\n"
    "|       -> PCIe system      | Warning                                                  |\n"
    "|                           | Detected more than 8 PCIe replays per minute for GPU 5   |\n"
    "|                           | : 11 Reconnect PCIe card.                                |\n"
    "| NvSwitch                  |                                                          |\n"
    "| -> 1                      | Failure                                                  |\n"
    "|       -> NVLINK system    | Failure - a port is down                                 |\n"
    "+---------------------------+----------------------------------------------------------+\n";

TEST(Dcgm, ReadsAHealthReport) {
    const auto seen = read(kHealth);
    ASSERT_THAT(seen, SizeIs(3));
    EXPECT_EQ(seen[0].fields, (Fields{{"system", "Overall Health"}, {"result", "warning"}}));
    EXPECT_EQ(seen[1].fields, (Fields{{"index", "5"}, {"system", "PCIe system"}, {"result", "warning"}}));
    EXPECT_EQ(seen[1].text, "Detected more than 8 PCIe replays per minute for GPU 5 : 11 Reconnect PCIe card.");
    EXPECT_EQ(seen[2].fields, (Fields{{"system", "NVLINK system"}, {"result", "failure"}}));
    EXPECT_EQ(seen[2].text, "a port is down");
}

TEST(Dcgm, EachMessageOfACellIsAResult) {
    const auto seen = read(
        "| Overall Health            | Failure                                       |\n"
        "| -> 3                      | Failure                                       |\n"
        "|    -> NVLINK system       | Failure                                       |\n"
        "|                           | GPU 3's NvLink link 0 is currently down ...   |\n"
        "|                           | GPU 3's NvLink link 1 is currently down ...   |\n");
    ASSERT_THAT(seen, SizeIs(3));
    EXPECT_EQ(seen[2].text, "GPU 3's NvLink link 1 is currently down ...");
    EXPECT_EQ(seen[2].fields, (Fields{{"index", "3"}, {"system", "NVLINK system"}, {"result", "failure"}}));
}

TEST(Dcgm, ReadsTheOldHealthReport) {
    const auto seen = read(
        "+----------------------------------------------------------------------------+\n"
        "| Group 1          | Overall Health: Warning                                 |\n"
        "+==================+=========================================================+\n"
        "| GPU ID: 0        | Warning                                                 |\n"
        "|                  | PCIe system: Warning - Detected more than 8 PCIe        |\n"
        "|                  | replays per minute for GPU 0: 13                        |\n"
        "|                  | InfoROM system: Warning - A corrupt InfoROM             |\n"
        "+------------------+---------------------------------------------------------+\n");
    ASSERT_THAT(seen, SizeIs(3));
    EXPECT_EQ(seen[1].text, "Detected more than 8 PCIe replays per minute for GPU 0: 13");
    EXPECT_EQ(seen[2].fields, (Fields{{"index", "0"}, {"system", "InfoROM system"}, {"result", "warning"}}));
}

TEST(Dcgm, ReadsHealthAsJson) {
    const auto seen = read(
        "{\n  \"body\" : {\n    \"Overall Health\" : { \"value\" : \"Failure\",\n     \"children\" : { \"GPU\" : {\n"
        "       \"children\" : { \"2\" : { \"value\" : \"Failure\", \"children\" : { \"Errors\" : { \"children\" : {\n"
        "        \"NVLINK system\" : { \"value\" : \"Failure\", \"children\" : {\n"
        "         \"GPU 2's NvLink link 7 is currently down\" : { } } } } } } } } } }\n    }\n  },\n"
        "  \"header\" : [ \"Health Monitor Report\" ]\n}\n");
    ASSERT_THAT(seen, SizeIs(2));
    EXPECT_EQ(seen[0].fields, (Fields{{"system", "Overall Health"}, {"result", "failure"}}));
    EXPECT_EQ(seen[0].line, 3U);
    EXPECT_EQ(seen[1].text, "GPU 2's NvLink link 7 is currently down");
    EXPECT_EQ(seen[1].fields, (Fields{{"index", "2"}, {"system", "NVLINK system"}, {"result", "failure"}}));
    EXPECT_EQ(seen[1].line, 7U);
}

TEST(Dcgm, ReadsADiagnosisAsJson) {
    const auto seen = read(
        R"({"DCGM Diagnostic": {"test_categories": [{"category": "Hardware", "tests": [{"name": "memory", "results": [
{"entity_group": "GPU", "entity_id": 0, "status": "Pass"},
{"entity_group": "GPU", "entity_id": 1, "status": "Fail", "warnings": [{"error_id": 95, "warning": "it failed"}]}]},
{"name": "pcie", "results": [{"gpu_ids": "3", "status": "Warn", "warnings": "GPU 3 is slow."}]}]}]}}
)");
    ASSERT_THAT(seen, SizeIs(3));
    EXPECT_EQ(seen[0].fields, (Fields{{"index", "0"}, {"test", "memory"}, {"result", "pass"}}));
    EXPECT_EQ(seen[1].fields, (Fields{{"index", "1"}, {"test", "memory"}, {"result", "fail"}, {"code", "95"}}));
    EXPECT_EQ(seen[1].text, "it failed");
    EXPECT_EQ(seen[2].fields, (Fields{{"index", "3"}, {"test", "pcie"}, {"result", "warn"}}));
}

TEST(Dcgm, ReadsSampledValues) {
    const auto seen = read(
        "#Entity    XIDER        GPUTL\nID                      %\nGPU 0      0            N/A\nGPU 1      94          "
        " 7\n",
        "dcgmi dmon -e 230,203 -c 1");
    ASSERT_THAT(seen, SizeIs(3));
    EXPECT_EQ(seen[1].text, "XIDER 94");
    EXPECT_EQ(seen[1].fields, (Fields{{"index", "1"}, {"test", "XIDER"}, {"code", "94"}, {"value", "94"}}));
    EXPECT_EQ(seen[2].fields, (Fields{{"index", "1"}, {"test", "GPUTL"}, {"value", "7"}}));
}

TEST(Dcgm, ReadsLinkStates) {
    const auto seen = read(
        "+----------------------+\n|  NvLink Link Status  |\n+----------------------+\nGPUs:\n    gpuId 0:\n        U "
        "D X _\n"
        "NvSwitches:\n    physicalId 8:\n        U U D\n\nKey: Up=U, Down=D, Disabled=X, Not Supported=_\n");
    ASSERT_THAT(seen, SizeIs(2));
    EXPECT_EQ(seen[0].type, RecordType::nvlink);
    EXPECT_EQ(seen[0].fields, (Fields{{"index", "0"}, {"link", "0"}, {"state", "active"}}));
    EXPECT_EQ(seen[1].fields, (Fields{{"index", "0"}, {"link", "1"}, {"state", "inactive"}}));
    EXPECT_EQ(seen[1].line, 6U);
}

TEST(Dcgm, RecognisesByCommandOrContent) {
    const auto recognise = dcgm_kind().recognise;
    EXPECT_GE(recognise({"x", "sudo dcgmi health -c"}), 90);
    EXPECT_GE(recognise({kDiag, {}}), 90);
    EXPECT_GE(recognise({kHealth, {}}), 90);
    EXPECT_GE(recognise({"#Entity    XIDER\nID\n", {}}), 90);
    EXPECT_GE(recognise({"{\n \"body\" : { \"Overall Health\" : {}}}", {}}), 90);
    EXPECT_EQ(recognise({"| NVIDIA-SMI 550.90.07 | Driver Version: 550 |\n", {}}), 0);
    EXPECT_EQ(recognise({"x", "grep dcgmi notes.txt"}), 0);
    EXPECT_EQ(recognise({R"({"log":"level=info msg=\"DCGM successfully initialized!\"\n","stream":"stdout"})", {}}), 0)
        << "the words of a log line in docker's frame";
    EXPECT_EQ(recognise({R"({"msg":"DCGM version: 3"})", {}}), 0) << "a value, not a member's name";
    EXPECT_EQ(recognise({"", {}}), 0);
}

TEST(Dcgm, SurvivesTruncationAtEveryByte) {
    for (const auto text : {kDiag, kHealth})
        for (std::size_t length = 0; length <= text.size(); ++length)
            EXPECT_LE(read(text.substr(0, length)).size(), 8U) << length;
}

TEST(Dcgm, SurvivesHostileInput) {
    EXPECT_THAT(read(""), IsEmpty());
    EXPECT_THAT(read("|\n||\n| | |\n|--|\n+-\n| Diagnostic | Result |\n| | x |\n| Warning | GPU 9 |\n"), IsEmpty());
    EXPECT_FALSE(read("{\"body\": " + std::string(5000, '[')).empty());
    EXPECT_THAT(read("{\"body\": {\"GPU\": {\"0\": {\"a system\": [[], {}, 1]}}}}"), SizeIs(1));
    std::string wide = "| Diagnostic | Result |\n| PCIe | Fail - GPUs: ";
    for (int i = 0; i < 20000; ++i) wide += "1, ";
    EXPECT_FALSE(read(wide + "|\n").empty());
    EXPECT_THAT(read("    gpuId 99999:\n   U U\n\xff\xfe\n"), Contains(::testing::Field(&Seen::text, "\xff\xfe")));
}

}  // namespace
}  // namespace gpumedic::evidence
