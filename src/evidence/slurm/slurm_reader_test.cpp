#include "evidence/slurm/slurm_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "base/text.h"
#include "evidence/slurm/hostlist.h"

namespace gpumedic::evidence {
namespace {

using model::RecordType;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using Fields = std::map<std::string, std::string>;

struct Seen {
    RecordType type{};
    std::uint64_t line{};
    std::string text;
    std::string raw;
    std::string time;
    Fields fields;
};

std::vector<Seen> read(std::string_view text, const std::string& command = {}, std::uint64_t* malformed = nullptr) {
    std::vector<Seen> seen;
    const auto reader = slurm_kind().make({"slurm.txt", command, {}}, [&](const model::Record& record) {
        Seen one{record.type,
                 record.line,
                 std::string(record.text),
                 std::string(record.raw),
                 record.time ? base::format_time(*record.time) : "",
                 {}};
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
    if (malformed != nullptr) *malformed = reader->stats().malformed;
    return seen;
}

constexpr std::string_view kNodes =
    "NodeName=ml-07 Arch=x86_64 CoresPerSocket=32 \n"
    "   CPUAlloc=0 CPUEfctv=64 CPUTot=64 CPULoad=0.50\n"
    "   Gres=gpu:h100:8(S:0-1)\n"
    "   GresUsed=gpu:h100:0(IDX:N/A)\n"
    "   OS=Linux 6.8.0-45-generic #45-Ubuntu SMP Fri Aug 30 12:02:04 UTC 2024 \n"
    "   State=IDLE+DRAIN+INVALID_REG ThreadsPerCore=1 Weight=1 Owner=N/A\n"
    "   Partitions=train \n"
    "   BootTime=2025-02-01T08:00:00 SlurmdStartTime=2025-02-01T08:01:00\n"
    "   \n"
    "   Reason=gres/gpu count reported lower than configured (7 < 8), rc=3 [slurm@2025-02-01T08:01:02]\n"
    "\n"
    "NodeName=ml-08 Arch=x86_64 CoresPerSocket=32 \n"
    "   Gres=(null)\n"
    "   State=MIXED ThreadsPerCore=1\n";

TEST(Slurm, ReadsNodesWithTheirReasons) {
    const auto seen = read(kNodes, "scontrol show node -d");
    ASSERT_THAT(seen, SizeIs(2));
    EXPECT_EQ(seen[0].type, RecordType::slurm_node);
    EXPECT_EQ(seen[0].text, "gres/gpu count reported lower than configured (7 < 8), rc=3");
    EXPECT_EQ(seen[0].line, 10U);
    EXPECT_EQ(seen[0].time, "2025-02-01T08:01:02Z");
    EXPECT_EQ(seen[0].fields, (Fields{{"name", "ml-07"},
                                      {"state", "idle+drain+invalid_reg"},
                                      {"reason", "gres/gpu count reported lower than configured (7 < 8), rc=3"},
                                      {"gres", "gpu:h100:8(S:0-1)"},
                                      {"gres_used", "gpu:h100:0(IDX:N/A)"},
                                      {"partition", "train"}}));
    EXPECT_EQ(seen[1].text, "mixed");
    EXPECT_EQ(seen[1].fields, (Fields{{"name", "ml-08"}, {"state", "mixed"}}));
}

TEST(Slurm, ReadsOneLineForms) {
    const auto seen = read(
        "NodeName=a1 Arch=x86_64 Gres=gpu:4 OS=Linux 6.1 #1 SMP State=DOWN* Partitions=x Reason=Not responding "
        "[root@2025-03-01T00:00:00]\n"
        "JobId=71 JobName=fit a model UserId=kim(1000) JobState=NODE_FAIL Reason=None ExitCode=0:1 NodeList=a1\n",
        "scontrol -o show node");
    ASSERT_THAT(seen, SizeIs(2));
    EXPECT_EQ(
        seen[0].fields,
        (Fields{
            {"name", "a1"}, {"state", "down*"}, {"reason", "Not responding"}, {"gres", "gpu:4"}, {"partition", "x"}}));
    EXPECT_EQ(seen[1].type, RecordType::slurm_job);
    EXPECT_EQ(
        seen[1].fields,
        (Fields{
            {"job", "71"}, {"name", "fit a model"}, {"state", "node_fail"}, {"nodes", "a1"}, {"exit_code", "0:1"}}));
    EXPECT_EQ(seen[1].text, "node_fail");
}

TEST(Slurm, ReadsSinfo) {
    const auto seen = read(
        "PARTITION AVAIL  TIMELIMIT  NODES  STATE NODELIST\n"
        "train*       up   infinite      3  drng@ ml[007,009-010]\n"
        "debug        up      30:00      0    n/a \n");
    ASSERT_THAT(seen, SizeIs(4));
    EXPECT_EQ(seen[0].fields, (Fields{{"name", "ml007"}, {"state", "drng@"}, {"partition", "train"}}));
    EXPECT_EQ(seen[2].fields.at("name"), "ml010");
    EXPECT_EQ(seen[2].line, 2U);
    EXPECT_EQ(seen[3].type, RecordType::text);
}

TEST(Slurm, ReadsReasonsAndLongListings) {
    const auto seen = read(
        "REASON               USER      TIMESTAMP           NODELIST\n"
        "Kill task failed     root      2025-01-25T15:12:23 ml-07\n",
        "sinfo -R");
    ASSERT_THAT(seen, SizeIs(1));
    EXPECT_EQ(seen[0].text, "Kill task failed");
    EXPECT_EQ(seen[0].time, "2025-01-25T15:12:23Z");
    const auto listed = read(
        "Sat Jan 25 15:12:23 2025\n"
        "NODELIST   NODES PARTITION       STATE CPUS    S:C:T MEMORY TMP_DISK WEIGHT AVAIL_FE REASON\n"
        "ml-07          1    train*    drained* 64     2:32:1 515000        0      1   (null) gpu is lost: xid\n"
        "ml-08          1    train*        idle 64     2:32:1 515000        0      1   (null) none\n");
    ASSERT_THAT(listed, SizeIs(2));
    EXPECT_EQ(
        listed[0].fields,
        (Fields{{"name", "ml-07"}, {"state", "drained*"}, {"reason", "gpu is lost: xid"}, {"partition", "train"}}));
    EXPECT_EQ(listed[1].text, "idle");
}

TEST(Slurm, ReadsSqueueAndSacct) {
    const auto queue = read(
        "             JOBID PARTITION     NAME     USER ST       TIME  NODES NODELIST(REASON)\n"
        "                71     train    fit-a      kim PD       0:00      1 (Nodes required for job are DOWN, "
        "DRAINED)\n"
        "                70     train    fit-b      kim  R    1:02:03      2 ml[07-08]\n");
    ASSERT_THAT(queue, SizeIs(2));
    EXPECT_EQ(queue[0].text, "Nodes required for job are DOWN, DRAINED");
    EXPECT_EQ(queue[1].fields, (Fields{{"job", "70"}, {"name", "fit-b"}, {"state", "r"}, {"nodes", "ml[07-08]"}}));
    const auto done = read(
        "JobID           JobName  Partition    Account  AllocCPUS      State ExitCode \n"
        "------------ ---------- ---------- ---------- ---------- ---------- -------- \n"
        "71                fit-a      train        lab         64  NODE_FAIL      1:0 \n"
        "71.batch          batch                   lab         64 CANCELLED+      0:9 \n");
    ASSERT_THAT(done, SizeIs(2));
    EXPECT_EQ(done[0].fields, (Fields{{"job", "71"}, {"name", "fit-a"}, {"state", "node_fail"}, {"exit_code", "1:0"}}));
    EXPECT_EQ(done[1].fields.at("state"), "cancelled+");
    const auto parsable = read("JobID|State|ExitCode|NodeList|\n71|CANCELLED by 1000|0:9|ml-07|\n");
    ASSERT_THAT(parsable, SizeIs(1));
    EXPECT_EQ(parsable[0].fields,
              (Fields{{"job", "71"}, {"state", "cancelled by 1000"}, {"exit_code", "0:9"}, {"nodes", "ml-07"}}));
}

TEST(Slurm, ConfigurationIsText) {
    const auto seen = read("GresTypes=gpu\nNodeName=ml[07-08] CPUs=64 Gres=gpu:h100:8 State=UNKNOWN\n");
    ASSERT_THAT(seen, SizeIs(2));
    EXPECT_EQ(seen[1].type, RecordType::text);
    EXPECT_EQ(seen[1].text, "NodeName=ml[07-08] CPUs=64 Gres=gpu:h100:8 State=UNKNOWN");
}

TEST(Slurm, ARowThatDoesNotFitIsCountedAndKeptAsText) {
    std::uint64_t malformed = 0;
    const auto seen = read("NODELIST STATE\nml-07\nml-08 idle\n", "sinfo", &malformed);
    ASSERT_THAT(seen, SizeIs(2));
    EXPECT_EQ(malformed, 1U);
    EXPECT_EQ(seen[0].type, RecordType::text);
}

TEST(Slurm, RecognisesByCommandOrContent) {
    const auto recognise = slurm_kind().recognise;
    EXPECT_GE(recognise({"x", "sinfo -R"}), 90);
    EXPECT_GE(recognise({kNodes, {}}), 90);
    EXPECT_GE(recognise({"PARTITION AVAIL  TIMELIMIT  NODES  STATE NODELIST\n", {}}), 90);
    EXPECT_GE(recognise({"# gres\nNodeName=n1 Name=gpu File=/dev/nvidia0\n", {}}), 70);
    EXPECT_EQ(recognise({"NAME   AGE   STATUS   READY\n", {}}), 0);
    EXPECT_EQ(recognise({"JobId=1\nuser=x\n", {}}), 0);
    EXPECT_EQ(recognise({"x", "grep sinfo notes"}), 0);
}

TEST(Slurm, ExpandsHostLists) {
    EXPECT_THAT(slurm::expand_hostlist("a[08-10,12]-ib,b"), ElementsAre("a08-ib", "a09-ib", "a10-ib", "a12-ib", "b"));
    for (const std::string odd :
         {"a[1-", "a[3-1]", "a[x]", "r[1-2]n[1-2]", "a[0-4294967295]", "a,,b", "a[1-600],b[1-600]", ""})
        EXPECT_THAT(slurm::expand_hostlist(odd), ElementsAre(odd));
}

TEST(Slurm, SurvivesTruncationAtEveryByte) {
    for (std::size_t length = 0; length <= kNodes.size(); ++length)
        EXPECT_LE(read(kNodes.substr(0, length)).size(), 3U) << length;
}

TEST(Slurm, SurvivesHostileInput) {
    EXPECT_THAT(read(""), IsEmpty());
    EXPECT_THAT(read("NODELIST STATE\n|||\n-\n"), SizeIs(2));
    EXPECT_THAT(read("NodeName= Arch=\n  State=\n  Reason=[@]\n  =\n"), SizeIs(1));
    EXPECT_FALSE(read("JobID|State\n" + std::string(50000, '|') + "\n").empty());
    std::string blanks = "JobID State\n------ -----\n";
    for (int i = 0; i < 1000; ++i) blanks += std::string(static_cast<std::size_t>(i), ' ') + "\xff\n";
    EXPECT_FALSE(read(blanks).empty());
}

}  // namespace
}  // namespace gpumedic::evidence
