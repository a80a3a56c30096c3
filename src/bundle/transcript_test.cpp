#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "bundle/reading_fixture.h"
#include "bundle/text_file.h"

namespace gpumedic::bundle {
namespace {

using namespace std::string_literals;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

using TranscriptTest = ReadingTest;

constexpr const char* kLspci = "5a:00.0 3D controller: NVIDIA Corporation GH100 [H100 SXM5 80GB] (rev ff)\n";
constexpr const char* kVmTable = "NAME      AGE   STATUS    READY\nvm-a-01   12d   Running   True\n";

TEST_F(TranscriptTest, EachCommandIsASource) {
    read_text("$ kubectl get vm -n lab\n"s + kVmTable + "\n$ sudo lspci\n" + kLspci + "$ dmesg\n" +
              "[   12.345678] NVRM: GPU0 something\n");
    ASSERT_THAT(names(), ElementsAre("a.log (kubectl get vm -n lab)", "a.log (sudo lspci)", "a.log (dmesg)"));
    EXPECT_EQ(sources_[2].kind, "kernel log");
    for (const auto& source : sources_) {
        EXPECT_EQ(source.outcome, "ok") << source.name;
        EXPECT_EQ(source.records, 1U) << source.name;
    }
    ASSERT_EQ(records_.size(), 3U);
    EXPECT_EQ(records_[0].type, model::RecordType::k8s_vm);
    EXPECT_EQ(records_[1].type, model::RecordType::pci_device);
    EXPECT_EQ(records_[1].line, 6U) << "lines are those of the file";
    EXPECT_EQ(records_[2].type, model::RecordType::kernel);
}

constexpr const char* kHandlerLine =
    R"({"component":"virt-handler","level":"error","msg":"it failed","pos":"vm.go:1","timestamp":"2026-01-02T03:04:05Z"})"
    "\n";

/// A ticket: the answer of a command, a blank line, and something else that was pasted below without its command.
TEST_F(TranscriptTest, OtherThingsBelowAListingAreNotItsOwn) {
    for (const std::string command : {"nvidia-smi nvlink -s", "sudo lspci", "kubectl get vm -n lab"}) {
        read_text("$ " + command + "\n" + (command == "sudo lspci" ? kLspci : kVmTable) + "\n" + kHandlerLine + "\n" +
                  kKernelLine);
        std::vector<model::RecordType> types;
        for (const auto& record : records_) types.push_back(record.type);
        EXPECT_THAT(types, ::testing::Contains(model::RecordType::virt)) << command;
        EXPECT_THAT(types, ::testing::Contains(model::RecordType::kernel)) << command;
    }
}

/// `nvidia-smi -L; dmesg` in one go: nobody wrote down where the second begins.
TEST_F(TranscriptTest, KernelLinesRightBelowAListingAreTheKernels) {
    const std::string listing = "GPU 0: NVIDIA H100 (UUID: GPU-5d8c1f7e-0b94-4a31-9d3a-6f2e8c7b1a02)\n";
    read_text(listing + "[  100.000001] NVRM: GPU0 something\n" + kKernelLine);
    ASSERT_EQ(records_.size(), 3U);
    EXPECT_EQ(records_[0].type, model::RecordType::gpu);
    EXPECT_EQ(records_[1].type, model::RecordType::kernel);
    EXPECT_EQ(records_[2].type, model::RecordType::kernel);
    read_text(listing + "[a remark in brackets]\n[ 12 remarks ]\n");
    EXPECT_EQ(records_.back().type, model::RecordType::smi_line) << "no header of the kernel's";
}

TEST_F(TranscriptTest, ProseAboveAListingIsText) {
    read_text("RuntimeError: the GPU is busy\n\n"s + kLspci + kLspci + kLspci);
    ASSERT_EQ(records_.size(), 4U);
    EXPECT_EQ(records_[0].type, model::RecordType::text);
    EXPECT_EQ(records_[3].type, model::RecordType::pci_device);
}

TEST_F(TranscriptTest, BlankLinesAndIndentedLogsInsideAListingStayInIt) {
    read_text(
        "$ kubectl get vmi -o yaml\napiVersion: kubevirt.io/v1\nkind: VirtualMachineInstance\nmetadata:\n  name: a\n"
        "  annotations:\n    log: |\n      x\n\n      2026-01-02T03:04:05+00:00 gpu-a kernel: NVRM: quoted\n\n"
        "status:\n  phase: Running\n");
    ASSERT_EQ(sources_.size(), 1U);
    EXPECT_EQ(sources_[0].kind, "kubectl");
    for (const auto& record : records_) EXPECT_NE(record.type, model::RecordType::kernel);
}

TEST_F(TranscriptTest, OcIsKubectl) {
    read_text("[ops@bastion ~]$ oc get vm -n lab\n"s + kVmTable);
    ASSERT_THAT(names(), ElementsAre("a.log (oc get vm -n lab)"));
    ASSERT_EQ(records_.size(), 1U);
    EXPECT_EQ(records_[0].type, model::RecordType::k8s_vm);
}

TEST_F(TranscriptTest, LogThenPromptSplits) {
    read_text(kKernelLine + "root@gpu-a:~# lspci\n"s + kLspci + "root@gpu-a:~# \n");
    ASSERT_THAT(names(), ElementsAre("a.log", "a.log (lspci)"));
    EXPECT_EQ(sources_[0].kind, "kernel log");
    EXPECT_EQ(sources_[1].records, 1U);
}

TEST_F(TranscriptTest, RemarkIsNoPrompt) {
    read_text(kKernelLine + "# the node was rebooted here\n"s + kKernelLine);
    ASSERT_THAT(names(), ElementsAre("a.log"));
    EXPECT_EQ(texts(0).front(), texts(0).back());
}

TEST_F(TranscriptTest, SilentCommandIsListedAsEmpty) {
    read_text("$ lspci\n$ nvidia-smi\n\n$ uname -r\n6.8.0-45-generic\n");
    ASSERT_THAT(names(), ElementsAre("a.log (lspci)", "a.log (nvidia-smi)", "a.log (uname -r)"));
    EXPECT_EQ(sources_[0].outcome, "empty");
    EXPECT_EQ(sources_[1].outcome, "empty");
    EXPECT_EQ(sources_[2].outcome, "unrecognised");
}

TEST_F(TranscriptTest, CommandMayGoOnInTheNextLine) {
    read_text("$ kubectl get vm \\\n    -n lab\n"s + kVmTable);
    ASSERT_THAT(names(), ElementsAre("a.log (kubectl get vm -n lab)"));
    EXPECT_EQ(records_.size(), 1U);
    read_text("$ kubectl get vm \\");
    EXPECT_THAT(names(), ElementsAre("a.log (kubectl get vm)"));
}

TEST_F(TranscriptTest, ContentDecidesForCatAndLogs) {
    read_text("$ cat /tmp/lspci.txt\n"s + kLspci + "$ kubectl logs -n gpu-operator nvidia-driver-x\n" + kKernelLine);
    ASSERT_EQ(records_.size(), 2U);
    EXPECT_EQ(records_[0].type, model::RecordType::pci_device);
    EXPECT_EQ(records_[1].type, model::RecordType::kernel);
}

TEST_F(TranscriptTest, LogFollowedByATableIsTwoSources) {
    read_text(std::string(kKernelLine) + kKernelLine + kKernelLine + "\n" + kVmTable + "\n" + kKernelLine);
    ASSERT_EQ(sources_.size(), 2U);
    EXPECT_EQ(sources_[0].name, "a.log");
    EXPECT_EQ(sources_[0].kind, "kernel log");
    EXPECT_EQ(texts(0).size(), 4U);
    EXPECT_EQ(sources_[1].records, 1U);
    EXPECT_EQ(records_.back().line, 8U);
    EXPECT_EQ(records_.back().source, 0U);
}

TEST_F(TranscriptTest, MergedLogsAreReadLineByLine) {
    const std::string json =
        R"({"component":"virt-handler","level":"info","msg":"re-enqueuing","timestamp":"2025-11-03T04:05:06Z"})"
        "\n";
    for (const auto& text : {kKernelLine + json + kKernelLine + kKernelLine + json, json + kKernelLine + json + json}) {
        read_text(text);
        ASSERT_EQ(sources_.size(), 2U);
        EXPECT_EQ(records_.size(), static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')));
        for (const auto& record : records_) {
            const bool is_kernel = record.text == "NVRM: GPU0 something happened";
            EXPECT_EQ(record.type, is_kernel ? model::RecordType::kernel : model::RecordType::virt);
            EXPECT_EQ(sources_[record.source].kind, is_kernel ? "kernel log" : "virt log");
        }
    }
}

TEST_F(TranscriptTest, ALogWithoutKernelMessagesIsNoKernelLog) {
    read_text("E1103 04:05:06.380682   12398 manager.go:458] device is unhealthy\n");
    EXPECT_EQ(sources_[0].kind, "system log");
}

TEST_F(TranscriptTest, ProseWithAFaultLineIsReadLineByLine) {
    read_text("It began at night.\n\n"s + kKernelLine + "\nWe power cycled it.\n");
    ASSERT_EQ(sources_.size(), 1U);
    EXPECT_EQ(sources_[0].outcome, "ok");
    EXPECT_THAT(texts(0), ElementsAre("It began at night.", "NVRM: GPU0 something happened", "We power cycled it."));
}

TEST_F(TranscriptTest, ProseAboveAListingIsSplitFromIt) {
    read_text("GPU 3 is bad since last night, and it got hot.\n\n"s + kKernelLine + "then lspci says:\n" + kLspci +
              "thanks\n");
    bool kernel = false;
    bool device = false;
    for (const auto& record : records_) {
        kernel = kernel || (record.type == model::RecordType::kernel && record.line == 3);
        device = device || (record.type == model::RecordType::pci_device && record.line == 5);
    }
    EXPECT_TRUE(kernel);
    EXPECT_TRUE(device);
}

TEST_F(TranscriptTest, ColouredOutputIsReadLikePlain) {
    read_text(
        "\x1B]0;ops@gpu-a\a\x1B[01;32mops@gpu-a\x1B[00m:\x1B[01;34m~\x1B[00m$ dmesg\n\x1B[32m[   12.345678] \x1B[0mNVRM: GPU0 something\n"s);
    ASSERT_THAT(names(), ElementsAre("a.log (dmesg)"));
    EXPECT_THAT(texts(0), ElementsAre("NVRM: GPU0 something"));
}

TEST_F(TranscriptTest, LongCommandIsShortenedInTheName) {
    read_text("$ kubectl get vm " + std::string(100'000, 'x') + "\nout\n");
    ASSERT_EQ(sources_.size(), 1U);
    EXPECT_LT(sources_[0].name.size(), 200U);
}

TEST_F(TranscriptTest, FileOfPromptsHasACap) {
    std::string text;
    for (int i = 0; i < 5000; ++i) text += "$ true\n";
    read_text(text + kKernelLine);
    EXPECT_EQ(sources_.size(), 2000U);
    EXPECT_EQ(records_.back().text, "NVRM: GPU0 something happened");
}

TEST_F(TranscriptTest, VantageIsPerSource) {
    tree_.put("guest/dmesg.txt", "[    0.000000] Linux version 6.8\n[    0.100000] pci: x\n");
    tree_.put("host.log", kKernelLine);
    read({"guest/dmesg.txt", "host.log"});
    EXPECT_EQ(sources_[0].vantage, model::Vantage::guest);
    EXPECT_EQ(sources_[1].vantage, model::Vantage::unknown);
}

TEST(StripEscapes, SequencesGoAndTextStays) {
    const std::pair<std::string, std::string> cases[] = {
        {"plain", "plain"},
        {"\x1B[31mred\x1B[0m", "red"},
        {"\x1B]0;title\atext", "text"},
        {"\x1B]0;title\x1B\\text", "text"},
        {"\x1B(Btext", "Btext"},
        {"\x1B", ""},
        {"a\x1B[", "a"},
        {"a\x1B[31", "a"},
        {"a\x1B]never ends", "a"},
        {"", ""},
    };
    for (const auto& [with, without] : cases) {
        std::string out;
        strip_escapes(with, out);
        EXPECT_EQ(out, without);
    }
}

}  // namespace
}  // namespace gpumedic::bundle
