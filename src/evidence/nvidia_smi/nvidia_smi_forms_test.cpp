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
using Fields = std::map<std::string, std::string>;

constexpr std::string_view kXml = R"(<?xml version="1.0" ?>
<!DOCTYPE nvidia_smi_log SYSTEM "nvsmi_device_v12.dtd">
<nvidia_smi_log>
	<timestamp>Tue Mar  4 09:12:44 2025</timestamp>
	<driver_version>550.54.15</driver_version>
	<attached_gpus>2</attached_gpus>
	<gpu id="00000000:4E:00.0">
		<product_name>NVIDIA H200</product_name>
		<mig_devices>
			<mig_device>
				<ecc_error_count>
					<volatile_count>
						<sram_uncorrectable>7</sram_uncorrectable>
					</volatile_count>
				</ecc_error_count>
			</mig_device>
		</mig_devices>
		<serial>1650000000001</serial>
		<uuid>GPU-11111111-2222-3333-4444-555555555555</uuid>
		<gpu_virtualization_mode>
			<virtualization_mode>Pass-Through</virtualization_mode>
		</gpu_virtualization_mode>
		<gpu_recovery_action>Reset</gpu_recovery_action>
		<ecc_errors>
			<volatile>
				<sram_uncorrectable_parity>1</sram_uncorrectable_parity>
				<dram_uncorrectable>2</dram_uncorrectable>
			</volatile>
			<aggregate>
				<dram_uncorrectable>40</dram_uncorrectable>
			</aggregate>
		</ecc_errors>
		<remapped_rows>
			<remapped_row_unc>1</remapped_row_unc>
			<remapped_row_pending>Yes</remapped_row_pending>
			<remapped_row_failure>N/A</remapped_row_failure>
		</remapped_rows>
		<temperature>
			<gpu_temp> 33 C </gpu_temp>
		</temperature>
		<fabric>
			<state>Completed</state>
			<status>Success</status>
		</fabric>
		<nvlink>
			<link id="0"><state>Active</state></link>
			<link id="1"><state>Inactive</state></link>
		</nvlink>
		<processes>
		</processes>
	</gpu>
	<gpu id="00000000:5F:00.0">
		<product_name>Unknown Error</product_name>
		<ecc_errors><volatile><double_bit><total>2</total></double_bit></volatile></ecc_errors>
	</gpu>
</nvidia_smi_log>
)";

TEST(NvidiaSmiXml, ReadsWhatTheListingShows) {
    const auto seen = read(kXml, "nvidia-smi -q -x");
    ASSERT_THAT(seen, SizeIs(5));
    EXPECT_EQ(seen[0].fields, (Fields{{"index", "0"},
                                      {"uuid", "GPU-11111111-2222-3333-4444-555555555555"},
                                      {"pci", "0000:4e:00.0"},
                                      {"name", "NVIDIA H200"},
                                      {"temperature", "33"},
                                      {"ecc_uncorrected", "3"},
                                      {"ecc_uncorrected_aggregate", "40"},
                                      {"state", "ok"},
                                      {"driver", "550.54.15"},
                                      {"serial", "1650000000001"},
                                      {"virtualization", "Pass-Through"},
                                      {"recovery_action", "Reset"},
                                      {"remap_uncorrected", "1"},
                                      {"remap_pending", "Yes"},
                                      {"fabric_state", "Completed"},
                                      {"fabric_status", "Success"}}));
    EXPECT_EQ(seen[0].line, 7U);
    EXPECT_TRUE(seen[0].timed);
    EXPECT_EQ(seen[1].type, RecordType::nvlink);
    EXPECT_THAT(seen[1].fields, Contains(Pair("state", "active")));
    EXPECT_THAT(seen[2].fields, Contains(Pair("link", "1")));
    EXPECT_THAT(seen[2].fields, Contains(Pair("state", "inactive")));
    EXPECT_EQ(seen[4].fields, (Fields{{"index", "1"},
                                      {"pci", "0000:5f:00.0"},
                                      {"ecc_uncorrected", "2"},
                                      {"state", "err"},
                                      {"driver", "550.54.15"}}));
}

TEST(NvidiaSmiXml, AListingOnOneLineAndTwoInARow) {
    const std::string one =
        R"(<nvidia_smi_log><attached_gpus>8</attached_gpus><gpu id="00000000:01:00.0"><product_name>T4</product_name></gpu></nvidia_smi_log>)";
    const auto seen = read(one + "\n" + one + "\nNo devices were found\n");
    ASSERT_THAT(seen, SizeIs(3));
    EXPECT_EQ(seen[1].fields, (Fields{{"pci", "0000:01:00.0"}, {"name", "T4"}, {"state", "ok"}}));
    EXPECT_EQ(seen[2].type, RecordType::smi_line);
}

TEST(NvidiaSmiXml, IsRecognised) {
    EXPECT_GE(nvidia_smi_kind().recognise({kXml, {}}), 90);
    EXPECT_EQ(nvidia_smi_kind().recognise({"<?xml version=\"1.0\"?>\n<domain type='kvm'>\n", {}}), 0);
}

TEST(NvidiaSmiXml, SurvivesTruncationAtEveryByte) {
    for (std::size_t length = 0; length <= kXml.size(); ++length)
        EXPECT_LE(read(kXml.substr(0, length)).size(), 5U) << length;
}

TEST(NvidiaSmiXml, SurvivesHostileInput) {
    EXPECT_THAT(read("<nvidia_smi_log>\n</></>< ><gpu></gpu><gpu id=\"x\"></gpu><<>>\n"), IsEmpty());
    std::string deep = "<nvidia_smi_log><gpu id=\"00000000:01:00.0\">";
    for (int i = 0; i < 5000; ++i) deep += "<a>";
    for (int i = 0; i < 5000; ++i) deep += "</b></a>";
    EXPECT_THAT(read(deep + std::string(100000, 'x') + "\n"), SizeIs(1));
    std::string many = "<nvidia_smi_log>\n";
    for (int i = 0; i < 3000; ++i) many += "<gpu id=\"00000000:01:00.0\"></gpu>\n";
    EXPECT_GE(read(many).size(), 1024U);
}

TEST(NvidiaSmi, LinksOfAGpuAreCounted) {
    const auto seen = read(
        "GPU 0: NVIDIA A800-SXM4-80GB (UUID: GPU-0b1c2d3e-4f50-6172-8394-a5b6c7d8e9f0)\n\t Link 0: 25 GB/s\n"
        "\t Link 1: <inactive>\nGPU 1: NVIDIA A800-SXM4-80GB (UUID: GPU-1b1c2d3e-4f50-6172-8394-a5b6c7d8e9f1)\n"
        "\t Link 0: <inactive>\n",
        "nvidia-smi nvlink -s");
    ASSERT_THAT(seen, SizeIs(7));
    EXPECT_EQ(seen[3].text, "1 of 2 NVLinks active");
    EXPECT_EQ(seen[3].line, 1U);
    EXPECT_EQ(seen[3].fields.at("name"), "NVIDIA A800-SXM4-80GB");
    EXPECT_EQ(seen[6].fields.at("active"), "0");
    EXPECT_EQ(seen[6].fields.at("index"), "1");
}

TEST(NvidiaSmi, TopologyTellsWhoReachesWhomOverNvlink) {
    const std::string matrix =
        "\tGPU0\tGPU1\tNIC0\tCPU Affinity\tNUMA Affinity\tGPU NUMA ID\nGPU0\t X \tNV18\tPIX\t0-63\t0\t\tN/A\n"
        "GPU1\tNV18\t X \tSYS\t64-127\t1\t\tN/A\nNIC0\tPIX\tSYS\t X \n\nLegend:\n\n  X    = Self\n"
        "  SYS  = Connection traversing PCIe as well as the SMP interconnect\n\nNIC Legend:\n\n  NIC0: mlx5_0\n\n";
    const auto seen = read(matrix, "nvidia-smi topo -m");
    ASSERT_THAT(seen, SizeIs(2));
    EXPECT_EQ(seen[1].fields, (Fields{{"index", "1"}, {"nvlink_peers", "1"}, {"most_nvlink_peers", "1"}}));
    EXPECT_EQ(seen[1].line, 3U);
    EXPECT_GE(nvidia_smi_kind().recognise({matrix, {}}), 90);
    EXPECT_THAT(read(matrix + "No devices were found\n"), SizeIs(3));
    // A matrix that was cut says nothing, and the cells of -p2p are no links.
    EXPECT_THAT(read(matrix.substr(0, matrix.find("GPU1\tNV18"))), IsEmpty());
    EXPECT_THAT(read(" \tGPU0\tGPU1\t\n GPU0\tX\tNS\t\n GPU1\tNS\tX\t\n"), IsEmpty());
    EXPECT_EQ(nvidia_smi_kind().recognise({"GPU0 is broken\n", {}}), 0);
}

TEST(NvidiaSmi, SectionsThatLostTheirGpuAreStillRead) {
    const std::string text =
        "    Fabric\n        State                             : Completed\n        Status                            "
        ": Success\n"
        "        Health\n            Bandwidth                     : N/A\n"
        "    Fabric\n        State                             : In Progress\n        Status                           "
        " : N/A\n";
    const auto seen = read(text);
    ASSERT_THAT(seen, SizeIs(2));
    EXPECT_EQ(seen[0].fields, (Fields{{"fabric_state", "Completed"}, {"fabric_status", "Success"}}));
    EXPECT_EQ(seen[1].fields, (Fields{{"fabric_state", "In Progress"}}));
    EXPECT_EQ(seen[1].line, 6U);
    EXPECT_GE(nvidia_smi_kind().recognise({text, {}}), 60);
    EXPECT_EQ(nvidia_smi_kind().recognise({"  Fabric\n  is a word\n", {}}), 0);
}

TEST(NvidiaSmi, RowsOfIndexAndRecoveryActionTellTheirColumns) {
    const std::string text = "0, None\n1, Drain and Reset\n2, None\n";
    const auto seen = read(text);
    ASSERT_THAT(seen, SizeIs(3));
    EXPECT_THAT(seen[1].fields, Contains(Pair("recovery_action", "Drain and Reset")));
    EXPECT_GE(nvidia_smi_kind().recognise({text, {}}), 60);
    EXPECT_EQ(nvidia_smi_kind().recognise({"0, None\n", {}}), 0);
    EXPECT_EQ(nvidia_smi_kind().recognise({"0, a\n1, b\n", {}}), 0);
}

TEST(NvidiaSmi, CountersAndCapabilitiesOfLinksAreNoStates) {
    const std::string counters =
        "GPU 0: NVIDIA H200\n\t Link 0: Replay Errors: 0\n\t Link 0: CRC Errors: 4\n\t Link 0, P2P is supported: "
        "true\n\t NVLE: disabled\n";
    const auto seen = read(counters);
    ASSERT_THAT(seen, SizeIs(1));
    EXPECT_EQ(seen[0].type, RecordType::smi_line);
    EXPECT_GE(nvidia_smi_kind().recognise({counters, {}}), 60);
}

TEST(NvidiaSmi, AnUnknownErrorInASideColumnIsNoLostGpu) {
    const auto seen = read(
        "index, name, pcie.link.gen.hostmax, temperature.gpu\n0, Tesla P40, [Unknown Error], 41\n"
        "1, Tesla P40, 3, [Unknown Error]\n2, Tesla P40, [GPU is lost], [GPU is lost]\n");
    ASSERT_THAT(seen, SizeIs(3));
    EXPECT_EQ(seen[0].fields.at("state"), "ok");
    EXPECT_EQ(seen[1].fields.at("state"), "err");
    EXPECT_EQ(seen[2].fields.at("state"), "err");
}

TEST(NvidiaSmi, RowsOfMigInstancesInTheTableAreNoGpus) {
    const auto seen = read(
        "| NVIDIA-SMI 580.95.05              Driver Version: 580.95.05      CUDA Version: 13.0     |\n"
        "|=========================================+========================+======================|\n"
        "|   0  NVIDIA A30                     On  |   00000000:65:00.0 Off |                   On |\n"
        "| N/A   36C    P0             31W /  165W |      26MiB /  24576MiB |     N/A      Default |\n"
        "|                                         |                        |              Enabled |\n"
        "+-----------------------------------------+------------------------+----------------------+\n"
        "| MIG devices:                                                                            |\n"
        "| GPU  GI  CI  MIG |              Shared Memory-Usage |        Vol|        Shared         |\n"
        "|==================+==================================+===========+=======================|\n"
        "|  0    3   0   0  |              13MiB /  5952MiB    | 14      0 |  1   0    0    0    0 |\n"
        "|                  |                 0MiB /  8191MiB  |           |                       |\n");
    ASSERT_THAT(seen, SizeIs(1));
    EXPECT_EQ(seen[0].fields, (Fields{{"index", "0"},
                                      {"pci", "0000:65:00.0"},
                                      {"name", "NVIDIA A30"},
                                      {"temperature", "36"},
                                      {"state", "ok"},
                                      {"driver", "580.95.05"}}));
}

TEST(NvidiaSmi, EveryLinkOfEveryGpuIsRead) {
    std::string listing;
    for (int gpu = 0; gpu < 4; ++gpu) {
        listing += "GPU " + std::to_string(gpu) + ": NVIDIA H800 (UUID: GPU-0000000" + std::to_string(gpu) +
                   "-4f50-6172-8394-a5b6c7d8e9f0)\n";
        for (int link = 0; link < 8; ++link)
            listing +=
                "\t Link " + std::to_string(link) + (gpu == 2 && link > 5 ? ": <inactive>\n" : ": 26.562 GB/s\n");
    }
    const auto seen = read(listing, "nvidia-smi nvlink --status");
    ASSERT_THAT(seen, SizeIs(4U * 10U));  // a GPU, its links, and their count
    for (std::size_t i = 0; i < seen.size(); ++i) EXPECT_EQ(seen[i].fields.at("index"), std::to_string(i / 10));
    EXPECT_EQ(seen[28].fields.at("state"), "inactive");
    EXPECT_EQ(seen[28].fields.at("link"), "7");
    EXPECT_EQ(seen[29].fields.at("active"), "6");
    EXPECT_EQ(seen[29].fields.at("links"), "8");
}

}  // namespace
}  // namespace gpumedic::evidence
