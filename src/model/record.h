// One entry of evidence, as a reader hands it on. A record is a view: it is valid during the call that delivers it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/timestamp.h"

namespace gpumedic::model {

/// What kind of thing a record is. The fields of each type are listed in src/model/README.md: they are the contract
/// between readers (which fill them) and catalog/signals (which ask for them).
enum class RecordType : std::uint8_t {
    text,            // a line of no recognised form (a pasted line, prose)
    kernel,          // one kernel message; text = the message without header
    syslog,          // another program's line in a system log; fields: program
    virt,            // virt-handler, virt-launcher, virt-controller ...; text = msg and reason, unquoted
    libvirt,         // libvirtd / virtqemud / virsh
    qemu,            // QEMU's own lines
    k8s_event,       // a Kubernetes event; text = its message
    k8s_vm,          // one VirtualMachine's state
    k8s_vmi,         // one VirtualMachineInstance's state
    k8s_pod,         // one pod's state
    smi_line,        // a line nvidia-smi printed instead of its table; text = the line
    gpu,             // one GPU of an nvidia-smi listing
    nvlink,          // one NVLink of a listing
    pci_device,      // one PCI function of an lspci listing
    pci_register,    // one setpci answer
    k8s_node,        // one resource, condition or taint of a Kubernetes node
    slurm_node,      // one Slurm node's state
    slurm_job,       // one Slurm job's state
    bmc_event,       // one entry of a BMC's event log, or a sensor reading outside its limits
    dcgm,            // one result of dcgmi health or diag
    module,          // one loaded kernel module (lsmod), or one dkms build
    package,         // one installed package (dpkg -l, rpm -qa) of the GPU stack
    driver,          // the driver's own account: /proc/driver/nvidia, modinfo
    iommu_group,     // one member of an IOMMU group
    kernel_cmdline,  // the kernel's command line
    collected_item   // what a collection could not obtain, or not in whole
};

[[nodiscard]] std::string_view to_string(RecordType type);
[[nodiscard]] std::optional<RecordType> parse_record_type(std::string_view name);

struct Field {
    std::string_view key;  // a literal of the reader
    std::string value;
};

struct Record {
    RecordType type{RecordType::text};
    std::uint64_t line{};  // 1-based line of the source where it starts
    std::optional<base::Timestamp> time{};
    std::string_view host{};  // as the source names it; empty where it does not
    std::string_view text{};  // what patterns are matched against
    std::string_view raw{};   // what is quoted as evidence: the source's own line (the first, of several)
    std::vector<Field> fields{};

    [[nodiscard]] std::string_view field(std::string_view key) const {
        for (const auto& f : fields)
            if (f.key == key) return f.value;
        return {};
    }
};

}  // namespace gpumedic::model
