#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "bundle/bundle.h"
#include "bundle/fake_tree.h"

namespace gpumedic::bundle {
namespace {

constexpr const char* kManifest = R"({"schema": "gpumedic.manifest/v1", "items": [
  {"name": "nvidia-smi/list", "kind": "command", "command": "nvidia-smi -L", "outcome": "timed_out", "why": "no answer within 10.0 s",
   "files": [{"name": "commands/nvidia-smi_-L.txt", "bytes": 90, "outcome": "timed_out", "why": "no answer within 10.0 s"}]},
  {"name": "pci/config/0000:c4:00.0", "kind": "sysfs", "path": "/sys/bus/pci/devices/0000:c4:00.0/config", "outcome": "blocked",
   "pci": "0000:c4:00.0", "why": "not even SIGKILL ended it", "files": []},
  {"name": "logs/system", "kind": "files", "path": "/var/log/messages", "outcome": "denied", "why": "Permission denied",
   "files": [{"name": "var/log/messages", "bytes": 0, "outcome": "denied", "why": "Permission denied"}]},
  {"name": "node/boot", "kind": "files", "path": "/proc/cmdline", "outcome": "ok", "files": [{"name": "proc/cmdline", "bytes": 5}]}
]})";
constexpr const char* kList =
    "$ nvidia-smi -L\nGPU 0: NVIDIA H100 80GB HBM3 (UUID: GPU-5c1f6f0e-8a55-4f6b-9a60-2f70a6f7f2aa)\n";

std::vector<model::Source> read(FakeTree& tree) {
    return read_evidence(tree, {"b/"}, {}, [](std::uint32_t, const model::Record&) {})
        .value_or(std::vector<model::Source>{});
}

const model::Source* find(const std::vector<model::Source>& sources, std::string_view name) {
    const auto found =
        std::find_if(sources.begin(), sources.end(), [&](const auto& source) { return source.name.starts_with(name); });
    return found == sources.end() ? nullptr : &*found;
}

TEST(Accounts, ACollectionsOwnAccountIsHonoured) {
    FakeTree tree;
    tree.put("b/commands/nvidia-smi_-L.txt", kList);
    tree.put("b/manifest.json", kManifest);
    const auto sources = read(tree);
    ASSERT_EQ(sources.size(), 4U);  // the item whose file says the same is no source of its own
    const auto* list = find(sources, "commands/nvidia-smi_-L.txt (");
    ASSERT_NE(list, nullptr);
    EXPECT_EQ(list->outcome, "timed_out");
    EXPECT_EQ(list->note, "no answer within 10.0 s");
    EXPECT_EQ(list->records, 1U);
    const auto* config = find(sources, "pci/config/0000:c4:00.0");
    ASSERT_NE(config, nullptr);
    EXPECT_EQ(config->outcome, "blocked");
    const auto* log = find(sources, "var/log/messages");
    ASSERT_NE(log, nullptr);
    EXPECT_EQ(log->outcome, "denied");
    EXPECT_EQ(find(sources, "node/boot"), nullptr);
    EXPECT_EQ(find(sources, "manifest.json")->kind, "collection");
}

TEST(Accounts, ACollectionTellsTheZoneOfItsOwnFiles) {
    FakeTree tree;
    tree.put("b/one/collection.json", R"({"schema": "gpumedic.collection/v1", "utc_offset_minutes": 540})");
    tree.put("b/one/messages", "Mar  4 05:06:07 gpu-a kernel: NVRM: loading\n");
    tree.put("b/two/messages", "Mar  4 05:06:07 gpu-b kernel: NVRM: loading\n");
    const auto hours = [&tree](bool chosen) {
        std::vector<std::int64_t> all;
        Options options;
        options.time.zone_is_chosen = chosen;
        static_cast<void>(read_evidence(tree, {"b/"}, options, [&all](std::uint32_t, const model::Record& record) {
            if (record.time) all.push_back(std::chrono::floor<std::chrono::hours>(record.time->value).count() % 24);
        }));
        return all;
    };
    EXPECT_THAT(hours(false), testing::ElementsAre(20, 5));
    EXPECT_THAT(hours(true), testing::ElementsAre(5, 5));
}

TEST(Accounts, AnAccountSpeaksForItsOwnFolderOnly) {
    FakeTree tree;
    tree.put("b/one/commands/nvidia-smi_-L.txt", kList);
    tree.put("b/one/manifest.json", kManifest);
    tree.put("b/two/commands/nvidia-smi_-L.txt", kList);
    const auto sources = read(tree);
    EXPECT_EQ(find(sources, "one/commands/")->outcome, "timed_out");
    EXPECT_EQ(find(sources, "two/commands/")->outcome, "ok");
}

}  // namespace
}  // namespace gpumedic::bundle
