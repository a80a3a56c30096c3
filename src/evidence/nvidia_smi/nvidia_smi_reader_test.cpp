#include <gmock/gmock.h>

#include "evidence/nvidia_smi/nvidia_smi_test_reading.h"

namespace gpumedic::evidence {
namespace {

using model::RecordType;
using ::testing::Contains;
using ::testing::IsEmpty;
using ::testing::Pair;
using ::testing::SizeIs;
using testing_nvidia_smi::read;

constexpr std::string_view kTable =
    "Tue Mar  4 09:12:44 2025\n"
    "+-----------------------------------------------------------------------------------------+\n"
    "| NVIDIA-SMI 570.86.15              Driver Version: 570.86.15      CUDA Version: 12.8     |\n"
    "|-----------------------------------------+------------------------+----------------------+\n"
    "| GPU  Name                 Persistence-M | Bus-Id          Disp.A | Volatile Uncorr. ECC |\n"
    "| Fan  Temp   Perf          Pwr:Usage/Cap |           Memory-Usage | GPU-Util  Compute M. |\n"
    "|=========================================+========================+======================|\n"
    "|   0  NVIDIA H200                    On  |   00000000:4E:00.0 Off |                    3 |\n"
    "| N/A   31C    P0             77W /  700W |       1MiB / 143771MiB |      0%      Default |\n"
    "|                                         |                        |             Disabled |\n"
    "+-----------------------------------------+------------------------+----------------------+\n"
    "|   1  NVIDIA H200                    On  |   00000000:5F:00.0 Off |                  N/A |\n"
    "|ERR!   62C    P0            ERR! /  700W |       1MiB / 143771MiB |      0%      Default |\n"
    "|                                         |                        |             Disabled |\n"
    "+-----------------------------------------+------------------------+----------------------+\n"
    "\n"
    "+-----------------------------------------------------------------------------------------+\n"
    "| Processes:                                                                              |\n"
    "|    0   N/A  N/A     41277      C   python3                                    1204MiB |\n"
    "+-----------------------------------------------------------------------------------------+\n";

TEST(NvidiaSmi, ReadsTheTable) {
    const auto seen = read(kTable);
    ASSERT_THAT(seen, SizeIs(2));
    EXPECT_EQ(seen[0].fields, (std::map<std::string, std::string>{{"index", "0"},
                                                                  {"pci", "0000:4e:00.0"},
                                                                  {"name", "NVIDIA H200"},
                                                                  {"temperature", "31"},
                                                                  {"ecc_uncorrected", "3"},
                                                                  {"state", "ok"},
                                                                  {"driver", "570.86.15"}}));
    EXPECT_EQ(seen[0].text, "NVIDIA H200");
    EXPECT_EQ(seen[0].line, 8U);
    EXPECT_TRUE(seen[0].timed);
    EXPECT_THAT(seen[1].fields, Contains(Pair("state", "err")));
    EXPECT_THAT(seen[1].fields, Contains(Pair("temperature", "62")));
    EXPECT_EQ(seen[1].fields.count("ecc_uncorrected"), 0U);
}

TEST(NvidiaSmi, ReadsOldTables) {
    const auto seen = read(
        "| NVIDIA-SMI 470.82.01    Driver Version: 470.82.01    CUDA Version: 11.4     |\n"
        "|===============================+======================+======================|\n"
        "|   3  Tesla V100-SXM2...  On   | 00000000:B2:00.0 Off |                    0 |\n"
        "| N/A   40C    P0    56W / 300W |      0MiB / 32510MiB |      0%      Default |\n"
        "|                               |                      |                  N/A |\n"
        "|   4  ERR!                ERR! | 0000:B3:00.0    ERR! |                 ERR! |\n");
    ASSERT_THAT(seen, SizeIs(2));
    EXPECT_THAT(seen[0].fields, Contains(Pair("name", "Tesla V100-SXM2...")));
    EXPECT_THAT(seen[1].fields, Contains(Pair("pci", "0000:b3:00.0")));
    EXPECT_THAT(seen[1].fields, Contains(Pair("state", "err")));
    EXPECT_EQ(seen[1].fields.count("name"), 0U);
}

TEST(NvidiaSmi, ReadsTheListAndItsLinks) {
    const auto seen = read(
        "GPU 2: NVIDIA H100 80GB HBM3 (UUID: GPU-11111111-2222-3333-4444-555555555555)\n"
        "\t Link 0: 26.562 GB/s\n\t Link 1: <inactive>\n\t Link 1: Replay Errors: 0\n"
        "  MIG 3g.20gb     Device  0: (UUID: MIG-aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee)\n"
        "GPU 3: NVIDIA H100 80GB HBM3 (UUID: GPU-66666666-2222-3333-4444-555555555555)\n"
        "NVML: Unable to retrieve NVLink information as all links are inActive\n");
    ASSERT_THAT(seen, SizeIs(6));
    EXPECT_EQ(seen[0].type, RecordType::gpu);
    EXPECT_EQ(seen[0].fields.count("state"), 0U);
    EXPECT_EQ(seen[1].type, RecordType::nvlink);
    EXPECT_EQ(seen[1].fields, (std::map<std::string, std::string>{{"index", "2"},
                                                                  {"uuid", "GPU-11111111-2222-3333-4444-555555555555"},
                                                                  {"link", "0"},
                                                                  {"state", "active"},
                                                                  {"speed", "26.562 GB/s"}}));
    EXPECT_THAT(seen[2].fields, Contains(Pair("state", "inactive")));
    EXPECT_EQ(seen[5].type, RecordType::smi_line);
    EXPECT_THAT(seen[5].fields, Contains(Pair("index", "3")));
}

constexpr std::string_view kQuery =
    "==============NVSMI LOG==============\n\n"
    "Timestamp                                 : Wed Jul 31 11:22:39 2024\n"
    "Driver Version                            : 550.54.15\n"
    "Attached GPUs                             : 2\n"
    "GPU 00000000:4E:00.0\n"
    "    Product Name                          : NVIDIA H200\n"
    "    Serial Number                         : 1650000000001\n"
    "    GPU UUID                              : GPU-11111111-2222-3333-4444-555555555555\n"
    "    ECC Errors\n"
    "        Volatile\n"
    "            SRAM Correctable              : 9\n"
    "            SRAM Uncorrectable Parity     : 1\n"
    "            DRAM Uncorrectable            : 2\n"
    "        Aggregate\n"
    "            DRAM Uncorrectable            : 40\n"
    "    Remapped Rows\n"
    "        Pending                           : Yes\n"
    "    Temperature\n"
    "        GPU Current Temp                  : 33 C\n"
    "        GPU T.Limit Temp                  : 52 C\n"
    "    vGPU Software Licensed Product\n"
    "        Product Name                      : Something else\n"
    "    Fabric\n"
    "        State                             : In Progress\n"
    "        Status                            : N/A\n"
    "    NVLink\n"
    "        Link 0                            : Active\n"
    "        Link 1                            : Inactive\n"
    "\n"
    "GPU 00000000:5F:00.0\n"
    "    Product Name                                       : Unknown Error\n"
    "    NVLink\n"
    "        Link 4\n"
    "            State                                      : Active\n";

TEST(NvidiaSmi, ReadsTheQuery) {
    const auto seen = read(kQuery, "nvidia-smi -q");
    ASSERT_THAT(seen, SizeIs(6));  // no count for the second GPU: its list begins with link 4, so lines are missing
    const std::map<std::string, std::string> expected{{"index", "0"},
                                                      {"uuid", "GPU-11111111-2222-3333-4444-555555555555"},
                                                      {"pci", "0000:4e:00.0"},
                                                      {"name", "NVIDIA H200"},
                                                      {"temperature", "33"},
                                                      {"ecc_uncorrected", "3"},
                                                      {"ecc_uncorrected_aggregate", "40"},
                                                      {"ecc_corrected", "9"},
                                                      {"temp_headroom", "52"},
                                                      {"state", "ok"},
                                                      {"driver", "550.54.15"},
                                                      {"serial", "1650000000001"},
                                                      {"remap_pending", "Yes"},
                                                      {"fabric_state", "In Progress"}};
    EXPECT_EQ(seen[0].fields, expected);
    EXPECT_TRUE(seen[0].timed);
    EXPECT_THAT(seen[1].fields, Contains(Pair("state", "active")));
    EXPECT_THAT(seen[1].fields, Contains(Pair("pci", "0000:4e:00.0")));
    EXPECT_EQ(seen[1].line, 28U);
    EXPECT_THAT(seen[2].fields, Contains(Pair("state", "inactive")));
    EXPECT_THAT(seen[4].fields, Contains(Pair("state", "err")));
    EXPECT_THAT(seen[4].fields, Contains(Pair("index", "1")));
    EXPECT_EQ(seen[5].fields, (std::map<std::string, std::string>{
                                  {"index", "1"}, {"pci", "0000:5f:00.0"}, {"link", "4"}, {"state", "active"}}));
}

TEST(NvidiaSmi, ABlockOfOneSelectedGpuIsNotCalledGpu0) {
    const auto seen = read(
        "Attached GPUs                             : 8\nGPU 00000000:5F:00.0\n"
        "    Product Name                          : NVIDIA H200\n");
    ASSERT_THAT(seen, SizeIs(1));
    EXPECT_EQ(seen[0].fields.count("index"), 0U);
    EXPECT_THAT(seen[0].fields, Contains(Pair("pci", "0000:5f:00.0")));
}

TEST(NvidiaSmi, ReadsLinksThatGrepLeft) {
    const auto seen = read(
        "        Link 0                            : Active\n        Link 1                            : Inactive\n",
        "nvidia-smi -q -d NVLINK | grep -i active");
    ASSERT_THAT(seen, SizeIs(2));
    EXPECT_EQ(seen[0].fields, (std::map<std::string, std::string>{{"link", "0"}, {"state", "active"}}));
    EXPECT_EQ(seen[1].text, "Link 1                            : Inactive");
}

TEST(NvidiaSmi, AnUnknownErrorInASectionIsNotALostGpu) {
    const auto seen = read(
        "GPU 00000000:5F:00.0\n    Product Name                          : NVIDIA H200\n    Fabric\n"
        "        State                             : Completed\n        Status                            : Unknown "
        "Error\n"
        "    GPU Reset Status\n        Reset Required                    : Requested functionality has been "
        "deprecated\n");
    ASSERT_THAT(seen, SizeIs(1));
    EXPECT_THAT(seen[0].fields, Contains(Pair("state", "ok")));
    EXPECT_THAT(seen[0].fields, Contains(Pair("fabric_status", "Unknown Error")));
    EXPECT_EQ(seen[0].fields.count("reset_required"), 0U);
}

TEST(NvidiaSmi, OldEccTotalsCount) {
    const auto seen = read(
        "GPU 00000000:5F:00.0\n    ECC Errors\n        Volatile\n            Single Bit            \n"
        "                Total             : 7\n            Double Bit            \n"
        "                Device Memory     : 2\n                Total             : 2\n");
    ASSERT_THAT(seen, SizeIs(1));
    EXPECT_THAT(seen[0].fields, Contains(Pair("ecc_uncorrected", "2")));
}

TEST(NvidiaSmi, KeepsTheLinesInsteadOfATable) {
    for (const std::string line :
         {"Unable to determine the device handle for GPU0000:4E:00.0: Unknown Error",
          "Unable to determine the device handle for GPU 0000:4E:00.0: GPU is lost.  Reboot the system to recover this "
          "GPU",
          "No devices were found", "Failed to initialize NVML: Driver/library version mismatch",
          "NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver.",
          "NVML: Unable to retrieve NVLink information as all links are inActive"}) {
        const auto seen = read(line + "\n");
        ASSERT_THAT(seen, SizeIs(1)) << line;
        EXPECT_EQ(seen[0].type, RecordType::smi_line);
        EXPECT_EQ(seen[0].text, line);
        EXPECT_GE(nvidia_smi_kind().recognise({line, {}}), 80) << line;
    }
}

TEST(NvidiaSmi, ReadsCsvWithAndWithoutHeader) {
    const auto seen = read(
        "index, name, pci.bus_id, temperature.gpu, memory.used [MiB]\n"
        "0, NVIDIA H200, 00000000:4E:00.0, 33, 1 MiB\n1, [Unknown Error], 00000000:5F:00.0, [N/A], [N/A]\n");
    ASSERT_THAT(seen, SizeIs(2));
    EXPECT_THAT(seen[0].fields, Contains(Pair("temperature", "33")));
    EXPECT_THAT(seen[1].fields, Contains(Pair("state", "err")));
    const auto bare = read("1, Reset\n", "nvidia-smi --query-gpu=index,gpu_recovery_action --format=csv,noheader");
    ASSERT_THAT(bare, SizeIs(1));
    EXPECT_THAT(bare[0].fields, Contains(Pair("recovery_action", "Reset")));
}

TEST(NvidiaSmi, ATranscriptThatNobodySplitIsStillRead) {
    const auto seen = read(
        "$ nvidia-smi -L\nGPU 0: NVIDIA A40 (UUID: GPU-11111111-2222-3333-4444-555555555555)\n"
        "$ sudo nvidia-smi nvlink -s\nNVML: Unable to retrieve NVLink information as all links are inActive\n");
    ASSERT_THAT(seen, SizeIs(2));
    EXPECT_EQ(seen[1].fields.count("index"), 0U);
}

TEST(NvidiaSmi, RecognisesByCommandOrContent) {
    const auto recognise = nvidia_smi_kind().recognise;
    EXPECT_GE(recognise({"x\n", "sudo nvidia-smi -q -d NVLINK | grep Active"}), 90);
    EXPECT_GE(recognise({kTable, {}}), 90);
    EXPECT_GE(recognise({kQuery, {}}), 90);
    EXPECT_GE(recognise({"        Link 0                            : Active\n", {}}), 50);
    EXPECT_GE(recognise({kTable, "cat smi.txt"}), 90);
    EXPECT_EQ(recognise({"[  12.3] NVRM: loading\nsomebody says: Failed to initialize NVML: x\n", {}}), 0);
    EXPECT_EQ(recognise({"", "dmesg | grep nvidia-smi"}), 0);
    EXPECT_EQ(recognise({"Link 0: is Up\n", {}}), 0);
}

TEST(NvidiaSmi, SurvivesTruncationAtEveryByte) {
    for (std::size_t length = 0; length <= kQuery.size(); ++length)
        EXPECT_LE(read(kQuery.substr(0, length)).size(), 8U);
    for (std::size_t length = 0; length <= kTable.size(); length += 3)
        EXPECT_LE(read(kTable.substr(0, length)).size(), 3U);
}

TEST(NvidiaSmi, SurvivesHostileInput) {
    EXPECT_THAT(read(""), IsEmpty());
    EXPECT_THAT(read("||||\n|\n| | | |\n|   0  | 00000000:4E:00.0 | |\n+-\n"), IsEmpty());
    std::string deep = "GPU 00000000:5F:00.0\n";
    for (std::size_t i = 1; i < 2000; ++i) deep += std::string(i, ' ') + "Section\n";
    deep +=
        "  Link 99999999999999999999 : Active\n  ECC Errors\n   Volatile\n    DRAM Uncorrectable : "
        "18446744073709551615\n"
        "    SRAM Uncorrectable : 18446744073709551615\n";
    EXPECT_THAT(read(deep), SizeIs(1));
    std::string links = "GPU 00000000:5F:00.0\n";
    for (int i = 0; i < 70000; ++i) links += "  Link 1 : Active\n";
    EXPECT_GE(read(links).size(), 64U * 1024U);
    EXPECT_THAT(read("\xff\xfe\xfd\n"), SizeIs(1));
}

}  // namespace
}  // namespace gpumedic::evidence
