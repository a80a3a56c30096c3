#include "evidence/collection/collection_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "base/text.h"

namespace gpumedic::evidence {
namespace {

using testing::ElementsAre;
using testing::Pair;

struct Seen {
    std::uint64_t line{};
    std::string text{};
    std::map<std::string, std::string> fields{};
};

struct Reading {
    std::vector<Seen> seen{};
    ports::ReadStats stats{};
};

Reading read(std::string_view text) {
    Reading reading;
    const auto reader = collection_kind().make({}, [&](const model::Record& record) {
        EXPECT_EQ(record.type, model::RecordType::collected_item);
        Seen one{record.line, std::string(record.text), {}};
        for (const auto& field : record.fields) one.fields[std::string(field.key)] = field.value;
        reading.seen.push_back(std::move(one));
    });
    std::uint64_t number = 0;
    for (const auto line : base::split(text, '\n')) reader->line(line, ++number);
    reader->finish();
    reading.stats = reader->stats();
    return reading;
}

constexpr std::string_view kManifest = R"({
  "schema": "gpumedic.manifest/v1",
  "node": "busan-gpu02",
  "items": [
    {
      "name": "node/identity",
      "kind": "values",
      "path": "/proc/version ...",
      "outcome": "ok",
      "files": [{"name": "node/identity.txt", "bytes": 20}]
    },
    {
      "name": "pci/config/0000:c4:00.0",
      "kind": "sysfs",
      "path": "/sys/bus/pci/devices/0000:c4:00.0/config",
      "outcome": "blocked",
      "why": "not even SIGKILL ended it",
      "pci": "0000:c4:00.0",
      "waits_in": "pci_wait_cfg",
      "files": []
    },
    {
      "name": "logs/system",
      "kind": "files",
      "path": "/var/log/messages",
      "outcome": "denied",
      "files": [
        {"name": "var/log/messages", "bytes": 10},
        {"name": "var/log/messages.1", "bytes": 0, "outcome": "denied", "why": "Permission denied"}
      ]
    }
  ]
})";

TEST(CollectionReader, TellsWhatIsNotSimplyThere) {
    const auto reading = read(kManifest);
    ASSERT_EQ(reading.seen.size(), 3U);
    EXPECT_EQ(reading.seen[0].line, 13U);
    EXPECT_EQ(reading.seen[0].text, "pci/config/0000:c4:00.0: blocked: not even SIGKILL ended it");
    EXPECT_THAT(reading.seen[0].fields,
                ElementsAre(Pair("item", "pci/config/0000:c4:00.0"), Pair("kind", "sysfs"), Pair("outcome", "blocked"),
                            Pair("path", "/sys/bus/pci/devices/0000:c4:00.0/config"), Pair("pci", "0000:c4:00.0"),
                            Pair("waits_in", "pci_wait_cfg"), Pair("why", "not even SIGKILL ended it")));
    EXPECT_EQ(reading.seen[1].text, "logs/system: denied");
    EXPECT_EQ(reading.seen[2].fields.at("file"), "var/log/messages.1");
    EXPECT_EQ(reading.stats.malformed, 0U);
}

TEST(CollectionReader, IsSureOfItsSchemaOnly) {
    EXPECT_EQ(collection_kind().recognise({kManifest, {}}), 100);
    EXPECT_EQ(collection_kind().recognise({R"({"schema": "other/v1", "items": []})", {}}), 0);
}

TEST(CollectionReader, ACutManifestIsCountedAsMalformed) {
    for (std::size_t length = 1; length < kManifest.size(); ++length) {
        const auto reading = read(kManifest.substr(0, length));
        EXPECT_TRUE(reading.seen.empty());
        EXPECT_EQ(reading.stats.malformed, 1U) << length;
    }
}

TEST(CollectionReader, HostileItemsAreHarmless) {
    for (const char* text : {R"({"items": 3})", R"({"items": [3, null, [], {"name": 5}]})", "[]", "{}",
                             R"({"items": [{"name": "x", "outcome": "splendid"}]})",
                             R"({"items": [{"name": "x", "outcome": "ok", "files": [1, {"outcome": "denied"}]}]})"})
        EXPECT_TRUE(read(text).seen.empty()) << text;
}

}  // namespace
}  // namespace gpumedic::evidence
