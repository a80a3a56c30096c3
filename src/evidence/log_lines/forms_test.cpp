// Forms of programs other than the kernel, and lines within lines.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "evidence/log_lines/log_lines.h"
#include "evidence/log_lines/recognise.h"

namespace gpumedic::evidence {
namespace {

using model::RecordType;

struct Kept {
    RecordType type;
    std::string time;
    std::string host;
    std::string text;
    std::string program;
    std::string priority;
    std::string repeated;
    std::uint64_t line;
};

std::vector<Kept> read(std::string_view text) {
    std::vector<Kept> kept;
    const ports::ReadContext context{"a.log", "", {std::chrono::minutes{0}, 2025, {}}};
    const auto reader = log_lines_kind().make(context, [&kept](const model::Record& record) {
        kept.push_back({record.type, record.time ? base::format_time(*record.time) : "", std::string(record.host),
                        std::string(record.text), std::string(record.field("program")),
                        std::string(record.field("priority")), std::string(record.field("repeated")), record.line});
    });
    std::uint64_t number = 0;
    while (!text.empty()) {
        const auto end = text.find('\n');
        reader->line(text.substr(0, end), ++number);
        text = end == std::string_view::npos ? std::string_view{} : text.substr(end + 1);
    }
    reader->finish();
    return kept;
}

Kept one(std::string_view line) {
    const auto kept = read(line);
    EXPECT_EQ(kept.size(), 1U) << line;
    return kept.empty() ? Kept{} : kept.front();
}

struct Form {
    std::string name;
    std::string line;
    RecordType type;
    std::string time;
    std::string program;
    std::string text;
};

class ProgramForm : public ::testing::TestWithParam<Form> {};

TEST_P(ProgramForm, IsReadAndRecognised) {
    const auto& form = GetParam();
    const auto record = one(form.line);
    EXPECT_EQ(record.type, form.type);
    EXPECT_EQ(record.time, form.time);
    EXPECT_EQ(record.program, form.program);
    EXPECT_EQ(record.text, form.text);
    EXPECT_EQ(record.line, 1U);
    EXPECT_GE(log_lines_kind().recognise({form.line, ""}), 80);
    for (std::size_t size = 0; size < form.line.size(); ++size)
        EXPECT_LE(read(std::string_view{form.line}.substr(0, size)).size(), 1U) << form.line.substr(0, size);
}

INSTANTIATE_TEST_SUITE_P(
    LogLines, ProgramForm,
    testing::Values(
        Form{"go", "2025/10/10 22:25:01 Nvidia device  0000:5a:00.0", RecordType::syslog, "2025-10-10T22:25:01Z", "",
             "Nvidia device  0000:5a:00.0"},
        Form{"go_micros", "2025/10/10 22:25:01.250000 main.go:7: x", RecordType::syslog, "2025-10-10T22:25:01.250000Z",
             "", "main.go:7: x"},
        Form{"hostengine",
             "2025-10-10 22:25:01.206 ERROR [96:98] Failed to load module 9 [/src/Handler.cpp:31] [Handler::Load]",
             RecordType::syslog, "2025-10-10T22:25:01.206000Z", "nv-hostengine", "Failed to load module 9"},
        Form{"zap", R"({"level":"error","ts":"2025-10-10T22:25:01Z","caller":"a/b.go:1","msg":"x","error":"y \"z\""})",
             RecordType::syslog, "2025-10-10T22:25:01Z", "", R"(x: y "z")"},
        Form{"zap_epoch", R"({"level":"info","ts":1760135101.5,"logger":"controller","msg":"x"})", RecordType::syslog,
             "2025-10-10T22:25:01.500000Z", "controller", "x"},
        Form{"docker",
             R"({"log":"E1010 22:25:01.000000       7 a.go:1] x\n","stream":"stderr","time":"2025-10-10T22:25:01.1Z"})",
             RecordType::syslog, "2025-10-10T22:25:01.100000Z", "", "x"},
        Form{"fluentd", R"({"@timestamp":"2025-10-10T22:25:01Z","ident":"kernel","host":"n1","message":"NVRM: x"})",
             RecordType::kernel, "2025-10-10T22:25:01Z", "", "NVRM: x"},
        Form{"logfmt", R"(time="2025-10-10T22:25:01.5+09:00" level=error msg="a \"b\"" error="c: d" id=1)",
             RecordType::syslog, "2025-10-10T22:25:01.500000+09:00", "", R"(a "b": c: d)"},
        Form{"logfmt_in_journal",
             R"(Oct 10 22:25:01 n1 containerd[7]: time="2025-10-10T22:25:01Z" level=error msg="a" error="b")",
             RecordType::syslog, "2025-10-10T22:25:01Z", "containerd", "a: b"},
        Form{"klog_in_cri", "2025-10-10T22:25:01.123456789Z stderr F E1010 22:25:01.000000       7 a.go:1] x",
             RecordType::syslog, "2025-10-10T22:25:01.123456Z", "", "x"},
        Form{"compose_prefix", "gpu-agent-1  | 2026-06-20T01:10:05.118200+00:00 pine kernel: NVRM: x", RecordType::kernel,
             "2026-06-20T01:10:05.118200Z", "", "NVRM: x"},
        Form{"klog_with_prefix", "[pod/plugin-x7/ctr] E1010 22:25:01.000000       7 a.go:1] x", RecordType::syslog,
             "2025-10-10T22:25:01Z", "", "x"},
        Form{"kernel_in_cri", "2025-10-10T22:25:01Z stdout F [   12.345678] NVRM: x", RecordType::kernel,
             "2025-10-10T22:25:01Z", "", "NVRM: x"},
        Form{"syslog_in_cri", "2025-10-10T22:25:02Z stdout F 2025-10-10T22:25:01+00:00 n1 kernel: NVRM: x",
             RecordType::kernel, "2025-10-10T22:25:01Z", "", "NVRM: x"},
        Form{"nvlsm", "Oct 10 22:25:01 123456 [7F3A] 0x01 -> osm_bind: ERR 1234: no port", RecordType::syslog,
             "2025-10-10T22:25:01Z", "nvlsm", "osm_bind: ERR 1234: no port"},
        Form{"container_cli", "nvidia-container-cli: initialization error: x", RecordType::syslog, "",
             "nvidia-container-cli", "initialization error: x"},
        Form{"docker_cli", "docker: Error response from daemon: x", RecordType::syslog, "", "docker",
             "docker: Error response from daemon: x"},
        Form{"vmkernel", "2025-10-10T22:25:01.123Z cpu12:2098765)NVRM: x", RecordType::kernel,
             "2025-10-10T22:25:01.123000Z", "", "NVRM: x"},
        Form{"vmkernel_8", "2025-10-10T22:25:01.123Z In(182) vmkernel: cpu27:2099010)NVRM: x", RecordType::kernel,
             "2025-10-10T22:25:01.123000Z", "", "NVRM: x"},
        Form{"vmkernel_syslog", "2025-10-10T22:25:01Z esx01 vmkernel: cpu27:2099010)NVRM: x", RecordType::kernel,
             "2025-10-10T22:25:01Z", "", "NVRM: x"}),
    [](const auto& form) { return form.param.name; });

TEST(LogForms, VirtComponentsAreNotOurs) {
    EXPECT_LT(log_lines_kind().recognise(
                  {R"({"component":"virt-handler","level":"info","msg":"x","timestamp":"2025-10-10T22:25:01Z"})", ""}),
              80);
    EXPECT_LT(log_lines_kind().recognise({R"({"apiVersion":"v1","kind":"Event","message":"x","level":"y"})", ""}), 80);
}

TEST(LogForms, ContainerScriptsAreALog) {
    EXPECT_GE(log_lines_kind().recognise(
                  {"Starting NVIDIA fabric manager daemon for NVLink5+...\nUnknown option: /x.cfg\n", ""}),
              80);
}

TEST(LogForms, FoldedLinesCountAsOftenAsTheyCame) {
    const auto rsyslog = one("Oct 10 22:25:01 n1 kernel: message repeated 5 times: [ NVRM: x]");
    EXPECT_EQ(rsyslog.text, "NVRM: x");
    EXPECT_EQ(rsyslog.repeated, "5");
    const auto stamped = one("Oct 10 22:25:01 n1 kernel: [   12.345678] message repeated 2 times: [ [   12.3] y]");
    EXPECT_EQ(stamped.repeated, "2");
    const auto old = read("Oct 10 22:25:01 n1 kernel: NVRM: x\nOct 10 22:25:09 n1 last message repeated 3 times\n");
    ASSERT_EQ(old.size(), 2U);
    EXPECT_EQ(old[1].text, "NVRM: x");
    EXPECT_EQ(old[1].repeated, "3");
    const auto named =
        read("Oct 10 22:25:01 n1 kernel: NVRM: x\nOct 10 22:25:09 n1 syslogd: last message repeated 3 times");
    ASSERT_EQ(named.size(), 2U);
    EXPECT_EQ(named[1].type, RecordType::kernel);
    EXPECT_EQ(named[1].text, "NVRM: x");
    EXPECT_EQ(named[1].repeated, "3");
    for (const char* line :
         {"Oct 10 22:25:01 n1 kernel: message repeated", "Oct 10 22:25:01 n1 kernel: message repeated 0 times",
          "Oct 10 22:25:01 n1 kernel: message repeated -1 times: [ x",
          "Oct 10 22:25:01 n1 kernel: message repeated 99999999999999999999 times: [ x]"})
        EXPECT_EQ(one(line).repeated, "") << line;
}

TEST(LogForms, TheJournalMarksBoots) {
    const auto kept = read(
        "Nov 03 04:05:06 n1 kernel: NVRM: x\n-- Boot 0123456789abcdef0123456789abcdef --\n"
        "Nov 03 05:05:06 n1 systemd[1]: y\n-- Reboot --\nNov 03 06:05:06 n1 kernel: Linux version 6.8.0 (a)\n-- Reboot "
        "--\n");
    ASSERT_EQ(kept.size(), 4U);
    EXPECT_EQ(kept[1].type, RecordType::kernel);
    EXPECT_EQ(kept[1].text, "-- Boot --");
    EXPECT_EQ(kept[1].time, "2025-11-03T05:05:06Z");
    EXPECT_EQ(kept[1].host, "n1");
    EXPECT_EQ(kept[3].text, "Linux version 6.8.0 (a)") << "the kernel's own line is enough";
    const auto entry = [](const char* boot) {
        return R"({"__REALTIME_TIMESTAMP":"1712352579402131","_TRANSPORT":"kernel","_BOOT_ID":")" + std::string(boot) +
               R"(","MESSAGE":"NVRM: x"})" + "\n";
    };
    EXPECT_EQ(read(entry("a") + entry("a")).size(), 2U);
    EXPECT_EQ(read(entry("a") + entry("b") + entry("a")).size(), 4U);
}

TEST(LogForms, CommandsNameTheBoot) {
    for (const auto& [command, back] : {std::pair{"journalctl -k -b -1", 1},
                                        {"journalctl -b -2 -k", 2},
                                        {"sudo journalctl --boot=-3", 3},
                                        {"journalctl -kb -1", 1},
                                        {"journalctl -b-1", 1},
                                        {"journalctl -b 0", 0},
                                        {"journalctl -b -0", 0},
                                        {"journalctl -k -b", 0},
                                        {"journalctl -n -1", 0},
                                        {"dmesg", 0},
                                        {"grep -b -1 x", 0},
                                        {"journalctl -b -99999999999", 0}})
        EXPECT_EQ(boots_back(command), back) << command;
}

TEST(LogForms, AUnitsStatusIsALog) {
    EXPECT_GE(log_lines_kind().recognise(
                  {"● a.service - A\n     Loaded: loaded\n     Active: failed (Result: exit-code)\n", ""}),
              80);
}

TEST(LogForms, TheYearTurnsWithinALog) {
    const auto kept = read(
        "Dec 31 23:59:59 n1 kernel: a\nJan  1 00:00:01 n1 kernel: b\nDec 31 23:59:58 n1 kernel: late\n"
        "Jan  1 00:00:02 n1 kernel: c\nMar  1 00:00:00 n1 kernel: d\n");
    ASSERT_EQ(kept.size(), 5U);
    EXPECT_EQ(kept[0].time, "2025-12-31T23:59:59Z");
    EXPECT_EQ(kept[1].time, "2026-01-01T00:00:01Z");
    EXPECT_EQ(kept[2].time, "2025-12-31T23:59:58Z");
    EXPECT_EQ(kept[3].time, "2026-01-01T00:00:02Z");
    EXPECT_EQ(kept[4].time, "2026-03-01T00:00:00Z");
}

TEST(LogForms, NestedTimesDoNotRecurse) {
    std::string line;
    for (int i = 0; i < 10'000; ++i) line += "2025-10-10T22:25:01Z ";
    EXPECT_EQ(read(line).size(), 1U);
    line.clear();
    for (int i = 0; i < 10'000; ++i) line += "2025-10-10T22:25:01Z <6>";
    EXPECT_EQ(read(line).size(), 1U);
    EXPECT_EQ(read("{\"msg\":" + std::string(5000, '[') + ",\"level\":1").size(), 1U);
}

}  // namespace
}  // namespace gpumedic::evidence
