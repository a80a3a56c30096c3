#include "bundle/bare_lines.h"

#include <gtest/gtest.h>

namespace gpumedic::bundle {
namespace {

std::string_view kind_of(std::initializer_list<std::string_view> lines) {
    BareLines bare;
    for (const auto line : lines) bare.see(line);
    return bare.kind();
}

TEST(BareLines, KernelMessagesWithoutTheirHeader) {
    EXPECT_EQ(kind_of({"NVRM: Xid (PCI:0000:a1:00): 79, GPU has fallen off the bus.", "", "# a remark",
                       "vfio-pci 0000:a1:00.0: reset done"}),
              "kernel messages");
    EXPECT_EQ(kind_of({"it said", "NVRM: Xid (PCI:0000:a1:00): 79", "and then", "nothing"}), "");
}

TEST(BareLines, AWholeBootIsMostlyOtherSubsystemsLines) {
    EXPECT_EQ(kind_of({"Linux version 6.8.0", "BIOS-provided physical RAM map:", "nvme nvme0: pci function",
                       "NVRM: loading NVIDIA UNIX x86_64 Kernel Module"}),
              "kernel messages");
    EXPECT_EQ(kind_of({"Linux version 6.8.0", "is what uname says"}), "");
}

TEST(BareLines, MessagesOfSlurmsCommands) {
    EXPECT_EQ(kind_of({"srun: error: gn07: task 3: Killed", "salloc: Granted job allocation 71"}), "slurm messages");
    EXPECT_EQ(kind_of({"srun is a command"}), "");
}

TEST(BareLines, NothingIsNothing) { EXPECT_EQ(kind_of({"", "  "}), ""); }

}  // namespace
}  // namespace gpumedic::bundle
