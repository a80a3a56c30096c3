#include "evidence/virt_log/virt_log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <random>

namespace gpumedic::evidence {
namespace {

using model::RecordType;
using testing::HasSubstr;

struct Kept {
    RecordType type{RecordType::text};
    std::uint64_t line{};
    std::string time{};
    std::string text{};
    std::string raw{};
    std::map<std::string, std::string> fields{};
};

struct Run {
    std::vector<Kept> records;
    ports::ReadStats stats;
};

Run read(std::string_view text) {
    Run run;
    const auto sink = [&run](const model::Record& r) {
        Kept kept{r.type, r.line, r.time ? base::format_time(*r.time) : "", std::string{r.text}, std::string{r.raw},
                  {}};
        for (const auto& field : r.fields) kept.fields[std::string{field.key}] = field.value;
        run.records.push_back(std::move(kept));
    };
    const auto reader = virt_log_kind().make({"test", "", {}}, sink);
    std::uint64_t number = 0;
    while (!text.empty()) {
        const auto end = text.find('\n');
        reader->line(text.substr(0, end), ++number);
        text = end == std::string_view::npos ? std::string_view{} : text.substr(end + 1);
    }
    reader->finish();
    run.stats = reader->stats();
    return run;
}

Kept one(std::string_view line) {
    const auto run = read(line);
    return run.records.size() == 1 ? run.records.front() : Kept{};
}

int score(std::string_view text, std::string_view command = {}) { return virt_log_kind().recognise({text, command}); }

const std::string kHandler =
    R"j({"component":"virt-handler","kind":"VirtualMachineInstance","level":"error","msg":"Synchronizing the VirtualMachineInstance failed.","name":"vm-a","namespace":"lab","pos":"vm.go:17","reason":"server error. command SyncVMI failed: \"LibvirtError(Code=1, Domain=0, Message='internal error: Unknown PCI header type '127' for device '0000:5d:00.0'')\"","timestamp":"2025-03-04T05:06:07.480551Z","uid":"u"})j";
constexpr std::string_view kHandlerText =
    "Synchronizing the VirtualMachineInstance failed.: server error. command SyncVMI failed: LibvirtError(Code=1, "
    "Domain=0, "
    "Message='internal error: Unknown PCI header type '127' for device '0000:5d:00.0'')";

TEST(VirtLog, HandlerLine) {
    const auto record = one(kHandler);
    EXPECT_EQ(record.type, RecordType::virt);
    EXPECT_EQ(record.text, kHandlerText);
    EXPECT_EQ(record.time, "2025-03-04T05:06:07.480551Z");
    EXPECT_EQ(record.raw, kHandler);
    const std::map<std::string, std::string> fields{{"component", "virt-handler"},
                                                    {"kind", "VirtualMachineInstance"},
                                                    {"level", "error"},
                                                    {"name", "vm-a"},
                                                    {"namespace", "lab"},
                                                    {"pos", "vm.go:17"}};
    EXPECT_EQ(record.fields, fields);
    EXPECT_GE(score(kHandler), 90);
}

TEST(VirtLog, RequeueLineNamesTheVmInItsMessage) {
    const auto record = one(
        R"j({"component":"virt-handler","kind":"","level":"info","msg":"re-enqueuing VirtualMachineInstance lab/vm-a","reason":"x","timestamp":"2025-03-04T05:06:07Z"})j");
    EXPECT_EQ(record.text, "re-enqueuing VirtualMachineInstance lab/vm-a: x");
    EXPECT_EQ(record.fields.at("namespace"), "lab");
    EXPECT_EQ(record.fields.at("name"), "vm-a");
    EXPECT_FALSE(record.fields.contains("kind"));
}

TEST(VirtLog, LauncherCarriesVirErrorAndSubcomponent) {
    const auto record = one(
        R"j({"component":"virt-launcher","level":"error","msg":"Failed to sync vmi","reason":"virError(Code=1, Domain=0, Message='internal error: Unknown PCI header type '127' for device '0000:5d:00.0'')","pos":"server.go:1","timestamp":"2025-03-04T05:06:07.1Z"})j");
    EXPECT_THAT(record.text, HasSubstr("Unknown PCI header type '127' for device '0000:5d:00.0'"));
    const auto libvirt = one(
        R"j({"component":"virt-launcher","level":"error","msg":"internal error: x","pos":"virPCIGetHeaderType:2788","subcomponent":"libvirt","thread":"36","timestamp":"2025-03-04T05:06:07.1Z"})j");
    EXPECT_EQ(libvirt.type, RecordType::virt);
    EXPECT_EQ(libvirt.fields.at("subcomponent"), "libvirt");
}

TEST(VirtLog, NewlinesInAReasonBecomeBlanks) {
    EXPECT_EQ(one(R"j({"component":"virt-launcher","msg":"m","reason":"a:\nb: \"c\\nd\""})j").text, "m: a: b: c d");
}

TEST(VirtLog, EveryFrameAroundALine) {
    std::string escaped;
    for (const char c : kHandler) {
        if (c == '"' || c == '\\') escaped.push_back('\\');
        escaped.push_back(c);
    }
    for (const std::string& line :
         {"2025-03-04T05:06:08.480000000Z stderr F " + kHandler,
          "2025-03-04T05:06:08.480000000+09:00 stdout F " + kHandler, "2025-03-04T05:06:08.480000000Z " + kHandler,
          "[pod/virt-handler-x2/virt-handler] " + kHandler,
          "[pod/virt-handler-x2/virt-handler] 2025-03-04T05:06:08Z " + kHandler, "compute " + kHandler,
          R"j({"log":")j" + escaped + R"j(\n","stream":"stderr","time":"2025-03-04T05:06:08.48Z"})j"}) {
        const auto record = one(line);
        EXPECT_EQ(record.type, RecordType::virt) << line;
        EXPECT_EQ(record.text, kHandlerText) << line;
        EXPECT_EQ(record.time, "2025-03-04T05:06:07.480551Z") << line;
        EXPECT_EQ(record.raw, line);
        EXPECT_GE(score(line), 90) << line;
    }
}

TEST(VirtLog, PiecesAreJoinedPerStream) {
    const auto half = kHandler.size() / 2;
    const auto run =
        read("2025-03-04T05:06:08Z stderr P " + kHandler.substr(0, half) + "\n2025-03-04T05:06:08Z stdout F between\n" +
             "2025-03-04T05:06:08Z stderr F " + kHandler.substr(half) + "\n");
    ASSERT_EQ(run.records.size(), 2u);
    EXPECT_EQ(run.records[0].text, "between");
    EXPECT_EQ(run.records[1].text, kHandlerText);
    EXPECT_EQ(run.records[1].line, 1u);
    EXPECT_THAT(run.records[1].raw, HasSubstr("stderr P"));
}

TEST(VirtLog, PiecesWithoutEndAreCappedAndDelivered) {
    std::string text;
    for (int i = 0; i < 6; ++i) text += "2025-03-04T05:06:08Z stderr P " + std::string(250'000, 'a') + "\n";
    const auto run = read(text);
    ASSERT_EQ(run.records.size(), 1u);
    EXPECT_EQ(run.records[0].text.size(), std::size_t{1} << 20);
    EXPECT_EQ(run.stats.malformed, 1u);
}

TEST(VirtLog, OtherJson) {
    const auto other =
        one(R"j({"component":"cdi-controller","level":"info","msg":"hello","timestamp":"2025-03-04T05:06:07Z"})j");
    EXPECT_EQ(other.type, RecordType::syslog);
    EXPECT_EQ(other.fields.at("program"), "cdi-controller");
    EXPECT_EQ(one(R"j({"level":"info","msg":"hello"})j").type, RecordType::text);
    EXPECT_EQ(one(R"j({"level":"info"})j").text, R"j({"level":"info"})j");
    EXPECT_EQ(score(R"j({"level":"info","msg":"hello"})j"), 0);
}

TEST(VirtLog, LibvirtDaemonLines) {
    const auto record =
        one("2025-03-04 05:06:07.480+0000: 1234: error : virPCIGetHeaderType:2788 : internal error: Unknown PCI header "
            "type '127' for "
            "device '0000:5d:00.0'");
    EXPECT_EQ(record.type, RecordType::libvirt);
    EXPECT_EQ(record.text, "internal error: Unknown PCI header type '127' for device '0000:5d:00.0'");
    EXPECT_EQ(record.fields.at("level"), "error");
    EXPECT_EQ(record.time, "2025-03-04T05:06:07.480000Z");
    EXPECT_EQ(one("2025-03-04 05:06:07.480+0000: 1: info : libvirt version: 9.0.0").text, "libvirt version: 9.0.0");
    EXPECT_GE(score(record.raw), 90);
}

TEST(VirtLog, VirshErrors) {
    const auto record = one("error: internal error: Unknown PCI header type '127' for device '0000:5d:00.0'");
    EXPECT_EQ(record.type, RecordType::libvirt);
    EXPECT_EQ(record.fields.at("level"), "error");
    EXPECT_GE(score("error: Failed to start domain 'vm-a'\nerror: internal error: x\n"), 90);
    EXPECT_EQ(score("error: could not compile `x`\n"), 0);
    EXPECT_GE(score("error: Disconnected from qemu:///system\n", "virsh start vm-a"), 90);
    EXPECT_EQ(one("libvirt.libvirtError: internal error: x").text, "internal error: x");
}

TEST(VirtLog, QemuLines) {
    const auto record =
        one("2026-02-11T18:22:40.118312Z qemu-system-x86_64: vfio: Unable to power on device, stuck in D3");
    EXPECT_EQ(record.type, RecordType::qemu);
    EXPECT_EQ(record.text, "vfio: Unable to power on device, stuck in D3");
    EXPECT_EQ(record.fields.at("program"), "qemu-system-x86_64");
    EXPECT_EQ(record.time, "2026-02-11T18:22:40.118312Z");
    EXPECT_EQ(one("/usr/libexec/qemu-kvm: -device vfio-pci,host=01:00.0: vfio x").fields.at("program"), "qemu-kvm");
    EXPECT_EQ(one("-device vfio-pci,host=0000:01:00.0: vfio 0000:01:00.0: group 1 is not viable").type,
              RecordType::qemu);
    EXPECT_EQ(one("2025-05-15 13:49:50.812+0000: shutting down, reason=failed").type, RecordType::qemu);
    EXPECT_GE(
        score("2025-05-15 13:49:50.488+0000: starting up libvirt version: 10\nLC_ALL=C \\\n-name guest=x \\\n-S\n" +
              record.raw),
        90);
}

TEST(VirtLog, RecognisesOnlyItsOwn) {
    EXPECT_EQ(score(""), 0);
    EXPECT_EQ(score("[   12.345678] NVRM: x\n"), 0);
    EXPECT_EQ(score("2025-03-04T05:06:08Z stderr F I0304 05:06:08.000000       1 main.go:1] x\n"), 0);
    EXPECT_EQ(score("$ kubectl get vm\nNAME  STATUS\n"), 0);
    EXPECT_LT(score("words\nwords\nwords\n" + kHandler), 50);
    EXPECT_GE(score("panic: x\n" + kHandler + "\n" + kHandler + "\n"), 80);
}

TEST(VirtLog, EveryTruncationIsSafeAndCounted) {
    for (
        const std::string& line :
        {kHandler, "2025-03-04T05:06:08.48Z stderr F " + kHandler,
         std::string{"2025-03-04 05:06:07.480+0000: 1234: error : f:1 : m"},
         std::string{
             R"j({"log":"{\"component\":\"virt-api\",\"msg\":\"m\"}\n","stream":"stderr","time":"2025-03-04T05:06:08Z"})j"}}) {
        for (std::size_t size = 0; size < line.size(); ++size) {
            const auto run = read(std::string_view{line}.substr(0, size));
            EXPECT_LE(run.records.size(), 1u);
            for (const auto& record : run.records) EXPECT_NE(record.type, RecordType::virt);
            EXPECT_LE(score(std::string_view{line}.substr(0, size)), 100);
        }
    }
    const auto cut = read(std::string_view{kHandler}.substr(0, kHandler.size() - 20));
    EXPECT_EQ(cut.stats.malformed, 1u);
    EXPECT_THAT(cut.records.at(0).text, HasSubstr("Unknown PCI header type"));
}

TEST(VirtLog, HostileInputIsSurvived) {
    const std::string open = R"j({"component":"virt-handler","msg":)j";
    for (const std::string& line : {open + std::string(50'000, '['),
                                    open + std::string(50'000, '{'),
                                    open + R"j("\ud800\uZZZZ\q"})j",
                                    open + R"j("m","reason":{"a":1}})j",
                                    open + R"j("m","reason":[1]})j",
                                    open + R"j("m","timestamp":"9999-99-99T99:99:99Z","timestamp":1e999})j",
                                    open + R"j(1e400})j",
                                    open + "\"" + std::string(300'000, 'x') + "\"}",
                                    open + "\"" + std::string(3000, '\\') + "\"}",
                                    std::string(300'000, '{'),
                                    std::string{"{\"log\":"},
                                    std::string{R"j({"log":1,"stream":2,"time":3})j"},
                                    std::string{"[pod/"},
                                    std::string{"[pod/] "},
                                    std::string{"2025-03-04T05:06:08Z stderr F "},
                                    std::string{"2025-03-04T05:06:08Z stderr"},
                                    std::string{"error: "},
                                    std::string{"2025-03-04 05:06:07.480+0000: "},
                                    std::string{"2025-03-04 05:06:07.480+0000: 99999999999999999999999: error : : : "},
                                    std::string(1000, '\0'),
                                    std::string{"\xff\xfe\xfd"},
                                    open + "\"\xff\xfe\"}",
                                    std::string{"qemu-kvm: "},
                                    std::string{": : :"}}) {
        const auto run = read(line);
        EXPECT_LE(run.records.size(), 1u);
        EXPECT_LE(score(line), 100);
    }
    EXPECT_EQ(read("\xff\xfe\xfd").stats.malformed, 1u);
    EXPECT_EQ(read(open + std::string(50'000, '[')).stats.malformed, 1u);
}

TEST(VirtLog, RandomBytesAreSurvived) {
    std::mt19937 random{11};  // NOLINT: the same bytes each run
    std::string bytes(200'000, '\0');
    for (char& c : bytes) c = static_cast<char>(random() & 0xff);
    EXPECT_GT(read(bytes).stats.malformed, 0u);
    EXPECT_EQ(score(bytes), 0);
}

}  // namespace
}  // namespace gpumedic::evidence
