#include "evidence/lspci/lspci_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "base/text.h"

namespace gpumedic::evidence {
namespace {

using ::testing::Contains;
using ::testing::IsEmpty;
using ::testing::Pair;
using ::testing::SizeIs;

struct Seen {
    model::RecordType type{};
    std::uint64_t line{};
    std::string text;
    std::map<std::string, std::string> fields;
};

std::vector<Seen> read(std::string_view text, const std::string& command = {}) {
    std::vector<Seen> seen;
    const auto reader = lspci_kind().make({"lspci.txt", command, {}}, [&](const model::Record& record) {
        Seen one{record.type, record.line, std::string(record.text), {}};
        for (const auto& field : record.fields) {
            EXPECT_FALSE(field.value.empty()) << field.key;
            one.fields.emplace(field.key, field.value);
        }
        seen.push_back(std::move(one));
    });
    std::uint64_t number = 0;
    for (const auto line : base::split(text, '\n')) reader->line(line, ++number);
    reader->finish();
    EXPECT_EQ(reader->stats().records, seen.size());
    return seen;
}

constexpr std::string_view kHealthy =
    "0000:4a:00.0 3D controller [0302]: NVIDIA Corporation GH100 [H100 SXM5 80GB] [10de:2330] (rev a1)\n"
    "\tSubsystem: NVIDIA Corporation Device [10de:16c1]\n"
    "\tIOMMU group: 77\n"
    "\tRegion 0: Memory at 210042000000 (64-bit, prefetchable) [size=16M]\n"
    "\tCapabilities: [40] Power Management version 3\n"
    "\t\tLnkCap:\tPort #0, Speed 32GT/s, Width x16, ASPM L1, Exit Latency L1 <4us\n"
    "\t\tLnkSta:\tSpeed 16GT/s (downgraded), Width x8 (downgraded)\n"
    "\tKernel driver in use: vfio-pci\n"
    "\tKernel modules: nvidiafb, nouveau\n";

TEST(Lspci, ReadsAHealthyGpuInFull) {
    const auto seen = read(kHealthy);
    ASSERT_THAT(seen, SizeIs(1));
    const std::map<std::string, std::string> expected{{"pci", "0000:4a:00.0"},
                                                      {"class", "0302"},
                                                      {"vendor", "10de"},
                                                      {"device", "2330"},
                                                      {"nvidia", "yes"},
                                                      {"kind", "gpu"},
                                                      {"rev", "a1"},
                                                      {"config", "answers"},
                                                      {"driver", "vfio-pci"},
                                                      {"lnkcap_speed", "32GT/s"},
                                                      {"lnkcap_width", "16"},
                                                      {"lnksta_speed", "16GT/s"},
                                                      {"lnksta_width", "8"},
                                                      {"iommu_group", "77"},
                                                      {"vendor_name", "NVIDIA Corporation"}};
    EXPECT_EQ(seen[0].fields, expected);
    EXPECT_EQ(seen[0].line, 1U);
    EXPECT_TRUE(seen[0].text.starts_with("0000:4a:00.0 3D controller"));
}

TEST(Lspci, DeadDeviceShowsAllOnesInEveryForm) {
    for (const auto* text :
         {"07:00.0 VGA compatible controller: NVIDIA Corporation GA104 (rev ff)\n",
          "07:00.0 3D controller: NVIDIA Corporation Device 2330 (rev a1)\n\t!!! Unknown header type 7f\n"
          "\tRegion 0: Memory at 81500000 (32-bit) [size=16K]\n",
          "07:00.0 3D controller: NVIDIA Corporation Device 2330 (rev a1)\n"
          "00: ff ff ff ff ff ff ff ff ff ff ff ff ff ff ff ff\n"
          "10: ff ff ff ff ff ff ff ff ff ff ff ff ff ff ff ff\n"}) {
        const auto seen = read(text);
        ASSERT_THAT(seen, SizeIs(1)) << text;
        EXPECT_THAT(seen[0].fields, Contains(Pair("config", "all_ones"))) << text;
        EXPECT_THAT(seen[0].fields, Contains(Pair("pci", "0000:07:00.0"))) << text;
    }
}

TEST(Lspci, AShortListingSaysNothingOfTheConfigSpace) {
    const auto seen = read(
        "07:00.0 3D controller: NVIDIA Corporation Device 2330 (rev a1)\n"
        "08:00.0 3D controller: NVIDIA Corporation Device 2330 (rev a1)\n\tCapabilities: <access denied>\n");
    ASSERT_THAT(seen, SizeIs(2));
    EXPECT_EQ(seen[0].fields.count("config"), 0U);
    EXPECT_EQ(seen[1].fields.count("config"), 0U);
}

TEST(Lspci, AHexDumpWithBytesAnswers) {
    const auto seen = read(
        "07:00.0 3D controller: NVIDIA Corporation Device 2330 (rev a1)\n"
        "00: de 10 30 23 06 04 10 00 a1 00 02 03 00 00 80 00\n");
    ASSERT_THAT(seen, SizeIs(1));
    EXPECT_THAT(seen[0].fields, Contains(Pair("config", "answers")));
    EXPECT_THAT(seen[0].fields, Contains(Pair("header_type", "80")));
}

TEST(Lspci, FunctionsOfACardNameTheDriverOfFunction0) {
    const auto seen = read(
        "07:00.1 Audio device [0403]: NVIDIA Corporation GA104 High Definition Audio [10de:228b] (rev a1)\n"
        "\tKernel driver in use: snd_hda_intel\n"
        "07:00.0 VGA compatible controller [0300]: NVIDIA Corporation GA104 [GeForce] [10de:2484] (rev a1)\n"
        "\tKernel driver in use: vfio-pci\n"
        "08:00.1 Audio device [0403]: NVIDIA Corporation GA104 High Definition Audio [10de:228b] (rev a1)\n");
    ASSERT_THAT(seen, SizeIs(3));
    EXPECT_THAT(seen[0].fields, Contains(Pair("function0_driver", "vfio-pci")));
    EXPECT_THAT(seen[0].fields, Contains(Pair("kind", "audio")));
    EXPECT_EQ(seen[1].fields.count("function0_driver"), 0U);
    EXPECT_EQ(seen[2].fields.count("function0_driver"), 0U);
}

TEST(Lspci, KindsFollowFromWordsOrNumbers) {
    const auto seen = read(
        "0005:00:00.0 Bridge [0680]: NVIDIA Corporation Device [10de:22a3] (rev a1)\n"
        "83:00.0 Bridge: NVIDIA Corporation Device 22a3 (rev a1)\n"
        "00:01.0 PCI bridge: NVIDIA Corporation Device 22b2\n"
        "07:00.2 USB controller: NVIDIA Corporation TU102 USB 3.1 Host Controller (rev a1)\n"
        "07:00.3 Serial bus controller [0c80]: NVIDIA Corporation TU102 USB Type-C UCSI Controller (rev a1)\n"
        "09:00.0 0302: 10de:20b2 (rev a1)\n"
        "00:1f.0 Bridge: Advanced Micro Devices, Inc. [AMD] FCH\n");
    ASSERT_THAT(seen, SizeIs(7));
    const std::vector<std::string> kinds{"nvswitch", "nvswitch", "bridge", "usb", "other", "gpu", "bridge"};
    for (std::size_t i = 0; i < kinds.size(); ++i) EXPECT_EQ(seen[i].fields.at("kind"), kinds[i]) << i;
    EXPECT_THAT(seen[0].fields, Contains(Pair("pci", "0005:00:00.0")));
    EXPECT_EQ(seen[1].fields.count("class"), 0U);
    EXPECT_THAT(seen[5].fields, Contains(Pair("device", "20b2")));
    EXPECT_THAT(seen[5].fields, Contains(Pair("nvidia", "yes")));
    EXPECT_THAT(seen[6].fields, Contains(Pair("vendor_name", "Advanced Micro Devices, Inc.")));
    EXPECT_EQ(seen[6].fields.count("nvidia"), 0U);
}

TEST(Lspci, SetpciAnswersCarryTheRegisterOfTheCommand) {
    const auto seen = read("FF\nffff\n", "sudo setpci -s 07:00.0 header_type COMMAND.w");
    ASSERT_THAT(seen, SizeIs(2));
    EXPECT_EQ(seen[0].type, model::RecordType::pci_register);
    EXPECT_EQ(seen[0].fields, (std::map<std::string, std::string>{
                                  {"pci", "0000:07:00.0"}, {"register", "HEADER_TYPE"}, {"value", "ff"}}));
    EXPECT_EQ(seen[1].fields.at("register"), "COMMAND.W");
    EXPECT_EQ(read("setpci: Warning: No devices selected\n", "setpci -s 07:00.0 0e.b").at(0).type,
              model::RecordType::text);
}

TEST(Lspci, LinesCutByGrepBelongToTheDeviceOfTheCommand) {
    const auto seen = read("\t\tLnkCap:\tPort #17, Speed 8GT/s, Width x2\n\t\tLnkSta:\tSpeed 2.5GT/s, Width x2\n",
                           "sudo lspci -vv -s 00:1b.0 | grep -E 'LnkCap|LnkSta'");
    ASSERT_THAT(seen, SizeIs(1));
    EXPECT_THAT(seen[0].fields, Contains(Pair("pci", "0000:00:1b.0")));
    EXPECT_THAT(seen[0].fields, Contains(Pair("lnkcap_speed", "8GT/s")));
    EXPECT_THAT(seen[0].fields, Contains(Pair("lnksta_speed", "2.5GT/s")));
}

TEST(Lspci, NamesRegionsWithoutAnAddress) {
    const auto seen = read(
        "\tRegion 0: Memory at fc000000 (32-bit) [size=16M]\n\tRegion 1: Memory at <unassigned> (64-bit, "
        "prefetchable)\n",
        "lspci -vvv -s 07:00.0 | grep Region");
    ASSERT_THAT(seen, SizeIs(1));
    EXPECT_THAT(seen[0].fields, Contains(Pair("unassigned_regions", "1")));
}

TEST(Lspci, ATranscriptThatNobodySplitIsStillRead) {
    const auto seen = read(
        "$ sudo lspci -nnvv -s 07:00.0\n"
        "07:00.0 VGA compatible controller [0300]: NVIDIA Corporation GA102 [10de:2204] (rev ff) (prog-if ff)\n"
        "\t!!! Unknown header type 7f\n\n$ sudo setpci -s 07:00.0 HEADER_TYPE\nff\n");
    ASSERT_THAT(seen, SizeIs(2));
    EXPECT_THAT(seen[0].fields, Contains(Pair("header_type", "7f")));
    EXPECT_THAT(seen[1].fields, Contains(Pair("value", "ff")));
}

TEST(Lspci, LinesOfNoDeviceAreKeptAsText) {
    const auto seen = read("pcilib: Cannot open /proc/bus/pci\n");
    ASSERT_THAT(seen, SizeIs(1));
    EXPECT_EQ(seen[0].type, model::RecordType::text);
}

TEST(Lspci, RecognisesByCommandOrContent) {
    const auto recognise = lspci_kind().recognise;
    EXPECT_GE(recognise({"ff\n", "sudo setpci -s 07:00.0 HEADER_TYPE"}), 90);
    EXPECT_GE(recognise({kHealthy, {}}), 80);
    EXPECT_GE(recognise({"\t!!! Unknown header type 7f\n", {}}), 30);
    EXPECT_EQ(recognise({"Oct 10 22:25:01 node kernel: pci 0000:07:00.0: enabling device\n", {}}), 0);
    EXPECT_EQ(recognise({"0000:07:00.0: Unable to change power state\n", {}}), 0);
    EXPECT_EQ(recognise({"", {}}), 0);
    EXPECT_EQ(recognise({"x\n", "cat lspci.txt"}), 0);
}

TEST(Lspci, SurvivesTruncationAtEveryByte) {
    for (std::size_t length = 0; length <= kHealthy.size(); ++length) {
        const auto seen = read(kHealthy.substr(0, length));
        EXPECT_LE(seen.size(), 1U) << length;
    }
}

TEST(Lspci, SurvivesHostileInput) {
    EXPECT_THAT(read(""), IsEmpty());
    EXPECT_THAT(read(std::string(200000, '[')), SizeIs(1));
    const auto seen = read(
        "07:00.0 : (rev \n07:00.0 [[[[: ]]]][:] (rev\n\xff\xfe: \xff\n07:00.0 A: [10de: (rev a1\n\tLnkSta: Width x\n");
    for (const auto& one : seen) EXPECT_EQ(one.fields.count("config"), 0U);
    EXPECT_THAT(read("07:00.0 3D controller: " + std::string(250000, '[') + "\n"), SizeIs(1));
    std::string many;
    for (int i = 0; i < 40000; ++i) many += "07:00.0 3D controller: NVIDIA Corporation Device 2330 (rev ff)\n";
    EXPECT_THAT(read(many), SizeIs(40000));
}

}  // namespace
}  // namespace gpumedic::evidence
