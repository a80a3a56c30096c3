#include "knowledge/record_fields.h"

#include <array>

namespace gpumedic::knowledge {
namespace {

using Name = std::string_view;

constexpr std::array<Name, 1> kKernel{"priority"};
constexpr std::array<Name, 2> kSyslog{"program", "pid"};
constexpr std::array<Name, 7> kVirt{"component", "level", "namespace", "name", "kind", "pos", "subcomponent"};
constexpr std::array<Name, 1> kLibvirt{"level"};
constexpr std::array<Name, 1> kQemu{"program"};
constexpr std::array<Name, 7> kEvent{"type", "reason", "kind", "name", "namespace", "count", "from"};
constexpr std::array<Name, 8> kVm{"namespace",    "name",    "status",       "ready",
                                  "run_strategy", "created", "ready_reason", "fail_count"};
constexpr std::array<Name, 7> kVmi{"namespace",          "name", "phase", "node", "ready", "synchronized",
                                   "synchronized_reason"};
constexpr std::array<Name, 8> kPod{"namespace", "name", "status", "ready", "restarts", "node", "vmi", "reason"};
constexpr std::array<Name, 8> kGpu{"index", "uuid", "pci", "name", "temperature", "ecc_uncorrected", "state", "driver"};
constexpr std::array<Name, 6> kNvlink{"index", "uuid", "pci", "link", "state", "speed"};
constexpr std::array<Name, 17> kPciDevice{
    "pci",          "class",        "vendor",       "device",       "vendor_name", "nvidia",
    "kind",         "rev",          "header_type",  "config",       "driver",      "function0_driver",
    "lnkcap_speed", "lnkcap_width", "lnksta_speed", "lnksta_width", "iommu_group"};
constexpr std::array<Name, 3> kPciRegister{"pci", "register", "value"};

}  // namespace

std::span<const std::string_view> fields_of(model::RecordType type) {
    using model::RecordType;
    switch (type) {
        case RecordType::text:
        case RecordType::smi_line: return {};
        case RecordType::kernel: return kKernel;
        case RecordType::syslog: return kSyslog;
        case RecordType::virt: return kVirt;
        case RecordType::libvirt: return kLibvirt;
        case RecordType::qemu: return kQemu;
        case RecordType::k8s_event: return kEvent;
        case RecordType::k8s_vm: return kVm;
        case RecordType::k8s_vmi: return kVmi;
        case RecordType::k8s_pod: return kPod;
        case RecordType::gpu: return kGpu;
        case RecordType::nvlink: return kNvlink;
        case RecordType::pci_device: return kPciDevice;
        case RecordType::pci_register: return kPciRegister;
    }
    return {};
}

std::vector<std::string_view> record_type_names() {
    std::vector<std::string_view> names;
    for (int i = 0; i <= static_cast<int>(model::RecordType::pci_register); ++i) {
        names.push_back(model::to_string(static_cast<model::RecordType>(i)));
    }
    return names;
}

}  // namespace gpumedic::knowledge
