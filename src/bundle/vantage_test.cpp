#include "bundle/vantage.h"

#include <gtest/gtest.h>

namespace gpumedic::bundle {
namespace {

model::Record kernel(std::string_view text) {
    model::Record record;
    record.type = model::RecordType::kernel;
    record.text = text;
    return record;
}

model::Vantage of(const model::Record& record, std::string_view path = "kernel.log") {
    VantageClues clues;
    clues.see_path(path);
    clues.see_record(record);
    return clues.verdict();
}

TEST(Vantage, GuestShowsItsHypervisor) {
    EXPECT_EQ(of(kernel("Hypervisor detected: KVM")), model::Vantage::guest);
    EXPECT_EQ(of(kernel("DMI: KubeVirt None/RHEL, BIOS 1.16.1-1.el9 04/01/2014")), model::Vantage::guest);
    EXPECT_EQ(of(kernel("DMI: QEMU Standard PC (Q35 + ICH9, 2009), BIOS 0.0.0")), model::Vantage::guest);
    EXPECT_EQ(of(kernel("DMI: VMware, Inc. VMware20,1/440BX Desktop Reference Platform")), model::Vantage::guest);
}

TEST(Vantage, HostRunsGuests) {
    EXPECT_EQ(of(kernel("vfio-pci 0000:5a:00.0: resetting")), model::Vantage::host);
    model::Record handler;
    handler.type = model::RecordType::virt;
    handler.fields.push_back({"component", "virt-handler"});
    EXPECT_EQ(of(handler), model::Vantage::host);
    handler.fields[0].value = "virt-launcher";
    EXPECT_EQ(of(handler), model::Vantage::unknown);
}

TEST(Vantage, OtherwiseUnknown) {
    EXPECT_EQ(of(kernel("DMI: Supermicro SYS-821GE-TNHR/X13DEG-OAD, BIOS 1.4")), model::Vantage::unknown);
    EXPECT_EQ(of(kernel("NVRM: loading; Hypervisor detected: is elsewhere")), model::Vantage::unknown);
    EXPECT_EQ(of(kernel("driver: vfio-pci registered")), model::Vantage::unknown);
}

TEST(Vantage, NameIsAWeakHint) {
    EXPECT_EQ(of(kernel("x"), "guest-kernel.log"), model::Vantage::guest);
    EXPECT_EQ(of(kernel("x"), "bundle/guest/dmesg"), model::Vantage::guest);
    EXPECT_EQ(of(kernel("x"), "bundle/vm_guest2.log"), model::Vantage::guest);
    EXPECT_EQ(of(kernel("x"), "libguestfs.log"), model::Vantage::unknown);
    EXPECT_EQ(of(kernel("x"), "/home/guest/case/dmesg.log"), model::Vantage::unknown);
    EXPECT_EQ(of(kernel("vfio-pci 0000:5a:00.0: enabling device"), "guest.log"), model::Vantage::host);
}

}  // namespace
}  // namespace gpumedic::bundle
