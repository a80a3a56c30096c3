// Reads the facts of a host: modules, packages, the driver's files, the kernel's command line, IOMMU groups.
#pragma once

#include "ports/reader.h"

namespace gpumedic::evidence {

/// lsmod, dkms, dpkg, rpm, modinfo, /proc/driver/nvidia, /proc/cmdline, IOMMU groups, /dev/vfio, files of PCI devices
/// in sysfs, any number of them in one source. Gives `module`, `package`, `driver`, `iommu_group`, `pci_device` and
/// `kernel_cmdline` records; other lines go on as `text`. Thread-safe.
[[nodiscard]] ports::ReaderKind host_facts_kind();

}  // namespace gpumedic::evidence
