#include "evidence/host_facts/sysfs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "base/text.h"
#include "evidence/host_facts/host_facts_reader.h"

namespace gpumedic::evidence {
namespace {

using host_facts::parse_sysfs_line;
using model::RecordType;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using Fields = std::map<std::string, std::string>;

struct Answer {
    std::vector<std::string> lines;  // texts of the records that are no devices
    std::vector<Fields> devices;
};

Answer read(std::string_view text, const std::string& command) {
    Answer answer;
    const auto reader = host_facts_kind().make({"sysfs.txt", command, {}}, [&](const model::Record& record) {
        if (record.type != RecordType::pci_device) return answer.lines.emplace_back(record.text), void();
        Fields fields;
        for (const auto& field : record.fields) {
            EXPECT_FALSE(field.value.empty()) << field.key;
            EXPECT_TRUE(fields.emplace(field.key, field.value).second) << field.key << " twice";
        }
        answer.devices.push_back(std::move(fields));
    });
    std::uint64_t number = 0;
    for (const auto line : base::split(text, '\n')) reader->line(line, ++number);
    reader->finish();
    return answer;
}

constexpr std::string_view kGrep =
    "/sys/bus/pci/devices/0000:b8:00.0/vendor:0x10de\n/sys/bus/pci/devices/0000:b8:00.0/device:0x2330\n"
    "/sys/bus/pci/devices/0000:b8:00.0/class:0x030200\n/sys/bus/pci/devices/0000:b8:00.0/current_link_speed:16.0 GT/s "
    "PCIe\n/sys/bus/pci/devices/0000:b8:00.0/max_link_speed:32.0 GT/s PCIe\n"
    "/sys/bus/pci/devices/0000:b8:00.0/current_link_width:8\n/sys/bus/pci/devices/0000:b8:00.0/max_link_width:16\n"
    "/sys/bus/pci/devices/0000:b8:00.0/power_state:D0\n/sys/bus/pci/devices/0000:b8:00.0/reset_method:flr bus\n"
    "/sys/bus/pci/devices/0000:b8:00.0/aer_dev_fatal:TOTAL_ERR_FATAL 2\n"
    "/sys/devices/pci0000:b0/0000:b0:01.0/0000:b9:00.0/numa_node:1\n";

TEST(Sysfs, GrepNamesEachFile) {
    const auto answer = read(kGrep, "grep . /sys/bus/pci/devices/*/{vendor,device}");
    EXPECT_THAT(answer.devices, ElementsAre(Fields{{"pci", "0000:b8:00.0"},
                                                   {"vendor", "10de"},
                                                   {"device", "2330"},
                                                   {"class", "0302"},
                                                   {"nvidia", "yes"},
                                                   {"kind", "gpu"},
                                                   {"lnksta_speed", "16GT/s"},
                                                   {"lnkcap_speed", "32GT/s"},
                                                   {"lnksta_width", "8"},
                                                   {"lnkcap_width", "16"},
                                                   {"config", "answers"},
                                                   {"power_state", "D0"},
                                                   {"reset_method", "flr bus"},
                                                   {"aer_fatal", "2"}},
                                            Fields{{"pci", "0000:b9:00.0"}, {"numa_node", "1"}}));
    ASSERT_THAT(answer.lines, SizeIs(11));
    EXPECT_EQ(answer.lines[5], "/sys/bus/pci/devices/0000:b8:00.0/current_link_width:8");
    EXPECT_GE(host_facts_kind().recognise({kGrep, {}}), 80);
}

TEST(Sysfs, CatIsToldApartByTheOrderOfTheCommand) {
    const auto answer = read(
        "2.5 GT/s PCIe\n16\ncat: /sys/bus/pci/devices/0000:b8:00.0/numa_node: No such file or directory\n"
        "RxErr 0\nTOTAL_ERR_COR 41\nD3hot\n",
        "cat /sys/bus/pci/devices/0000:b8:00.0/{current_link_speed,current_link_width,numa_node,aer_dev_correctable} "
        "/sys/bus/pci/devices/0000:b8:00.0/power_state");
    EXPECT_THAT(answer.devices, ElementsAre(Fields{{"pci", "0000:b8:00.0"},
                                                   {"lnksta_speed", "2.5GT/s"},
                                                   {"lnksta_width", "16"},
                                                   {"config", "answers"},
                                                   {"aer_correctable", "41"},
                                                   {"power_state", "D3hot"}}));
    EXPECT_EQ(answer.lines[1], "/sys/bus/pci/devices/0000:b8:00.0/current_link_width:16");
    EXPECT_EQ(answer.lines.back(), "/sys/bus/pci/devices/0000:b8:00.0/power_state:D3hot");
}

TEST(Sysfs, LinksNameDriverAndGroup) {
    const Fields vfio{{"pci", "0000:b8:00.0"}, {"driver", "vfio-pci"}};
    EXPECT_THAT(
        read("../../../../bus/pci/drivers/vfio-pci\n", "readlink /sys/bus/pci/devices/0000:b8:00.0/driver").devices,
        ElementsAre(vfio));
    const std::string row = "lrwxrwxrwx 1 root root 0 May  2 10:11 ";
    EXPECT_THAT(read(row + "/sys/bus/pci/devices/0000:b8:00.0/driver -> ../../../../bus/pci/drivers/vfio-pci\n",
                     "ls -l /sys/bus/pci/devices/0000:b8:00.0/driver")
                    .devices,
                ElementsAre(vfio));
    EXPECT_THAT(
        read("total 0\n" + row + "driver -> ../../../bus/pci/drivers/nvidia\n" + row +
                 "iommu_group -> ../../../kernel/iommu_groups/61\n" + row + "subsystem -> ../../../bus/pci\n",
             "ls -l /sys/bus/pci/devices/0000:b8:00.0/")
            .devices,
        ElementsAre(Fields{{"pci", "0000:b8:00.0"}, {"driver", "nvidia"}, {"iommu_group", "61"}, {"nvidia", "yes"}}));
}

TEST(Sysfs, AllOnesAreNoLink) {
    const auto answer = read(
        "/sys/bus/pci/devices/0000:b8:00.0/current_link_width:63\n"
        "/sys/bus/pci/devices/0000:b8:00.0/current_link_speed:Unknown\n",
        {});
    EXPECT_THAT(answer.devices, IsEmpty());
    EXPECT_THAT(answer.lines, SizeIs(2));
}

TEST(Sysfs, WhatCannotBeToldApartStaysText) {
    EXPECT_THAT(read("D0\nD0\n", "cat /sys/bus/pci/devices/*/power_state").devices, IsEmpty());
    EXPECT_THAT(read("DRIVER=nvidia\nPCI_CLASS=30200\nD0\n",
                     "cat /sys/bus/pci/devices/0000:b8:00.0/uevent /sys/bus/pci/devices/0000:b8:00.0/power_state")
                    .devices,
                IsEmpty());
    EXPECT_FALSE(parse_sysfs_line("/sys/kernel/iommu_groups/12/devices/0000:b8:00.0"));
    EXPECT_FALSE(parse_sysfs_line("/sys/bus/pci/devices/0000:b8:00.0/config:x"));
    EXPECT_FALSE(parse_sysfs_line("/sys/bus/pci/devices/b8/power_state:D0"));
}

TEST(Sysfs, SurvivesTruncationAndHostileInput) {
    for (std::size_t length = 0; length <= kGrep.size(); ++length)
        EXPECT_LE(read(kGrep.substr(0, length), {}).devices.size(), 2U) << length;
    std::string braces = "cat /sys/bus/pci/devices/0000:b8:00.0/{";
    for (int i = 0; i < 100000; ++i) braces += "vendor,";
    EXPECT_THAT(read(std::string(100000, 'x') + "\n\n\xff\n" + std::string(1000, '/') + "\n", braces + "}").devices,
                IsEmpty());
    EXPECT_THAT(read(" -> \n/ -> /\n", "ls -l /sys/bus/pci/devices/0000:b8:00.0").devices, IsEmpty());
}

}  // namespace
}  // namespace gpumedic::evidence
