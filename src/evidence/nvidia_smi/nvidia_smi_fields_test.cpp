// The fields that a long listing gives, in each of its forms.
#include <gmock/gmock.h>

#include "evidence/nvidia_smi/nvidia_smi_test_reading.h"

namespace gpumedic::evidence {
namespace {

using model::RecordType;
using ::testing::Contains;
using ::testing::Key;
using ::testing::Not;
using ::testing::SizeIs;
using testing_nvidia_smi::read;
using Fields = std::map<std::string, std::string>;

/// A worn Turing card that runs too hot, as R550 shows it.
constexpr std::string_view kTuring = R"(==============NVSMI LOG==============

Timestamp                                 : Fri May  8 04:31:07 2026
Driver Version                            : 550.90.12
CUDA Version                              : 12.4

Attached GPUs                             : 1
GPU 00000000:D8:00.0
    Product Name                          : Quadro RTX 8000
    Persistence Mode                      : Enabled
    MIG Mode
        Current                           : N/A
        Pending                           : N/A
    GPU UUID                              : GPU-0a0b0c0d-1111-2222-3333-00000000d800
    GPU Virtualization Mode
        Virtualization Mode               : None
        Host VGPU Mode                    : N/A
    vGPU Software Licensed Product
        Product Name                      : NVIDIA RTX Virtual Workstation
        License Status                    : Unlicensed (Restricted)
    GPU Reset Status
        Reset Required                    : No
        Drain and Reset Recommended       : Yes
    PCI
        Bus                               : 0xD8
        GPU Link Info
            PCIe Generation
                Max                       : 3
                Current                   : 1
                Device Current            : 1
                Device Max                : 3
                Host Max                  : 3
            Link Width
                Max                       : 16x
                Current                   : 8x
        Replays Since Reset               : 12
        Replay Number Rollovers           : 1
    Performance State                     : P2
    Clocks Event Reasons
        Idle                              : Not Active
        Applications Clocks Setting       : Not Active
        SW Power Cap                      : Active
        HW Slowdown                       : Active
            HW Thermal Slowdown           : Active
            HW Power Brake Slowdown       : Not Active
        SW Thermal Slowdown               : Active
    Utilization
        Gpu                               : 98 %
        Memory                            : 61 %
    ECC Mode
        Current                           : Enabled
        Pending                           : Enabled
    ECC Errors
        Volatile
            Single Bit
                Device Memory             : 7
                Total                     : 7
            Double Bit
                Device Memory             : 1
                Total                     : 1
        Aggregate
            Single Bit
                Total                     : 90
            Double Bit
                Total                     : 6
    Retired Pages
        Single Bit ECC                    : 3
        Double Bit ECC                    : 4
        Pending Page Blacklist            : Yes
    Remapped Rows                         : N/A
    Temperature
        GPU Current Temp                  : 94 C
        GPU T.Limit Temp                  : N/A
        GPU Shutdown Temp                 : 96 C
        GPU Slowdown Temp                 : 93 C
        Memory Current Temp               : N/A
)";

TEST(NvidiaSmiFields, OfATuringListing) {
    const auto seen = read(kTuring);
    ASSERT_THAT(seen, SizeIs(1));
    EXPECT_EQ(seen[0].fields, (Fields{{"index", "0"},
                                      {"uuid", "GPU-0a0b0c0d-1111-2222-3333-00000000d800"},
                                      {"pci", "0000:d8:00.0"},
                                      {"name", "Quadro RTX 8000"},
                                      {"temperature", "94"},
                                      {"ecc_uncorrected", "1"},
                                      {"ecc_uncorrected_aggregate", "6"},
                                      {"ecc_corrected", "7"},
                                      {"state", "ok"},
                                      {"driver", "550.90.12"},
                                      {"persistence", "Enabled"},
                                      {"virtualization", "None"},
                                      {"license", "Unlicensed (Restricted)"},
                                      {"reset_required", "No"},
                                      {"reset_recommended", "Yes"},
                                      {"pcie_gen", "1"},
                                      {"pcie_gen_max", "3"},
                                      {"pcie_width", "8"},
                                      {"pcie_width_max", "16"},
                                      {"pcie_replays", "12"},
                                      {"pcie_replay_rollovers", "1"},
                                      {"pstate", "P2"},
                                      {"clocks_idle", "Not Active"},
                                      {"sw_power_cap", "Active"},
                                      {"hw_slowdown", "Active"},
                                      {"hw_thermal_slowdown", "Active"},
                                      {"hw_power_brake", "Not Active"},
                                      {"sw_thermal_slowdown", "Active"},
                                      {"utilization", "98"},
                                      {"ecc_mode", "Enabled"},
                                      {"retired_sbe", "3"},
                                      {"retired_dbe", "4"},
                                      {"retired_pending", "Yes"},
                                      {"temp_shutdown", "96"},
                                      {"temp_slowdown", "93"},
                                      {"slowdown_margin", "-1"}}));
}

/// A Hopper GPU without a spare row in one bank and with a bad route, in the wide columns of R580.
constexpr std::string_view kHopper =
    R"(GPU 00000000:9C:00.0
    Product Name                                       : NVIDIA H200
    MIG Mode
        Current                                        : Disabled
        Pending                                        : Disabled
    MIG Device
        Index                                          : 0
        ECC Errors
            Volatile
                SRAM Uncorrectable                     : 40
    Clocks Event Reasons
        Idle                                           : Active
        HW Slowdown                                    : Not Active
            HW Thermal Slowdown                        : Not Active
            HW Power Brake Slowdown                    : Not Active
        SW Thermal Slowdown                            : Not Active
    Clocks Event Reasons Counters
        SW Power Capping                               : 38610 us
        HW Thermal Slowdown                            : 900 us
    ECC Errors
        Volatile
            SRAM Correctable                           : 2
            SRAM Uncorrectable Parity                  : 0
            SRAM Uncorrectable SEC-DED                 : 0
            DRAM Correctable                           : 5
            DRAM Uncorrectable                         : 0
        Aggregate
            SRAM Uncorrectable Parity                  : 0
            SRAM Uncorrectable SEC-DED                 : 3
            DRAM Uncorrectable                         : 8
            SRAM Threshold Exceeded                    : Yes
        Channel Repair Pending                         : Yes
        TPC Repair Pending                             : No
        Unrepairable Memory                            : No
    Remapped Rows
        Correctable Error                              : 1
        Uncorrectable Error                            : 8
        Pending                                        : No
        Remapping Failure Occurred                     : No
        Bank Remap Availability Histogram
            Max                                        : 2550 bank(s)
            High                                       : 8 bank(s)
            Partial                                    : 0 bank(s)
            Low                                        : 1 bank(s)
            None                                       : 1 bank(s)
    Temperature
        GPU Current Temp                               : 61 C
        GPU T.Limit Temp                               : 24 C
        GPU Shutdown T.Limit Temp                      : -8 C
        GPU Slowdown T.Limit Temp                      : -2 C
        Memory Current Temp                            : 70 C
    Fabric
        State                                          : Completed
        Status                                         : Success
        CliqueId                                       : 4
        ClusterUUID                                    : 11112222-3333-4444-5555-666677778888
        Health
            Summary                                    : Unhealthy
            Bandwidth                                  : Degraded
            Route Recovery in progress                 : False
            Route Unhealthy                            : True
            Access Timeout Recovery                    : False
            Incorrect Configuration                    : None
)";

TEST(NvidiaSmiFields, OfAHopperListing) {
    const auto seen = read(kHopper, "nvidia-smi -q -i 5");
    ASSERT_THAT(seen, SizeIs(1));
    EXPECT_EQ(seen[0].fields, (Fields{{"pci", "0000:9c:00.0"},
                                      {"name", "NVIDIA H200"},
                                      {"temperature", "61"},
                                      {"ecc_uncorrected", "0"},
                                      {"ecc_uncorrected_aggregate", "11"},
                                      {"ecc_corrected", "7"},
                                      {"state", "ok"},
                                      {"mig_mode", "Disabled"},
                                      {"clocks_idle", "Active"},
                                      {"hw_slowdown", "Not Active"},
                                      {"hw_thermal_slowdown", "Not Active"},
                                      {"hw_power_brake", "Not Active"},
                                      {"sw_thermal_slowdown", "Not Active"},
                                      {"sram_threshold_exceeded", "Yes"},
                                      {"channel_repair_pending", "Yes"},
                                      {"tpc_repair_pending", "No"},
                                      {"unrepairable_memory", "No"},
                                      {"remap_corrected", "1"},
                                      {"remap_uncorrected", "8"},
                                      {"remap_pending", "No"},
                                      {"remap_failed", "No"},
                                      {"banks_max", "2550"},
                                      {"banks_high", "8"},
                                      {"banks_partial", "0"},
                                      {"banks_low", "1"},
                                      {"banks_none", "1"},
                                      {"temp_headroom", "24"},
                                      {"headroom_shutdown", "-8"},
                                      {"headroom_slowdown", "-2"},
                                      {"slowdown_margin", "26"},
                                      {"memory_temperature", "70"},
                                      {"fabric_state", "Completed"},
                                      {"fabric_status", "Success"},
                                      {"clique", "4"},
                                      {"cluster_uuid", "11112222-3333-4444-5555-666677778888"},
                                      {"fabric_health", "Unhealthy"},
                                      {"fabric_bandwidth", "Degraded"},
                                      {"route_recovery", "False"},
                                      {"route_unhealthy", "True"},
                                      {"access_timeout_recovery", "False"},
                                      {"fabric_misconfigured", "None"}}));
}

constexpr std::string_view kXml = R"(<nvidia_smi_log>
<gpu id="00000000:9C:00.0">
  <product_name>NVIDIA A30-24C</product_name>
  <vgpu_software_licensed_product><license_status>Unlicensed (Unrestricted)</license_status></vgpu_software_licensed_product>
  <pci>
    <pci_gpu_link_info>
      <pcie_gen><max_link_gen>4</max_link_gen><current_link_gen>4</current_link_gen></pcie_gen>
      <link_widths><max_link_width>16x</max_link_width><current_link_width>4x</current_link_width></link_widths>
    </pci_gpu_link_info>
    <replay_counter>3</replay_counter>
  </pci>
  <performance_state>P0</performance_state>
  <clocks_throttle_reasons>
    <clocks_throttle_reason_gpu_idle>Not Active</clocks_throttle_reason_gpu_idle>
    <clocks_throttle_reason_hw_power_brake_slowdown>Active
    </clocks_throttle_reason_hw_power_brake_slowdown>
  </clocks_throttle_reasons>
  <utilization><gpu_util>77 %</gpu_util></utilization>
  <ecc_errors>
    <volatile><sram_correctable>1</sram_correctable><dram_correctable>4</dram_correctable></volatile>
    <aggregate><dram_uncorrectable>2</dram_uncorrectable><sram_threshold_exceeded>No</sram_threshold_exceeded></aggregate>
  </ecc_errors>
  <retired_pages>
    <double_bit_retirement><retired_count>2</retired_count></double_bit_retirement>
    <pending_retirement>Yes</pending_retirement>
  </retired_pages>
  <remapped_rows><row_remapper_histogram>
    <row_remapper_histogram_none>2 bank(s)</row_remapper_histogram_none>
  </row_remapper_histogram></remapped_rows>
  <temperature><gpu_temp>90 C</gpu_temp><gpu_temp_slow_threshold>90 C</gpu_temp_slow_threshold></temperature>
  <fabric><cliqueId>7</cliqueId><health><summary>Unhealthy</summary><route_unhealthy>True</route_unhealthy></health></fabric>
</gpu>
</nvidia_smi_log>
)";

TEST(NvidiaSmiFields, OfXml) {
    const auto seen = read(kXml);
    ASSERT_THAT(seen, SizeIs(1));
    EXPECT_EQ(seen[0].fields, (Fields{{"pci", "0000:9c:00.0"},
                                      {"name", "NVIDIA A30-24C"},
                                      {"temperature", "90"},
                                      {"ecc_uncorrected_aggregate", "2"},
                                      {"ecc_corrected", "5"},
                                      {"state", "ok"},
                                      {"license", "Unlicensed (Unrestricted)"},
                                      {"pcie_gen", "4"},
                                      {"pcie_gen_max", "4"},
                                      {"pcie_width", "4"},
                                      {"pcie_width_max", "16"},
                                      {"pcie_replays", "3"},
                                      {"pstate", "P0"},
                                      {"clocks_idle", "Not Active"},
                                      {"hw_power_brake", "Active"},
                                      {"utilization", "77"},
                                      {"sram_threshold_exceeded", "No"},
                                      {"retired_dbe", "2"},
                                      {"retired_pending", "Yes"},
                                      {"banks_none", "2"},
                                      {"temp_slowdown", "90"},
                                      {"slowdown_margin", "0"},
                                      {"clique", "7"},
                                      {"fabric_health", "Unhealthy"},
                                      {"route_unhealthy", "True"}}));
}

TEST(NvidiaSmiFields, OfCsvWithUnitsAndCapitals) {
    const auto seen = read(
        "index, name, pcie.link.width.current, pcie.link.width.max, clocks_throttle_reasons.hw_thermal_slowdown, "
        "remapped_rows.failure, remapped_rows.histogram.none, fabric.cliqueId, temperature.gpu.tlimit\n"
        "0, NVIDIA L40S, 16, 16, Not Active, No, 0, 3, 50\n"
        "1, NVIDIA L40S, 4, 16, Active, Yes, 6, 3, [N/A]\n");
    ASSERT_THAT(seen, SizeIs(2));
    EXPECT_THAT(seen[0].fields, Not(Contains(Key("lanes_below_peers"))));
    EXPECT_EQ(seen[1].fields, (Fields{{"index", "1"},
                                      {"name", "NVIDIA L40S"},
                                      {"state", "ok"},
                                      {"pcie_width", "4"},
                                      {"pcie_width_max", "16"},
                                      {"lanes_below_peers", "12"},
                                      {"hw_thermal_slowdown", "Active"},
                                      {"remap_failed", "Yes"},
                                      {"banks_none", "6"},
                                      {"clique", "3"}}));
}

TEST(NvidiaSmiFields, LanesAreComparedAmongTheSameModelOnly) {
    const std::string columns = "index, name, pcie.link.width.current, pcie.link.width.max\n";
    for (const auto& gpu : read(columns + "0, NVIDIA A16, 8, 8\n1, NVIDIA A16, 8, 16\n2, NVIDIA A2, 16, 16\n"))
        EXPECT_THAT(gpu.fields, Not(Contains(Key("lanes_below_peers"))));
}

TEST(NvidiaSmiFields, ATellingPairThatLostItsGpuIsALine) {
    const auto seen = read(
        "            HW Thermal Slowdown           : Active\n        Pending Page Blacklist            : Yes\n"
        "        Max Customer Boost                : N/A\n",
        "nvidia-smi -q | grep -iE 'slowdown|pending page|boost'");
    ASSERT_THAT(seen, SizeIs(2));
    EXPECT_EQ(seen[0].type, RecordType::smi_line);
    EXPECT_EQ(seen[1].text, "Pending Page Blacklist            : Yes");
}

TEST(NvidiaSmiFields, WhatHasNoValueGivesNoField) {
    const auto seen = read(
        "GPU 00000000:9C:00.0\n    Clocks Throttle Reasons           : N/A\n        HW Slowdown : maybe\n"
        "    Temperature\n        GPU T.Limit Temp : -\n        GPU Slowdown Temp : Unknown Error\n"
        "    Link Width\n        Current : x16\n        Max : 99999999999999999999999999x\n"
        "    ECC Errors\n        Volatile\n            DRAM Correctable : -1\n");
    ASSERT_THAT(seen, SizeIs(1));
    EXPECT_EQ(seen[0].fields, (Fields{{"pci", "0000:9c:00.0"}, {"state", "ok"}}));
}

TEST(NvidiaSmiFields, SurviveTruncationAtEveryByte) {
    for (const auto whole : {kTuring, kHopper})
        for (std::size_t length = 0; length <= whole.size(); ++length)
            EXPECT_LE(read(whole.substr(0, length)).size(), 2U) << length;
}

}  // namespace
}  // namespace gpumedic::evidence
