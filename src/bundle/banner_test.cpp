#include "bundle/banner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/text.h"
#include "bundle/reading_fixture.h"

namespace gpumedic::bundle {
namespace {

using namespace std::string_literals;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Not;
using Kind = Banner::Kind;

TEST(Banner, HeadingsOfOneLine) {
    const std::pair<const char*, Banner> cases[] = {
        {"=== dmesg ===", {Kind::command, "dmesg"}},
        {"==== sudo lspci -vvv ====", {Kind::command, "sudo lspci -vvv"}},
        {"##### nvidia-smi -q #####", {Kind::command, "nvidia-smi -q"}},
        {"##### /usr/bin/lspci -nn", {Kind::command, "/usr/bin/lspci -nn"}},
        {"----- kubectl get vmi -A -----", {Kind::command, "kubectl get vmi -A"}},
        {"*** dcgmi health -c ***", {Kind::command, "dcgmi health -c"}},
        {"=== Command: lspci ===", {Kind::command, "lspci"}},
        {"=== Output of `dmesg -T`: ===", {Kind::command, "dmesg -T"}},
        {"==> /var/log/kern.log <==", {Kind::file, "/var/log/kern.log"}},
        {"==> standard input <==", {Kind::file, "-"}},
        {"--- virt-handler.log ---", {Kind::file, "virt-handler.log"}},
        {"=== guest: kernel log ===", {Kind::title, "guest: kernel log"}},
        {"===커널 로그===", {Kind::title, "커널 로그"}},
    };
    for (const auto& [line, banner] : cases) EXPECT_EQ(parse_banner(line), banner) << line;
}

TEST(Banner, OtherLinesAreNone) {
    for (const char* line : {"",
                             "===",
                             "==========",
                             "==============NVSMI LOG==============",
                             "------------[ cut here ]------------",
                             "---[ end trace 0000000000000000 ]---",
                             "---",
                             "--- a/x.cpp",
                             "+++ b/x.cpp",
                             "# === setup ===",
                             "  === dmesg ===",
                             "### What happened",
                             "**bold** text",
                             "+-----+-----+",
                             "|=====+=====|",
                             "-- Boot 0123456789abcdef --",
                             "-- No entries --",
                             "-----BEGIN CERTIFICATE-----",
                             "=== 1 ===",
                             "------------ ---------- ------",
                             "*** FABRIC MANAGER IS DOWN"})
        EXPECT_EQ(parse_banner(line), std::nullopt) << line;
}

class CaptureTest : public ReadingTest {
protected:
    /// "a.log (x)" -> its kind.
    [[nodiscard]] std::string kind_of(const std::string& name) const {
        for (const auto& source : sources_)
            if (source.name == name) return source.kind;
        return "no such source";
    }
};

constexpr const char* kRule = "____________________________________________\n";
constexpr const char* kLspci = "5a:00.0 3D controller: NVIDIA Corporation GH100 [H100 SXM5 80GB] (rev ff)\n";
constexpr const char* kSmi = "GPU 0: NVIDIA H100 80GB HBM3 (UUID: GPU-00000000-1111-2222-3333-444444444444)\n";

std::string bug_report() {
    const std::string rule = kRule;
    return "\n" + rule +
           "\nStart of NVIDIA bug report log file.  Please include this file, along\nwith a detailed description\n\n"
           "nvidia-bug-report.sh Version: 33333333\n\nDate: Mon Nov  3 04:10:00 KST 2025\n\n" +
           rule +
           "\n*** /proc/driver/nvidia/./version\n*** ls: -r--r--r-- 1 root root 0 2025-11-03 04:10:00.000000000 +0900 "
           "/proc/driver/nvidia/./version\nNVRM version: NVIDIA UNIX Open Kernel Module for x86_64  570.86.15  Release "
           "Build  (x@y)\n\n" +
           rule + "\n*** /var/log/nvidia-installer.log does not exist\n\n" + rule +
           "\n*** /var/log/fabricmanager.log does not exist\n\n" + rule +
           "\njournalctl -b -0 _COMM=Xorg\n\n-- No entries --\n\n" + rule +
           "\n/usr/bin/lspci -d \"10de:*\" -v -xxx\n\n" + kLspci + "\n" + rule +
           "*** /sys/devices/system/node/online\n*** ls: -r--r--r-- 1 root root 4096 x\n0-1\n\n" + rule +
           "\nScanning kernel log files for NVIDIA kernel messages:\n\n  journalctl -b -0:\n" + kKernelLine + "\n" +
           rule + "\n/usr/bin/nvidia-smi -L\n\n" + kSmi + "\nnvidia-smi nvlink --status\n\n" + kSmi +
           "\t Link 0: <inactive>\n\n" + rule + "\ndmesg:\n\n[   12.345678] NVRM: GPU0 something else\n\n" + rule +
           "\nbase64 \"nvidia-nvml-temp1.log\"\n\nTlZSTTogR1BVMCBzb21ldGhpbmcK\n\n" + rule + kRule +
           "\nxset -q:\n\nxset:  unable to open display \"\"\n\nEnd of NVIDIA bug report log file.\n";
}

TEST_F(CaptureTest, BugReportIsReadSectionBySection) {
    read_text(bug_report());
    EXPECT_THAT(names(),
                ElementsAre("a.log", "a.log (/proc/driver/nvidia/./version)", "a.log (/var/log/fabricmanager.log)",
                            "a.log (/usr/bin/lspci -d \"10de:*\" -v -xxx)", "a.log (journalctl -b -0)",
                            "a.log (/usr/bin/nvidia-smi -L)", "a.log (nvidia-smi nvlink --status)", "a.log (dmesg)",
                            "a.log (base64 \"nvidia-nvml-temp1.log\")"));
    EXPECT_EQ(sources_[0].kind, "bug report");
    EXPECT_EQ(sources_[0].outcome, "ok");
    EXPECT_EQ(kind_of("a.log (/proc/driver/nvidia/./version)"), "host facts");
    EXPECT_EQ(sources_[2].outcome, "absent");
    EXPECT_EQ(kind_of("a.log (/usr/bin/lspci -d \"10de:*\" -v -xxx)"), "lspci");
    EXPECT_EQ(kind_of("a.log (journalctl -b -0)"), "kernel log");
    EXPECT_EQ(kind_of("a.log (/usr/bin/nvidia-smi -L)"), "nvidia-smi");
    EXPECT_EQ(kind_of("a.log (nvidia-smi nvlink --status)"), "nvidia-smi");
    EXPECT_EQ(kind_of("a.log (dmesg)"), "kernel log");
    EXPECT_EQ(sources_[8].outcome, "binary");
    EXPECT_EQ(sources_[8].records, 0U);
}

TEST_F(CaptureTest, LinesOfABugReportKeepTheirNumbers) {
    const std::string text = bug_report();
    read_text(text);
    const auto line_of = [&](std::string_view part) {
        return 1U + static_cast<std::uint64_t>(
                        std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(text.find(part)), '\n'));
    };
    bool found = false;
    for (const auto& record : records_)
        if (record.text == "NVRM: GPU0 something else") {
            found = true;
            EXPECT_EQ(record.line, line_of("NVRM: GPU0 something else"));
            EXPECT_EQ(record.type, model::RecordType::kernel);
            EXPECT_EQ(sources_[record.source].name, "a.log (dmesg)");
        }
    EXPECT_TRUE(found);
}

TEST_F(CaptureTest, BugReportCutAnywhereIsStillRead) {
    const std::string text = bug_report();
    for (std::size_t size = 0; size < text.size(); size += 7) {
        read_text(text.substr(0, size));
        for (const auto& source : sources_) EXPECT_FALSE(source.name.empty());
        read_text(text.substr(size));
        EXPECT_FALSE(sources_.empty());
    }
}

TEST_F(CaptureTest, HeadingsSplitACapture) {
    read_text("=== dmesg ===\n"s + "[   12.345678] NVRM: GPU0 something\n" + "\n=== kubectl get vm -n lab ===\n" +
              "NAME      AGE   STATUS    READY\nvm-a-01   12d   Running   True\n" + "==> lspci.txt <==\n" + kLspci +
              "#################\n# nvidia-smi -L\n#################\n" + kSmi);
    EXPECT_THAT(names(), ElementsAre("a.log (dmesg)", "a.log (kubectl get vm -n lab)", "a.log (lspci.txt)",
                                     "a.log (nvidia-smi -L)"));
    for (const auto& source : sources_) EXPECT_EQ(source.records, 1U) << source.name;
    ASSERT_EQ(records_.size(), 4U);
    EXPECT_EQ(records_[0].type, model::RecordType::kernel);
    EXPECT_EQ(records_[1].type, model::RecordType::k8s_vm);
    EXPECT_EQ(records_[2].type, model::RecordType::pci_device);
    EXPECT_EQ(records_[3].type, model::RecordType::gpu);
    EXPECT_EQ(records_[3].line, 12U);
}

TEST_F(CaptureTest, SupportconfigPartsAreSplit) {
    read_text("#==[ Command ]======================================#\n# /usr/bin/lspci -b\n"s + kLspci +
              "\n#==[ Log File ]=====================================#\n# /var/log/messages - Last 500 Lines\n" +
              kKernelLine);
    EXPECT_THAT(names(), ElementsAre("a.log (/usr/bin/lspci -b)", "a.log (/var/log/messages - Last 500 Lines)"));
    EXPECT_EQ(sources_[1].kind, "kernel log");
}

TEST_F(CaptureTest, AGuestsPartIsAGuests) {
    read_text(
        "=== host: dmesg ===\n[    1.000000] vfio-pci 0000:5a:00.0: enabling device\n"
        "=== guest: dmesg ===\n[    1.000000] NVRM: GPU0 something\n");
    ASSERT_EQ(sources_.size(), 2U);
    EXPECT_EQ(sources_[0].vantage, model::Vantage::host);
    EXPECT_EQ(sources_[1].vantage, model::Vantage::guest);
}

TEST_F(CaptureTest, RulesOfAListingSplitNothing) {
    read_text(
        "==============NVSMI LOG==============\n\nTimestamp                                 : Mon Nov  3 04:10:00 "
        "2025\n"
        "Driver Version                            : 570.86.15\n\nAttached GPUs                             : 1\n"
        "GPU 00000000:5A:00.0\n    Product Name                          : NVIDIA H100 80GB HBM3\n");
    EXPECT_THAT(names(), ElementsAre("a.log"));
    read_text(kKernelLine + "=====\nsomething\nelse\n-----\n"s + kKernelLine);
    EXPECT_THAT(names(), ElementsAre("a.log"));
    EXPECT_EQ(records_.size(), 6U) << "what looked like a banner is content";
}

TEST_F(CaptureTest, HostileRulesAreSurvived) {
    std::string text;
    for (int i = 0; i < 10'000; ++i) text += "=====\nlspci\n";
    read_text(text);
    EXPECT_LE(sources_.size(), 2001U);
    read_text(std::string(20'000, '_') + "\n" + std::string(20'000, '_') + "\n\n\n\n\n\n\n*** /");
    EXPECT_FALSE(sources_.empty());
    read_text(kRule);
    EXPECT_EQ(sources_.size(), 1U);
    read_text("=====\nlspci");
    EXPECT_THAT(names(), ElementsAre("a.log (lspci)"));
}

}  // namespace
}  // namespace gpumedic::bundle
