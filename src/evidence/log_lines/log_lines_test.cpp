#include "evidence/log_lines/log_lines.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

namespace gpumedic::evidence {
namespace {

using base::format_time;
using model::RecordType;
using testing::ElementsAre;

/// A record that outlives the call.
struct Kept {
    RecordType type;
    std::uint64_t line;
    std::string time;
    std::string host;
    std::string text;
    std::string raw;
    std::string program;
    std::string pid;
    std::string priority;
};

struct Run {
    std::vector<Kept> records;
    ports::ReadStats stats;
};

Run read(std::string_view text, std::string command = {}) {
    Run run;
    const auto sink = [&run](const model::Record& r) {
        run.records.push_back({r.type, r.line, r.time ? format_time(*r.time) : "", std::string{r.host},
                               std::string{r.text}, std::string{r.raw}, std::string{r.field("program")},
                               std::string{r.field("pid")}, std::string{r.field("priority")}});
    };
    const auto reader = log_lines_kind().make({"test", std::move(command), {std::chrono::minutes{0}, 2025}}, sink);
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

constexpr std::string_view kXid = "NVRM: Xid (PCI:0000:c1:00): 79, GPU has fallen off the bus.";

struct Form {
    const char* name;
    std::string line;
    std::string time;
    std::string host;
    std::string priority;
};

class KernelForm : public testing::TestWithParam<Form> {};

TEST_P(KernelForm, GivesMessageTimeAndHost) {
    const auto& form = GetParam();
    const auto record = one(form.line + std::string{kXid});
    EXPECT_EQ(record.type, RecordType::kernel);
    EXPECT_EQ(record.text, kXid);
    EXPECT_EQ(record.time, form.time);
    EXPECT_EQ(record.host, form.host);
    EXPECT_EQ(record.priority, form.priority);
    EXPECT_EQ(record.raw, form.line + std::string{kXid});
}

TEST_P(KernelForm, IsRecognised) {
    const std::string line = GetParam().line + std::string{kXid};
    EXPECT_GE(log_lines_kind().recognise({line, ""}), 80);
    EXPECT_GE(log_lines_kind().recognise({line + "\n" + line + "\n", ""}), 80);
}

TEST_P(KernelForm, EveryTruncationIsSafe) {
    const std::string line = GetParam().line + std::string{kXid};
    for (std::size_t size = 0; size < line.size(); ++size) {
        const auto run = read(std::string_view{line}.substr(0, size));
        EXPECT_LE(run.records.size(), 1u) << line.substr(0, size);
    }
}

INSTANTIATE_TEST_SUITE_P(
    LogLines, KernelForm,
    testing::Values(
        Form{"boot", "[   12.345678] ", "[12.345678]", "", ""},
        Form{"boot_thread", "[   12.345678] [ T1772] ", "[12.345678]", "", ""},
        Form{"boot_cpu", "[   12.345678][   C12] ", "[12.345678]", "", ""}, Form{"delta", "[  +0.001779] ", "", "", ""},
        Form{"show_delta", "[   12.345678 <    0.000012>] ", "[12.345678]", "", ""},
        Form{"raw", "<3>[   12.345678] ", "[12.345678]", "", "err"}, Form{"raw_bare", "<3>", "", "", "err"},
        Form{"ctime", "[Thu Apr  4 18:03:11 2024] ", "2024-04-04T18:03:11Z", "", ""},
        Form{"ctime_korean", "[목  4월  4 18:03:11 2024] ", "2024-04-04T18:03:11Z", "", ""},
        Form{"decode_boot", "kern  :warn  : [   12.345678] ", "[12.345678]", "", "warn"},
        Form{"decode_ctime", "kern  :err   : [Thu Apr  4 18:03:11 2024] ", "2024-04-04T18:03:11Z", "", "err"},
        Form{"decode_iso", "kern  :warn  : 2025-01-21T02:21:33,498559+00:00 ", "2025-01-21T02:21:33.498559Z", "",
             "warn"},
        Form{"decode_bare", "kern  :warn  : ", "", "", "warn"},
        Form{"dmesg_iso", "2025-01-21T02:21:33,498559+09:00 ", "2025-01-21T02:21:33.498559+09:00", "", ""},
        Form{"short", "Oct 10 22:25:01 node-a kernel: ", "2025-10-10T22:25:01Z", "node-a", ""},
        Form{"short_double_stamp", "Oct  1 22:25:01 node-a kernel: [  212.000001] ", "2025-10-01T22:25:01Z", "node-a",
             ""},
        Form{"short_korean", "10월 10 22:25:01 node-a kernel: ", "2025-10-10T22:25:01Z", "node-a", ""},
        Form{"short_precise", "Oct 10 22:25:01.838131 node-a kernel: ", "2025-10-10T22:25:01.838131Z", "node-a", ""},
        Form{"no_hostname", "Oct 10 22:25:01 kernel: ", "2025-10-10T22:25:01Z", "", ""},
        Form{"short_iso", "2025-10-10T22:25:01+0900 node-a kernel: ", "2025-10-10T22:25:01+09:00", "node-a", ""},
        Form{"short_iso_precise",
             "2025-10-10T22:25:01.838131+09:00 node-a kernel: ", "2025-10-10T22:25:01.838131+09:00", "node-a", ""},
        Form{"short_monotonic", "[  212.345678] node-a kernel: ", "[212.345678]", "node-a", ""},
        Form{"short_full", "Fri 2025-10-10 22:25:01 KST node-a kernel: ", "2025-10-10T22:25:01+09:00", "node-a", ""},
        Form{"short_unix", "1712352579.402118 node-a kernel: ", "2024-04-05T21:29:39.402118Z", "node-a", ""},
        Form{"rfc3164", "<4>Oct 10 22:25:01 node-a kernel: ", "2025-10-10T22:25:01Z", "node-a", "warn"},
        Form{"rfc5424", "<3>1 2025-10-10T22:25:01.5+08:00 node-a kernel - - - [  200.997508] ",
             "2025-10-10T22:25:01.500000+08:00", "node-a", "err"},
        Form{"rfc5424_data", "<3>1 2025-10-10T22:25:01Z node-a kernel - - [x@1 a=\"b\\\"]c\"][y] ",
             "2025-10-10T22:25:01Z", "node-a", "err"},
        Form{"kmsg", "3,1234,12345678,-;", "[12.345678]", "", "err"},
        Form{"kmsg_caller", "4,1234,12345678,-,caller=T21;", "[12.345678]", "", "warn"},
        Form{"talos", "10.9.8.7: kern:    warning: [2026-04-22T20:59:11.763230000Z]: ", "2026-04-22T20:59:11.763230Z",
             "10.9.8.7", "warn"}),
    [](const auto& form) { return form.param.name; });

TEST(LogLines, AnXServersLogIsNoKernelLog) {
    const auto record = one("[    34.123] (EE) NVIDIA(0): Failed to initialize the GPU");
    EXPECT_EQ(record.type, RecordType::text);
    EXPECT_LT(log_lines_kind().recognise({"[    34.123] X.Org X Server 1.20\n[    34.124] (II) x\n", ""}), 80);
}

TEST(LogLines, OtherProgramsAreSyslogWithProgramAndPid) {
    const auto record = one("Oct 10 22:25:01 node-a systemd[1]: Started something.");
    EXPECT_EQ(record.type, RecordType::syslog);
    EXPECT_EQ(record.program, "systemd");
    EXPECT_EQ(record.pid, "1");
    EXPECT_EQ(record.text, "Started something.");
    EXPECT_EQ(one("2025-10-10T22:25:01Z node-a kubelet: x: y").program, "kubelet");
    EXPECT_EQ(one("[  212.345678] node-a systemd[1]: Started").program, "systemd");
}

TEST(LogLines, LibvirtAndQemuInTheJournalKeepTheirType) {
    EXPECT_EQ(one("Oct 10 22:25:01 node-a libvirtd[12]: internal error: x").type, RecordType::libvirt);
    EXPECT_EQ(one("Oct 10 22:25:01 node-a virtqemud[12]: internal error: x").type, RecordType::libvirt);
    EXPECT_EQ(one("2026-02-11T18:22:40.118312Z qemu-system-x86_64: vfio: x").type, RecordType::qemu);
}

TEST(LogLines, DaemonsOwnFilesAreSyslog) {
    const auto fabric = one("[Nov 09 2024 03:59:01] [ERROR] [tid 1584] failed to talk to the switch");
    EXPECT_EQ(fabric.type, RecordType::syslog);
    EXPECT_EQ(fabric.time, "2024-11-09T03:59:01Z");
    EXPECT_EQ(fabric.program, "nv-fabricmanager");
    EXPECT_EQ(fabric.text, "failed to talk to the switch");
    const auto klog = one("E0326 15:43:36.380682   12398 manager.go:458] device is unhealthy");
    EXPECT_EQ(klog.type, RecordType::syslog);
    EXPECT_EQ(klog.time, "2025-03-26T15:43:36.380682Z");
    EXPECT_EQ(klog.pid, "12398");
    EXPECT_EQ(klog.text, "device is unhealthy");
    const auto slurm = one("[2024-03-11T14:02:08.552] warning: Ignoring gres");
    EXPECT_EQ(slurm.type, RecordType::syslog);
    EXPECT_EQ(slurm.text, "warning: Ignoring gres");
}

TEST(LogLines, ApplicationLogsAreTextAndNameNoHost) {
    for (const char* line : {"2025-10-10 22:25:01,123 INFO worker: x", "2025-10-10T22:25:01Z INFO worker: x",
                             "Oct 10 22:25:01 something happened", "Nov 11 11:11:11 INFO x: y"}) {
        const auto record = one(line);
        EXPECT_EQ(record.type, RecordType::text) << line;
        EXPECT_EQ(record.host, "") << line;
        EXPECT_NE(record.time, "") << line;
    }
    EXPECT_EQ(one("2025-10-10T22:25:01.123456789Z stderr F it failed").text, "it failed");
}

TEST(LogLines, IndentedLinesContinueTheRecordAbove) {
    const auto run = read(
        "Oct 10 22:25:01 node-a kernel: NVRM: The GPU\n"
        "                               NVRM: is not supported\n"
        "\n"
        "no header\n"
        "   still no header\n");
    ASSERT_EQ(run.records.size(), 4u);
    EXPECT_EQ(run.records[1].text, "NVRM: is not supported");
    EXPECT_EQ(run.records[1].type, RecordType::kernel);
    EXPECT_EQ(run.records[1].line, 2u);
    EXPECT_EQ(run.records[1].host, "node-a");
    EXPECT_EQ(run.records[1].time, run.records[0].time);
    EXPECT_EQ(run.records[2].type, RecordType::text);
    EXPECT_EQ(run.records[2].time, "");
    EXPECT_EQ(run.records[3].type, RecordType::text);
    EXPECT_EQ(run.records[3].host, "");
}

TEST(LogLines, DriverMessagesGoOnWithoutIndent) {
    const auto run = read("[    1.000000] NVRM: The driver\nNVRM: was not loaded.\nwords\nNVRM: pasted\n");
    ASSERT_EQ(run.records.size(), 4u);
    EXPECT_EQ(run.records[1].type, RecordType::kernel);
    EXPECT_EQ(run.records[1].time, "[1.000000]");
    EXPECT_EQ(run.records[3].type, RecordType::text);
}

TEST(LogLines, MixedFormsInOneFile) {
    const auto run = read("[    1.000000] a\nOct 10 22:25:01 n kernel: b\nplain words\n<6>[    2.000000] c\n");
    ASSERT_EQ(run.records.size(), 4u);
    EXPECT_EQ(run.records[1].text, "b");
    EXPECT_EQ(run.records[2].type, RecordType::text);
    EXPECT_EQ(run.records[3].time, "[2.000000]");
}

TEST(LogLines, JournalJson) {
    const auto kernel = one(
        R"({"__REALTIME_TIMESTAMP":"1712352579402131","_SOURCE_REALTIME_TIMESTAMP":"1712352579402000","_TRANSPORT":"kernel","PRIORITY":"3","_HOSTNAME":"node-a","SYSLOG_IDENTIFIER":"kernel","MESSAGE":"NVRM: a \"b\""})");
    EXPECT_EQ(kernel.type, RecordType::kernel);
    EXPECT_EQ(kernel.text, "NVRM: a \"b\"");
    EXPECT_EQ(kernel.time, "2024-04-05T21:29:39.402000Z");
    EXPECT_EQ(kernel.host, "node-a");
    EXPECT_EQ(kernel.priority, "err");
    const auto bytes = one(
        R"({ "__REALTIME_TIMESTAMP" : "1712352579402131", "SYSLOG_IDENTIFIER" : "ntpd", "_PID" : "7", "MESSAGE" : [104,105] })");
    EXPECT_EQ(bytes.type, RecordType::syslog);
    EXPECT_EQ(bytes.text, "hi");
    EXPECT_EQ(bytes.program, "ntpd");
    EXPECT_EQ(bytes.pid, "7");
    const auto lines =
        read(R"({"__REALTIME_TIMESTAMP":"1712352579402131","_TRANSPORT":"kernel","MESSAGE":"NVRM: a\n   NVRM: b"})");
    ASSERT_EQ(lines.records.size(), 2u);
    EXPECT_EQ(lines.records[1].text, "NVRM: b");
}

TEST(LogLines, JournalJsonCutOrAbsurdIsCounted) {
    const std::string line =
        R"({"__REALTIME_TIMESTAMP":"1712352579402131","_TRANSPORT":"kernel","_HOSTNAME":"n","MESSAGE":"NVRM: x","Z":"y"})";
    EXPECT_GE(log_lines_kind().recognise({line, ""}), 80);
    for (std::size_t size = 0; size < line.size(); ++size) {
        const auto run = read(std::string_view{line}.substr(0, size));
        for (const auto& record : run.records) EXPECT_EQ(record.type, RecordType::text);
        EXPECT_EQ(run.records.size(), size > 0 ? 1u : 0u);
    }
    EXPECT_EQ(read(std::string_view{line}.substr(0, line.size() - 3)).stats.malformed, 1u);
    EXPECT_EQ(one(R"({"__REALTIME_TIMESTAMP":"99999999999999999999999","MESSAGE":"a"})").time, "");
    EXPECT_EQ(read(R"({"__REALTIME_TIMESTAMP":"1","MESSAGE":[1,2,999]})").stats.malformed, 1u);
    EXPECT_EQ(read(R"({"__REALTIME_TIMESTAMP":"1","MESSAGE":null})").stats.malformed, 1u);
    const auto deep = R"({"_TRANSPORT":"kernel","MESSAGE":)" + std::string(20'000, '[');
    EXPECT_EQ(read(deep).stats.malformed, 1u);
}

TEST(LogLines, JournalExport) {
    const std::string text =
        "__CURSOR=s=1;i=2\n__REALTIME_TIMESTAMP=1583931706270202\n_BOOT_ID=b\nPRIORITY=3\n_HOSTNAME=node-a\n_TRANSPORT="
        "kernel\n"
        "SYSLOG_IDENTIFIER=kernel\nMESSAGE=NVRM: one\n\n"
        "__CURSOR=s=1;i=3\n__REALTIME_TIMESTAMP=1583931706270203\nSYSLOG_IDENTIFIER="
        "foo\nMESSAGE\n\x05\x01\x01\x01\x01\x01\x01\x01hello\n_PID=9\n";
    EXPECT_GE(log_lines_kind().recognise({text, ""}), 80);
    const auto run = read(text);
    ASSERT_EQ(run.records.size(), 2u);
    EXPECT_EQ(run.records[0].type, RecordType::kernel);
    EXPECT_EQ(run.records[0].text, "NVRM: one");
    EXPECT_EQ(run.records[0].line, 8u);
    EXPECT_EQ(run.records[0].host, "node-a");
    EXPECT_EQ(run.records[0].time, "2020-03-11T13:01:46.270202Z");
    EXPECT_EQ(run.records[1].text, "hello");
    EXPECT_EQ(run.records[1].program, "foo");
    EXPECT_EQ(run.records[1].pid, "9");
    for (std::size_t size = 0; size < text.size(); ++size)
        EXPECT_LE(read(std::string_view{text}.substr(0, size)).records.size(), 2u);
}

TEST(LogLines, KmsgPropertiesAreSkippedAndEscapesResolved) {
    const auto run =
        read("6,1,1000,-;pci ok\\x0aNVRM: second\n SUBSYSTEM=pci\n DEVICE=+pci:0000:07:00.0\n  a continued line\n");
    ASSERT_EQ(run.records.size(), 3u);
    EXPECT_EQ(run.records[0].text, "pci ok");
    EXPECT_EQ(run.records[1].text, "NVRM: second");
    EXPECT_EQ(run.records[2].text, "a continued line");
}

TEST(LogLines, ColoursByteOrderMarkAndNulRunsAreNoText) {
    EXPECT_EQ(one("\x1b[32m[   12.345678] \x1b[0m\x1b[33mNVRM: \x1b[0mx").text, "NVRM: x");
    EXPECT_EQ(one("\xEF\xBB\xBF[   12.345678] x").text, "x");
    const auto run = read(std::string(500, '\0') + "Oct 10 22:25:01 n kernel: Linux version 6");
    ASSERT_EQ(run.records.size(), 1u);
    EXPECT_EQ(run.records[0].text, "Linux version 6");
    EXPECT_EQ(run.stats.malformed, 1u);
}

TEST(LogLines, BinaryLinesAreCountedWithPlace) {
    const auto run = read("[    1.000000] a\n\xff\xfe\x01\x02\n[    2.000000] b\n");
    EXPECT_EQ(run.records.size(), 2u);
    ASSERT_EQ(run.stats.malformed, 1u);
    EXPECT_EQ(run.stats.samples[0].line, 2u);
}

TEST(LogLines, CommandsThatPrintBareMessages) {
    EXPECT_EQ(read("NVRM: x", "sudo dmesg -t").records[0].type, RecordType::kernel);
    EXPECT_EQ(read("NVRM: x", "journalctl -k -o cat").records[0].type, RecordType::kernel);
    EXPECT_EQ(read("NVRM: x", "journalctl -u foo -o cat").records[0].type, RecordType::text);
    EXPECT_EQ(read("NVRM: x").records[0].type, RecordType::text);
    EXPECT_GE(log_lines_kind().recognise({"NVRM: x", "dmesg -t"}), 80);
}

TEST(LogLines, HostileInputIsSurvived) {
    for (const std::string_view line : {"[",
                                        "[]",
                                        "[ ]",
                                        "[+]",
                                        "[<]",
                                        "[<>]",
                                        "<",
                                        "<>",
                                        "<3",
                                        "<3>",
                                        "<999>x",
                                        "<-1>x",
                                        "[99999999999999999999.999999] x",
                                        "1 ",
                                        "1 - - - - - -",
                                        "9,9,9",
                                        "9,9,99999999999999999999,-;x",
                                        ";",
                                        ",,,;",
                                        "kern:",
                                        "kern::",
                                        "kern:warn:",
                                        "a:",
                                        ": :",
                                        "E0326 ",
                                        "E9999 99:99:99.999999 1 x:1] y",
                                        "[Dec 99 2024 99:99:99] [x",
                                        "[Dec 19 20x4 03:59:01] [x] y",
                                        "1712352579.402118",
                                        "1712352579.4021189999 a b[1]: c",
                                        "Oct 10 22:25:01",
                                        "Oct 10 22:25:01 ",
                                        "Oct 10 22:25:01 []: x",
                                        "Oct 10 22:25:01 a ]: x",
                                        "{",
                                        "{}",
                                        "\x1b",
                                        "\x1b[",
                                        "\x1b[31",
                                        "__CURSOR=",
                                        "__",
                                        "__REALTIME_TIMESTAMP=\n=\n\nMESSAGE\nMESSAGE"}) {
        EXPECT_LE(read(line).records.size(), 2u) << line;
        EXPECT_LE(log_lines_kind().recognise({line, ""}), 100) << line;
    }
    const std::string huge = "[   12.345678] " + std::string(300'000, 'x');
    EXPECT_EQ(one(huge).text.size(), 300'000u);
    EXPECT_EQ(read(std::string(300'000, '[')).records.size(), 1u);
    EXPECT_EQ(read("[    1.000000] " + std::string(2000, '\x1b')).records.size(), 1u);
}

TEST(LogLines, RandomBytesAreSurvived) {
    std::mt19937 random{7};  // NOLINT: the same bytes each run
    std::string bytes(200'000, '\0');
    for (char& c : bytes) c = static_cast<char>(random() & 0xff);
    const auto run = read(bytes);
    EXPECT_GT(run.stats.malformed, 0u);
    EXPECT_LT(log_lines_kind().recognise({bytes, ""}), 50);
    EXPECT_EQ(text_lines_kind().recognise({bytes, ""}), 0);
}

TEST(Recognise, TellsLogsFromOtherText) {
    EXPECT_EQ(log_lines_kind().recognise({"", ""}), 0);
    EXPECT_LT(log_lines_kind().recognise({"01:00.0 VGA compatible controller: NVIDIA\n\tFlags: fast devsel\n", ""}),
              10);
    EXPECT_LT(log_lines_kind().recognise({"NAME   AGE   STATUS\nvm-a   4d    Stopped\n", ""}), 10);
    EXPECT_LT(log_lines_kind().recognise({"2026-02-11T18:22:40.118312Z qemu-kvm: x\n", ""}), 10);
    EXPECT_LT(log_lines_kind().recognise({R"({"component":"virt-handler","level":"info","msg":"MESSAGE"})", ""}), 10);
    EXPECT_LT(log_lines_kind().recognise({"it broke\nhere is the log\nas far as I know\n[   12.345678] x\n", ""}), 50);
}

TEST(Recognise, TextIsWhateverIsNotBinary) {
    EXPECT_EQ(text_lines_kind().name, "text");
    EXPECT_EQ(text_lines_kind().recognise({"NVRM: something", ""}), 1);
    EXPECT_EQ(text_lines_kind().recognise({" \n\n", ""}), 0);
    EXPECT_EQ(text_lines_kind().recognise({std::string_view{"a\0b\0c\0", 6}, ""}), 0);
}

}  // namespace
}  // namespace gpumedic::evidence
