#include "collect/collect.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <thread>

#include "adapters/node_files/rooted_files.h"
#include "adapters/probe/probe.h"
#include "adapters/spool/file_spool.h"
#include "base/text.h"
#include "codec/value.h"
#include "collect/fake_world.h"
#include "collect/item_table.h"
#include "collect/manifest.h"
#include "collect/node_fixture.h"

namespace gpumedic::collect {
namespace {

using namespace std::chrono_literals;
using ports::ProbeEnd;
using testing::Contains;
using testing::HasSubstr;
using testing::Key;
using testing::Not;

class Collecting : public testing::Test {
protected:
    base::Result<Summary> run() {
        files_.clear();
        order_.clear();
        const Ports ports{probe_, node_, journal_, spools_, cluster_, cluster_ == nullptr ? nullptr : &bmc_};
        return collect(ports, options_,
                       [this](const std::string& name, std::unique_ptr<ports::Spool> bytes) -> base::Result<void> {
                           if (name == refused_)
                               return base::fail(base::ErrorCode::unreadable, "No space left on device");
                           order_.push_back(name);
                           files_[name] = MemorySpools::text_of(*bytes);
                           return {};
                       },
                       {});
    }
    const ItemReport& item(const Summary& summary, const std::string& name) {
        for (const auto& report : summary.items)
            if (report.name == name) return report;
        ADD_FAILURE() << "no item " << name;
        static const ItemReport kNone;
        return kNone;
    }

    NodeTree tree_{};
    adapters::RootedFiles node_{tree_.root()};
    FakeProbe probe_{};
    FakeJournal journal_{};
    MemorySpools spools_{};
    ports::ServiceTexts* cluster_{};
    FakeService bmc_{};
    Options options_{.threads = 8};  // the fake world forks nothing
    std::map<std::string, std::string> files_{};
    std::vector<std::string> order_{};
    std::string refused_{};
};

TEST_F(Collecting, GathersDevicesWithPortsAndGroups) {
    const auto summary = run();
    ASSERT_TRUE(summary.has_value());
    const auto& values = files_["sys/pci_devices.txt"];
    EXPECT_THAT(values, HasSubstr("/sys/bus/pci/devices/0000:5a:00.0/current_link_width:16\n"));
    EXPECT_THAT(values,
                HasSubstr("/sys/bus/pci/devices/0000:5a:00.0/driver -> ../../../../bus/pci/drivers/vfio-pci\n"));
    EXPECT_THAT(values, HasSubstr("/sys/bus/pci/devices/0000:59:00.0/class:0x060400\n"));
    EXPECT_EQ(files_["sys/iommu_groups.txt"], "/sys/kernel/iommu_groups/44/devices/0000:5a:00.0\n");
    const auto& config = files_["sys/config/0000:5a:00.0.txt"];
    EXPECT_TRUE(config.starts_with("0000:5a:00.0 0302: 10de:2330 (rev a1)\n00: de 10 30 23 00"))
        << config.substr(0, 90);
    EXPECT_THAT(config, HasSubstr("\n10: 00 "));
    EXPECT_THAT(config, HasSubstr("\nff0: 00 "));
    EXPECT_EQ(item(*summary, "pci/config/0000:5a:00.0").pci, "0000:5a:00.0");
    EXPECT_EQ(files_["proc/cmdline"], "BOOT_IMAGE=/boot/vmlinuz root=/dev/sda1 ro intel_iommu=on\n");
}

TEST_F(Collecting, FilesComeInTheOrderOfTheTableAndTheManifestLast) {
    ASSERT_TRUE(run().has_value());
    const auto first = order_;
    ASSERT_TRUE(run().has_value());
    EXPECT_EQ(order_, first);
    ASSERT_FALSE(order_.empty());
    EXPECT_EQ(order_.back(), kManifestFile);
}

TEST_F(Collecting, TheManifestTellsOfEveryItem) {
    const auto summary = run();
    ASSERT_TRUE(summary.has_value());
    const auto manifest = codec::parse_json(files_[kManifestFile]);
    ASSERT_TRUE(manifest.has_value());
    EXPECT_EQ(manifest->text({"schema"}), "gpumedic.manifest/v1");
    EXPECT_EQ(manifest->text({"node"}), "daejeon-gpu7");
    EXPECT_EQ(manifest->text({"boot"}), "0f0f0f0f-1111-4222-8333-444444444444");
    const auto* items = manifest->find("items");
    ASSERT_NE(items, nullptr);
    EXPECT_EQ(items->items.size(), summary->items.size());
}

TEST_F(Collecting, ACommandsOutputStandsBelowItsPrompt) {
    probe_.answer("lspci -Dnnkvv -d 10de:", {"0000:5a:00.0 3D controller [0302]: NVIDIA\n", {.end = ProbeEnd::exited}});
    const auto summary = run();
    EXPECT_EQ(files_["commands/lspci_-Dnnkvv_-d_10de:.txt"],
              "$ lspci -Dnnkvv -d 10de:\n0000:5a:00.0 3D controller [0302]: NVIDIA\n");
    EXPECT_EQ(item(*summary, "lspci/nvidia").exit_code, 0);
    EXPECT_EQ(item(*summary, "dcgm/health").outcome, Outcome::absent);
}

TEST_F(Collecting, NvidiaSmiRunsOnlyWhereItsModuleIsLoaded) {
    const auto& asked = probe_.asked();
    ASSERT_TRUE(run().has_value());
    EXPECT_THAT(asked, Not(Contains("nvidia-smi -q")));
    tree_.put("/proc/driver/nvidia/version", "NVRM version: x\n");
    ASSERT_TRUE(run().has_value());
    EXPECT_THAT(asked, Contains("nvidia-smi -q"));
}

TEST_F(Collecting, AnAnswerWithAnExitCodeIsAnAnswer) {
    tree_.put("/proc/driver/nvidia/version", "NVRM version: x\n");
    probe_.answer("nvidia-smi -L",
                  {"Unable to determine the device handle for GPU0\n", {.end = ProbeEnd::exited, .code = 15}});
    probe_.answer("nvidia-smi -q", {"", {.end = ProbeEnd::exited, .code = 9, .errors = "no\nluck"}});
    probe_.answer("nvidia-smi", {"", {.end = ProbeEnd::exited, .code = 4, .errors = "Insufficient Permissions"}});
    probe_.answer("nvidia-smi topo -m", {"part", {.end = ProbeEnd::signalled, .code = 11}});
    const auto summary = run();
    EXPECT_EQ(item(*summary, "nvidia-smi/list").outcome, Outcome::ok);
    EXPECT_EQ(item(*summary, "nvidia-smi/list").exit_code, 15);
    EXPECT_EQ(item(*summary, "nvidia-smi/query").outcome, Outcome::failed);
    EXPECT_EQ(item(*summary, "nvidia-smi/query").why, "no");
    EXPECT_EQ(item(*summary, "nvidia-smi/table").outcome, Outcome::denied);
    EXPECT_EQ(item(*summary, "nvidia-smi/topology").outcome, Outcome::failed);
    EXPECT_EQ(files_["commands/nvidia-smi_topo_-m.txt"], "$ nvidia-smi topo -m\npart");
}

TEST_F(Collecting, AHungToolIsBlockedAndWhatItSaidIsKept) {
    probe_.answer("lspci -Dnnkvv -d 10de:",
                  {"half\n", {.end = ProbeEnd::blocked, .duration = 10'400ms, .waits_in = "pci_wait_cfg"}});
    const auto summary = run();
    const auto& report = item(*summary, "lspci/nvidia");
    EXPECT_EQ(report.outcome, Outcome::blocked);
    EXPECT_EQ(report.why, "blocked in pci_wait_cfg for 10.4 s; not even SIGKILL ended it");
    EXPECT_EQ(report.waits_in, "pci_wait_cfg");
    EXPECT_THAT(files_["commands/lspci_-Dnnkvv_-d_10de:.txt"], HasSubstr("half\n"));
}

TEST_F(Collecting, ABlockedReadNamesItsFile) {
    probe_.hang_at("0000:5a:00.0/config", {.end = ProbeEnd::blocked, .duration = 3400ms, .waits_in = "pci_wait_cfg"});
    const auto summary = run();
    const auto& report = item(*summary, "pci/config/0000:5a:00.0");
    EXPECT_EQ(report.outcome, Outcome::blocked);
    EXPECT_EQ(report.why,
              "reading /sys/bus/pci/devices/0000:5a:00.0/config: blocked in pci_wait_cfg for 3.4 s; not even SIGKILL "
              "ended it");
    EXPECT_EQ(item(*summary, "pci/config/0000:59:00.0").outcome, Outcome::ok);
    EXPECT_THAT(files_[kManifestFile], HasSubstr("\"outcome\": \"blocked\""));
}

TEST_F(Collecting, RotatedLogsAreTakenNewestFirstAndOldOnesLeftOut) {
    tree_.put("/var/log/syslog", "new\n");
    tree_.put("/var/log/syslog.1", "old\n");
    tree_.put("/var/log/syslog.2.gz", "packed");
    auto summary = run();
    EXPECT_EQ(item(*summary, "logs/system").files.size(), 3U);
    EXPECT_EQ(files_["var/log/syslog.2.gz"], "packed");
    std::filesystem::last_write_time(tree_.root() + "/var/log/syslog.1",
                                     std::filesystem::file_time_type::clock::now() - 48h);
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    options_.since = std::chrono::duration_cast<std::chrono::microseconds>(now - 24h);
    ASSERT_TRUE(run().has_value());
    EXPECT_THAT(files_, Contains(Key("var/log/syslog")));
    EXPECT_THAT(files_, Not(Contains(Key("var/log/syslog.1"))));
}

TEST_F(Collecting, TheJournalOrElseTheRing) {
    journal_.error.reset();
    journal_.lines = {R"({"MESSAGE":"x"})"};
    auto summary = run();
    EXPECT_EQ(files_["journal/kernel.jsonl"], "{\"MESSAGE\":\"x\"}\n");
    EXPECT_EQ(item(*summary, "journal/kernel").outcome, Outcome::ok);
    EXPECT_EQ(item(*summary, "journal/programs").outcome, Outcome::absent);
    journal_.summary.damaged = 1;
    journal_.summary.damage = "system.journal: Bad message";
    summary = run();
    EXPECT_EQ(item(*summary, "journal/kernel").outcome, Outcome::truncated);
    EXPECT_THAT(item(*summary, "journal/kernel").why, HasSubstr("damaged: system.journal: Bad message"));
    journal_.lines.clear();
    journal_.error = base::Error{base::ErrorCode::not_found, "there is no journal", {}, {}};
    tree_.put("/dev/kmsg", "6,1,100,-;NVRM: loading\n");
    summary = run();
    EXPECT_EQ(files_["journal/kmsg.txt"], "6,1,100,-;NVRM: loading\n");
    EXPECT_EQ(item(*summary, "journal/kernel").outcome, Outcome::ok);
}

TEST_F(Collecting, TheClusterIsAskedWhereThereIsOne) {
    using Seen = ports::ServiceText::Outcome;
    FakeService cluster;
    cluster.texts = {{"kubernetes/node.json", "{}", Seen::ok, ""},
                     {"kubernetes/pods.json", R"({"items":[)", Seen::truncated, "cut off"},
                     {"kubernetes/virtualmachines.json", "", Seen::denied, "may not list"},
                     {"kubernetes/virtualmachineinstances.json", "", Seen::absent, "no such kind"}};
    cluster_ = &cluster;
    bmc_.texts = {{"", "", Seen::absent, "/etc/gpumedic/bmc.yaml: No such file"}};
    const auto summary = run();
    EXPECT_EQ(item(*summary, "bmc/redfish").outcome, Outcome::absent);
    const auto& report = item(*summary, "kubernetes");
    EXPECT_EQ(files_["kubernetes/node.json"], "{}");
    EXPECT_THAT(files_, Not(Contains(Key("kubernetes/virtualmachines.json"))));
    EXPECT_THAT(report.why, HasSubstr("kubernetes/virtualmachines.json: may not list"));
    EXPECT_THAT(report.why, HasSubstr("kubernetes/pods.json: cut off"));
    EXPECT_THAT(report.why, Not(HasSubstr("no such kind"))) << "a cluster without KubeVirt lacks nothing";
    EXPECT_EQ(report.outcome, Outcome::truncated);
    ASSERT_EQ(report.files.size(), 2U);
    EXPECT_EQ(report.files[1].outcome, Outcome::truncated);
    EXPECT_FALSE(cluster.asked_for.empty());
    cluster_ = nullptr;
    const auto without = run();
    for (const auto& other : without->items) EXPECT_NE(other.name, "kubernetes") << "a copied tree has no cluster";
}

TEST_F(Collecting, OnlyAndSkipChooseByName) {
    options_.only = {"pci/*", "node/boot"};
    options_.skip = {"pci/config/*"};
    const auto summary = run();
    std::vector<std::string> names;
    for (const auto& report : summary->items) names.push_back(report.name);
    EXPECT_THAT(names, testing::UnorderedElementsAre("node/boot", "pci/values", "pci/groups"));
    options_.only = {"no/such"};
    const auto refused = run();
    ASSERT_FALSE(refused.has_value());
    EXPECT_EQ(refused.error().code, base::ErrorCode::usage);
}

TEST_F(Collecting, ACopiedTreeRunsNoCommand) {
    options_.root = tree_.root();
    const auto summary = run();
    EXPECT_TRUE(probe_.asked().empty());
    EXPECT_EQ(item(*summary, "lspci/nvidia").outcome, Outcome::absent);
    EXPECT_EQ(item(*summary, "lspci/nvidia").why, "no command is run for a copied tree");
    EXPECT_THAT(files_, Contains(Key("sys/pci_devices.txt")));
}

TEST_F(Collecting, TheCapOfAllItemsHolds) {
    options_.threads = 1;
    options_.max_bytes = 100;
    const auto summary = run();
    ASSERT_TRUE(summary.has_value());
    EXPECT_EQ(item(*summary, "lspci/nvidia").outcome, Outcome::truncated);
    EXPECT_THAT(item(*summary, "lspci/nvidia").why, HasSubstr("the size it may have"));
}

TEST_F(Collecting, ATargetThatIsFullEndsItWithItsError) {
    refused_ = "sys/pci_devices.txt";
    const auto summary = run();
    ASSERT_FALSE(summary.has_value());
    EXPECT_EQ(summary.error().what, "No space left on device");
    EXPECT_FALSE(order_.empty());
}

TEST_F(Collecting, ASpoolThatIsFullCostsItsItemOnly) {
    spools_.room = 200;
    const auto summary = run();
    ASSERT_FALSE(summary.has_value());  // the manifest has no room either
    spools_.room = 30'000;
    tree_.put("/var/log/syslog", std::string(40'000, 'x'));
    const auto again = run();
    ASSERT_TRUE(again.has_value()) << again.error().what;
    EXPECT_EQ(item(*again, "logs/system").outcome, Outcome::failed);
    EXPECT_THAT(item(*again, "logs/system").why, HasSubstr("No space left on device"));
    EXPECT_EQ(item(*again, "node/boot").outcome, Outcome::ok);
}

/// With real processes: what hangs costs its own deadline, and all of it the time of all.
TEST(CollectingForReal, EndsInTimeWhateverHangs) {
    NodeTree tree;
    class Stuck final : public ports::Journal {
        base::Result<ports::JournalSummary> read(const ports::JournalQuery&, const ports::JournalSink& sink) override {
            static_cast<void>(sink("{\"MESSAGE\":\"before\"}\n"));
            for (;;) ::pause();
        }
    } journal;
    adapters::ChildProbe probe;
    adapters::RootedFiles files(tree.root());
    adapters::FileSpoolMaker spools(testing::TempDir());
    Options options;
    options.root = tree.root();
    options.timeout = 2s;
    std::vector<std::string> names;
    const auto started = std::chrono::steady_clock::now();
    const auto summary = collect({probe, files, journal, spools}, options,
                                 [&](const std::string& name, std::unique_ptr<ports::Spool>) -> base::Result<void> {
                                     names.push_back(name);
                                     return {};
                                 },
                                 {});
    EXPECT_LT(std::chrono::steady_clock::now() - started, 3s);
    ASSERT_TRUE(summary.has_value());
    for (const auto& report : summary->items)
        if (report.name == "journal/kernel") {
            EXPECT_EQ(report.outcome, Outcome::timed_out);
            EXPECT_THAT(report.why, HasSubstr("the journal: no answer within"));
            EXPECT_EQ(report.bytes, 21U);
        }
    if (kThreads > 0) {
        EXPECT_THAT(names, Contains("sys/config/0000:5a:00.0.txt")) << "others go on meanwhile";
    }
}

TEST(ItemTable, NamesAreUniqueAndCheapItemsComeFirst) {
    NodeFacts facts{"node", {{"0000:5a:00.0", "0302", "10de", "2330", "a1", true, false}}};
    const auto items = make_items(facts, {});
    std::set<std::string> names;
    bool may_block = false;
    for (const auto& one : items) {
        EXPECT_TRUE(names.insert(one.name).second) << one.name;
        EXPECT_TRUE(one.shows.ends_with('.')) << one.name;
        may_block = may_block || one.cost == Cost::may_block;
        EXPECT_EQ(may_block, one.cost == Cost::may_block) << one.name;
        EXPECT_THAT(target_of(one.how), Not(HasSubstr("/dev/vfio"))) << one.name;
    }
}

TEST(ItemStream, AnyBytesAreHarmless) {
    int calls = 0;
    const ItemDecoder::Events events{[&](std::string_view) { ++calls; }, [&](std::string_view) { ++calls; },
                                     [&](Outcome, std::string_view) { ++calls; },
                                     [&](Outcome, std::string_view) { ++calls; }};
    for (const std::string& bytes : {std::string("E\x01\0\0\0\x63", 6), std::string("D\xff\xff\xff\xff", 5),
                                     std::string("Z\0\0\0\0", 5), std::string(100'000, '\xff')}) {
        ItemDecoder decoder(events);
        for (const char byte : bytes) decoder.feed({&byte, 1});
        EXPECT_TRUE(decoder.is_broken());
    }
    EXPECT_EQ(calls, 0);
}

}  // namespace
}  // namespace gpumedic::collect
