#include "model/pci_address.h"

#include <gtest/gtest.h>

namespace gpumedic::model {
namespace {

std::string canonical(std::string_view text) {
    const auto address = parse_pci_address(text);
    return address ? address->to_string() : "refused";
}

TEST(PciAddress, OneSpellingForAll) {
    for (const auto* text :
         {"0000:ed:00.0", "ed:00.0", "0000:ED:00", "00000000:ED:00.0", "PCI:0000:ed:00", "pci:0000:ed:00.0", "ed:00"})
        EXPECT_EQ(canonical(text), "0000:ed:00.0") << text;
    EXPECT_EQ(canonical("10000:e1:1f.7"), "10000:e1:1f.7");
}

TEST(PciAddress, RefusesWhatIsNone) {
    for (const auto* text : {"", "GPU-0000:ed:00.0", "ed", "12:34:56:78", "0000:ed:00.8", "0000:ed:20.0",
                             "0000:xx:00.0", "0000:ed:00.0 ", "PCI:", "e:0.0"})
        EXPECT_EQ(canonical(text), "refused") << text;
}

TEST(PciAddress, FunctionsOfOneCard) {
    const auto gpu = *parse_pci_address("01:00.0");
    EXPECT_TRUE(gpu.same_card(*parse_pci_address("0000:01:00.1")));
    EXPECT_FALSE(gpu.same_card(*parse_pci_address("0000:01:01.0")));
    EXPECT_FALSE(gpu.same_card(*parse_pci_address("0001:01:00.0")));
}

}  // namespace
}  // namespace gpumedic::model
