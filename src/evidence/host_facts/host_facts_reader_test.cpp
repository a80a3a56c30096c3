#include "evidence/host_facts/host_facts_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "base/text.h"

namespace gpumedic::evidence {
namespace {

using model::RecordType;
using ::testing::Each;
using ::testing::Field;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using Fields = std::map<std::string, std::string>;

struct Seen {
    RecordType type{};
    std::uint64_t line{};
    std::string text;
    Fields fields;
};

std::vector<Seen> read(std::string_view text, const std::string& command = {}) {
    std::vector<Seen> seen;
    const auto reader = host_facts_kind().make({"host.txt", command, {}}, [&](const model::Record& record) {
        Seen one{record.type, record.line, std::string(record.text), {}};
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
    return seen;
}

int certainty(std::string_view text, std::string_view command = {}) {
    return host_facts_kind().recognise({text, command});
}

constexpr std::string_view kModules =
    "Module                  Size  Used by\n"
    "nvidia_uvm           4927488  0\n"
    "nvidia              54120448  2 nvidia_uvm,nvidia_modeset\n"
    "vfio_pci               16384  3\n";

TEST(HostFacts, ReadsModules) {
    const auto seen = read(kModules);
    ASSERT_THAT(seen, SizeIs(3));
    EXPECT_EQ(seen[0].type, RecordType::module);
    EXPECT_EQ(seen[0].fields, (Fields{{"module", "nvidia_uvm"}, {"count", "0"}, {"state", "loaded"}}));
    EXPECT_EQ(
        seen[1].fields,
        (Fields{{"module", "nvidia"}, {"count", "2"}, {"used_by", "nvidia_uvm,nvidia_modeset"}, {"state", "loaded"}}));
    const auto proc = read(
        "nvidia 54120448 2 nvidia_uvm,nvidia_modeset, Unloading 0x0000000000000000 (POE)\nvfio 65536 0 - Live 0x0\n");
    ASSERT_THAT(proc, SizeIs(2));
    EXPECT_EQ(proc[0].fields.at("state"), "unloading");
    EXPECT_EQ(proc[1].fields.count("used_by"), 0U);
}

TEST(HostFacts, ReadsDkms) {
    const auto seen = read(
        "nvidia/550.90.07, 6.8.0-45-generic, x86_64: installed\nnvidia, 535.183.01, 5.15.0-91-generic, x86_64: built\n"
        "nvidia/565.57.01: added\nnvidia/550.90.07, 6.8.0-45-generic, x86_64: installed (WARNING! Diff between built "
        "and "
        "installed module!)\n");
    ASSERT_THAT(seen, SizeIs(4));
    EXPECT_EQ(
        seen[0].fields,
        (Fields{
            {"module", "nvidia"}, {"version", "550.90.07"}, {"state", "installed"}, {"kernel", "6.8.0-45-generic"}}));
    EXPECT_EQ(seen[1].fields.at("version"), "535.183.01");
    EXPECT_EQ(seen[1].fields.at("state"), "built");
    EXPECT_EQ(seen[2].fields, (Fields{{"module", "nvidia"}, {"version", "565.57.01"}, {"state", "added"}}));
    EXPECT_EQ(seen[3].fields.at("state"), "installed");
}

TEST(HostFacts, ReadsPackagesOfTheGpuStackOnly) {
    const auto seen = read(
        "Desired=Unknown/Install/Remove/Purge/Hold\n| "
        "Status=Not/Inst/Conf-files/Unpacked/halF-conf/Half-inst/trig-aWait/Trig-pend\n"
        "|/ Err?=(none)/Reinst-required (Status,Err: uppercase=bad)\n||/ Name                      Version            "
        "Architecture Description\n"
        "+++-=========================-==================-============-=====\n"
        "ii  bash                      5.2.21-2ubuntu4    amd64        GNU Bourne Again SHell\n"
        "hi  nvidia-driver-550:amd64   550.90.07-0ubuntu1 amd64        NVIDIA driver metapackage\n"
        "rc  libnvidia-compute-535     535.183.01-0ubuntu amd64        NVIDIA libcompute package\n");
    ASSERT_THAT(seen, SizeIs(2));
    EXPECT_EQ(seen[0].fields,
              (Fields{{"package", "nvidia-driver-550"}, {"version", "550.90.07-0ubuntu1"}, {"state", "hi"}}));
    EXPECT_EQ(seen[1].fields.at("state"), "rc");
    const auto rpm = read(
        "bash-5.1.8-9.el9.x86_64\nnvidia-fabricmanager-550.90.07-1.x86_64\nkmod-nvidia-latest-dkms-550.90.07-1.el9."
        "noarch\n",
        "rpm -qa");
    ASSERT_THAT(rpm, SizeIs(2));
    EXPECT_EQ(rpm[1].fields, (Fields{{"package", "kmod-nvidia-latest-dkms"}, {"version", "550.90.07-1.el9"}}));
}

TEST(HostFacts, ReadsModinfo) {
    const auto seen = read(
        "filename:       /lib/modules/6.8.0/updates/dkms/nvidia.ko\nfirmware:       nvidia/550.90.07/gsp_ga10x.bin\n"
        "version:        550.90.07\nlicense:        NVIDIA\nvermagic:       6.8.0 SMP preempt\nparm:           "
        "NvSwitchRegDwords:x (charp)\n"
        "filename:       /lib/modules/6.8.0/kernel/drivers/vfio/pci/vfio-pci.ko\nversion:        0.2\n");
    ASSERT_THAT(seen, SizeIs(2));
    EXPECT_EQ(seen[0].fields, (Fields{{"what", "firmware"}, {"value", "nvidia/550.90.07/gsp_ga10x.bin"}}));
    EXPECT_EQ(seen[1].fields, (Fields{{"what", "kernel_module"}, {"version", "550.90.07"}}));
    EXPECT_THAT(read("version:        550.90.07\n", "modinfo nvidia | grep ^version"),
                Each(Field(&Seen::type, RecordType::driver)));
}

constexpr std::string_view kInformation =
    "Model: \t\t NVIDIA H200\nIRQ:   \t\t 31\nGPU UUID: \t GPU-11111111-2222-3333-4444-555555555555\n"
    "Video BIOS: \t 96.00.a5.00.01\nBus Type: \t PCIe\nDMA Size: \t 52 bits\nDMA Mask: \t 0xfffffffffffff\n"
    "Bus Location: \t 0000:4e:00.0\nDevice Minor: \t 3\nGPU Firmware: \t 550.90.07\nGPU Excluded:\t No\n";

TEST(HostFacts, ReadsTheDriversFiles) {
    const auto version = read(
        "NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  575.57.08  Release Build  (dvs-builder@U16)\n"
        "GCC version:  gcc version 12.3.0\n");
    ASSERT_THAT(version, SizeIs(1));
    EXPECT_EQ(version[0].fields, (Fields{{"what", "kernel_module"}, {"version", "575.57.08"}}));
    const auto gpus = read(std::string(kInformation) + std::string(kInformation));
    ASSERT_THAT(gpus, SizeIs(4));
    EXPECT_EQ(gpus[0].fields, (Fields{{"what", "firmware"},
                                      {"version", "550.90.07"},
                                      {"pci", "0000:4e:00.0"},
                                      {"uuid", "GPU-11111111-2222-3333-4444-555555555555"},
                                      {"minor", "3"},
                                      {"model", "NVIDIA H200"}}));
    EXPECT_EQ(gpus[1].fields,
              (Fields{{"what", "parameter"}, {"parameter", "GPU Excluded"}, {"value", "No"}, {"pci", "0000:4e:00.0"}}));
    EXPECT_EQ(gpus[2].line, 12U);
    const auto parameters = read("ResmanDebugLevel: 4294967295\nRegistryDwords: \"A=1;B=2\"\nRmMsg: \"\"\n");
    ASSERT_THAT(parameters, SizeIs(3));
    EXPECT_EQ(parameters[1].fields,
              (Fields{{"what", "parameter"}, {"parameter", "RegistryDwords"}, {"value", "A=1;B=2"}}));
    EXPECT_EQ(parameters[2].fields.count("value"), 0U);
}

TEST(HostFacts, ReadsTheCommandLine) {
    const auto seen = read("BOOT_IMAGE=/vmlinuz-6.8.0 root=UUID=1 ro intel_iommu=on iommu=pt vfio-pci.ids=10de:2335\n");
    ASSERT_THAT(seen, SizeIs(1));
    EXPECT_EQ(seen[0].type, RecordType::kernel_cmdline);
    EXPECT_THAT(seen[0].text, ::testing::HasSubstr("iommu=pt"));
    EXPECT_THAT(seen[0].fields, IsEmpty());
}

TEST(HostFacts, ReadsIommuGroups) {
    const Fields expected{{"iommu_group", "27"}, {"pci", "0000:4e:00.0"}};
    for (const std::string text :
         {"/sys/kernel/iommu_groups/27/devices/0000:4e:00.0\n", "/sys/kernel/iommu_groups/27/devices:\n0000:4e:00.0\n",
          "/sys/kernel/iommu_groups/27/devices:\ntotal 0\nlrwxrwxrwx 1 root root 0 Feb  1 08:00 0000:4e:00.0 -> "
          "../../../../devices/x\n",
          "IOMMU Group 27 4e:00.0 3D controller [0302]: NVIDIA Corporation Device [10de:2335] (rev a1)\n",
          "IOMMU Group 27:\n\t4e:00.0 3D controller [0302]: NVIDIA Corporation Device [10de:2335]\n"}) {
        const auto seen = read(text);
        ASSERT_THAT(seen, SizeIs(1)) << text;
        EXPECT_EQ(seen[0].type, RecordType::iommu_group);
        EXPECT_EQ(seen[0].fields, expected) << text;
        EXPECT_GE(certainty(text), 80) << text;
    }
}

TEST(HostFacts, ReadsVfioNodes) {
    const auto seen = read(
        "total 0\ndrwxr-xr-x  2 root root       80 Feb  1 08:00 .\ncrw-------  1 root root 510,   0 Feb  1 08:00 27\n"
        "crw-rw-rw-  1 root root  10, 196 Feb  1 08:00 vfio\n",
        "ls -l /dev/vfio");
    ASSERT_THAT(seen, SizeIs(1));
    EXPECT_EQ(seen[0].fields, (Fields{{"iommu_group", "27"}}));
}

TEST(HostFacts, RecognisesByCommandOrContent) {
    EXPECT_GE(certainty("x", "lsmod | grep nvidia"), 90);
    EXPECT_GE(certainty("x", "ls -l /dev/vfio"), 90);
    EXPECT_GE(certainty(kModules), 90);
    EXPECT_GE(certainty("nvidia              54120448  2 nvidia_uvm\nvfio_pci               16384  3\n"), 70);
    EXPECT_GE(certainty("nvidia-fabricmanager-550.90.07-1.x86_64\n"), 70);
    EXPECT_GE(certainty(kInformation), 80);
    EXPECT_GE(certainty("ResmanDebugLevel: 4294967295\n"), 80);
    EXPECT_EQ(certainty("ls: cannot access '/dev/vfio': No such file or directory\n"), 0);
    EXPECT_EQ(certainty("[    0.0] Command line: BOOT_IMAGE=/vmlinuz root=x\n"), 0);
    EXPECT_EQ(certainty("GPU 0: NVIDIA A40 (UUID: GPU-1)\nNode: 3\nName: x\n"), 0);
    EXPECT_EQ(certainty("x", "ls -l /tmp"), 0);
    EXPECT_EQ(certainty(""), 0);
}

TEST(HostFacts, SurvivesTruncationAtEveryByte) {
    for (const auto text : {kModules, kInformation})
        for (std::size_t length = 0; length <= text.size(); ++length)
            EXPECT_LE(read(text.substr(0, length)).size(), 4U) << length;
}

TEST(HostFacts, SurvivesHostileInput) {
    EXPECT_THAT(read(""), IsEmpty());
    EXPECT_THAT(read("Model:\t\nModel:\t\nModel:\t\n"), SizeIs(3));
    EXPECT_THAT(read("IOMMU Group \nIOMMU Group x 1\n/sys/kernel/iommu_groups//devices:\n: installed\n, : "
                     "added\n-.x86_64\n--.noarch\n"),
                Each(Field(&Seen::type, RecordType::text)));
    EXPECT_THAT(read("nvidia 18446744073709551616 1\nnvidia 4096 99999999999\nii \xff\xff 1\n"),
                Each(Field(&Seen::type, RecordType::text)));
    std::string many = "Model:\t\tX\n";
    for (int i = 0; i < 1000; ++i) many += "IRQ: 1\n";
    EXPECT_FALSE(read(many).empty());
}

}  // namespace
}  // namespace gpumedic::evidence
