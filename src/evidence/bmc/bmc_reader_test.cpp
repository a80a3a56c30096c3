#include "evidence/bmc/bmc_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "base/text.h"

namespace gpumedic::evidence {
namespace {

using model::RecordType;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using Fields = std::map<std::string, std::string>;

struct Seen {
    RecordType type{};
    std::uint64_t line{};
    std::string text;
    std::string time;
    Fields fields;
};

std::vector<Seen> read(std::string_view text) {
    std::vector<Seen> seen;
    const auto reader = bmc_kind().make({"bmc.txt", {}, {}}, [&](const model::Record& record) {
        Seen one{
            record.type, record.line, std::string(record.text), record.time ? base::format_time(*record.time) : "", {}};
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

constexpr std::string_view kLog =
    "   1 | Pre-Init  |0000000021| Power Unit #0x01 | Power off/down | Asserted\n"
    "  1a | 02/03/2025 | 08:15:01 | Power Supply PS2 Status | Failure detected | Asserted\n"
    "  1b | 02/03/2025 | 01:15:01 PM UTC | Temperature GPU4 Temp | Upper Critical going high | Deasserted | Reading 94 "
    "> "
    "Threshold 92 degrees C\n"
    "  1c | 02/03/25 | 12:15:01 AM UTC | Event Logging Disabled SEL | Log area reset/cleared\n";

TEST(Bmc, ReadsTheEventLog) {
    const auto seen = read(kLog);
    ASSERT_THAT(seen, SizeIs(4));
    EXPECT_EQ(seen[0].type, RecordType::bmc_event);
    EXPECT_EQ(seen[0].time, "");
    EXPECT_EQ(seen[0].text, "Power Unit #0x01: Power off/down");
    EXPECT_EQ(seen[1].fields, (Fields{{"id", "1a"},
                                      {"sensor", "Power Supply PS2 Status"},
                                      {"event", "Failure detected"},
                                      {"state", "asserted"}}));
    EXPECT_EQ(seen[1].time, "2025-02-03T08:15:01Z");
    EXPECT_EQ(seen[2].time, "2025-02-03T13:15:01Z");
    EXPECT_EQ(seen[2].fields.at("state"), "deasserted");
    EXPECT_EQ(seen[2].fields.at("value"), "Reading 94 > Threshold 92 degrees C");
    EXPECT_EQ(seen[3].time, "2025-02-03T00:15:01Z");
}

TEST(Bmc, OfSensorsOnlyReadingsOutsideTheirLimits) {
    const auto seen = read(
        "CPU1 Temp        | 45.000     | degrees C  | ok    | na        | na        | na        | 90.0 | 95.0 | 100.0\n"
        "GPU4 Temp        | 96.000     | degrees C  | ucr   | na        | na        | na        | 90.0 | 95.0 | 100.0\n"
        "PS1 Status       | 0x1        | discrete   | 0x0100| na        | na        | na        | na   | na   | na\n"
        "FAN3             | 300 RPM           | nr\n"
        "FAN4             | 9000 RPM          | ok\n"
        "Exhaust Temp     | 0Eh | nc  |  3.1 | 71 degrees C\n");
    ASSERT_THAT(seen, SizeIs(3));
    EXPECT_EQ(seen[0].fields,
              (Fields{{"sensor", "GPU4 Temp"}, {"value", "96.000"}, {"unit", "degrees C"}, {"status", "cr"}}));
    EXPECT_EQ(seen[0].text, "GPU4 Temp: 96.000");
    EXPECT_EQ(seen[1].fields, (Fields{{"sensor", "FAN3"}, {"value", "300"}, {"unit", "RPM"}, {"status", "nr"}}));
    EXPECT_EQ(seen[2].fields.at("status"), "nc");
}

TEST(Bmc, ReadsTheChassis) {
    const auto seen = read(
        "System Power         : on\nPower Overload       : false\nMain Power Fault     : true\nLast Power Event     : "
        "ac-failed\n"
        "Cooling/Fan Fault    : false\nChassis Intrusion    : inactive\n");
    ASSERT_THAT(seen, SizeIs(3));
    EXPECT_EQ(seen[0].fields, (Fields{{"sensor", "System Power"}, {"value", "on"}}));
    EXPECT_EQ(seen[1].fields, (Fields{{"sensor", "Main Power Fault"}, {"value", "true"}, {"state", "asserted"}}));
    EXPECT_EQ(seen[2].text, "Last Power Event: ac-failed");
    const auto cause = read("System restart cause: chassis power control command\nChassis Power is off\n");
    ASSERT_THAT(cause, SizeIs(2));
    EXPECT_EQ(cause[0].fields.at("event"), "chassis power control command");
    EXPECT_EQ(cause[1].fields.at("value"), "off");
}

constexpr std::string_view kCollection = R"({
  "@odata.type": "#LogEntryCollection.LogEntryCollection",
  "Members": [
    {
      "@odata.type": "#LogEntry.v1_9_0.LogEntry",
      "Created": "2025-02-03T08:15:01+00:00",
      "EntryType": "SEL",
      "EntryCode": "Assert",
      "Id": "12",
      "Message": "PCI bus fatal error at slot 5",
      "SensorType": "Critical Interrupt",
      "Severity": "Critical"
    },
    {
      "EntryType": "Event",
      "Id": "13",
      "Message": "The host was powered on.",
      "Severity": "OK"
    }
  ]
}
)";

TEST(Bmc, ReadsRedfishEntries) {
    const auto seen = read(kCollection);
    ASSERT_THAT(seen, SizeIs(2));
    EXPECT_EQ(seen[0].text, "Critical Interrupt: PCI bus fatal error at slot 5");
    EXPECT_EQ(seen[0].time, "2025-02-03T08:15:01Z");
    EXPECT_EQ(seen[0].line, 10U);
    EXPECT_EQ(seen[0].fields, (Fields{{"sensor", "Critical Interrupt"},
                                      {"event", "PCI bus fatal error at slot 5"},
                                      {"state", "asserted"},
                                      {"severity", "Critical"},
                                      {"id", "12"}}));
    EXPECT_EQ(seen[1].line, 17U);
    const auto one = read(
        "{\"@odata.type\":\"#LogEntry.v1_9_0.LogEntry\",\"Id\":\"7\",\"Message\":\"x\\ny\",\"Severity\":\"Warning\"}"
        "\n");
    ASSERT_THAT(one, SizeIs(1));
    EXPECT_EQ(one[0].text, "x y");
}

TEST(Bmc, OfRedfishReadingsOnlyThoseOutsideOfTheirLimits) {
    const auto thermal = read(R"({"@odata.id":"/redfish/v1/Chassis/1/Thermal","Temperatures":[
 {"Name":"Inlet","ReadingCelsius":24,"Status":{"Health":"OK"}},
 {"Name":"GPU 3 HBM","ReadingCelsius":104,"Status":{"Health":"Critical","State":"Enabled"}},
 {"Name":"PSU 2","Status":{"Health":null,"State":"Absent"}}]
}
)");
    ASSERT_THAT(thermal, SizeIs(1));
    EXPECT_EQ(thermal[0].line, 3U);
    EXPECT_EQ(thermal[0].fields,
              (Fields{{"sensor", "GPU 3 HBM"}, {"value", "104"}, {"unit", "degrees C"}, {"status", "cr"}}));
    const auto system = read(
        R"({"@odata.type":"#ComputerSystem.v1_20_0.ComputerSystem","@odata.id":"/redfish/v1/Systems/1","PowerState":"Off"})"
        "\n");
    ASSERT_THAT(system, SizeIs(1));
    EXPECT_EQ(system[0].text, "System Power: off");
    const auto sensor = read(
        R"({"@odata.type":"#Sensor.v1_7_0.Sensor","@odata.id":"/redfish/v1/Chassis/1/Sensors/F1","Name":"Fan 1","Reading":0,"ReadingUnits":"RPM","Status":{"Health":"Warning"}})"
        "\n");
    ASSERT_THAT(sensor, SizeIs(1));
    EXPECT_EQ(sensor[0].text, "Fan 1: 0");
}

TEST(Bmc, RecognisesByCommandOrContent) {
    const auto recognise = bmc_kind().recognise;
    EXPECT_GE(recognise({"x", "sudo ipmitool -I lanplus -H bmc sel elist"}), 90);
    EXPECT_GE(recognise({kLog, {}}), 80);
    EXPECT_GE(recognise({"System Power         : on\nPower Overload       : false\n", {}}), 80);
    EXPECT_GE(recognise({kCollection, {}}), 90);
    EXPECT_EQ(recognise({"|   0  N/A  N/A  |  1 | x |\n", {}}), 0);
    EXPECT_EQ(recognise({"{\"kind\": \"Event\"}", {}}), 0);
    EXPECT_EQ(recognise({"", {}}), 0);
}

TEST(Bmc, SurvivesTruncationAtEveryByte) {
    for (const auto text : {kLog, kCollection})
        for (std::size_t length = 0; length <= text.size(); ++length)
            EXPECT_LE(read(text.substr(0, length)).size(), 25U) << length;
}

TEST(Bmc, SurvivesHostileInput) {
    EXPECT_THAT(read(""), IsEmpty());
    EXPECT_THAT(read("||||||||||\n| | |\n : \n"), SizeIs(3));
    EXPECT_THAT(read("f | 99/99/9999 | 99:99 PM XX | s | e | Asserted\n1 | 1/1/1-/- | PM | |\n"), SizeIs(2));
    EXPECT_FALSE(read("{\"Members\": [[[[[[{}]]]]]]}").empty());
    EXPECT_FALSE(read(std::string(20000, '[')).empty());
    EXPECT_THAT(read("\xff\xfe|\x01\n"), SizeIs(1));
}

}  // namespace
}  // namespace gpumedic::evidence
