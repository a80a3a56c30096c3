#include "knowledge/record_fields.h"

#include <array>

namespace gpumedic::knowledge {
namespace {

using Name = std::string_view;

constexpr std::array<Name, 4> kText{"celsius", "watts", "tried", "result"};
constexpr std::array<Name, 11> kCollectedItem{"utc_offset", "item",    "file", "outcome",  "why",      "kind",
                                              "path",       "command", "pci",  "waits_in", "exit_code"};
constexpr std::array<Name, 2> kKernel{"priority", "repeated"};
constexpr std::array<Name, 3> kSyslog{"program", "pid", "repeated"};
constexpr std::array<Name, 7> kVirt{"component", "level", "namespace", "name", "kind", "pos", "subcomponent"};
constexpr std::array<Name, 1> kLibvirt{"level"};
constexpr std::array<Name, 1> kQemu{"program"};
constexpr std::array<Name, 7> kEvent{"type", "reason", "kind", "name", "namespace", "count", "from"};
constexpr std::array<Name, 8> kVm{"namespace",    "name",    "status",       "ready",
                                  "run_strategy", "created", "ready_reason", "fail_count"};
constexpr std::array<Name, 7> kVmi{"namespace",          "name", "phase", "node", "ready", "synchronized",
                                   "synchronized_reason"};
constexpr std::array<Name, 8> kPod{"namespace", "name", "status", "ready", "restarts", "node", "vmi", "reason"};
constexpr std::array<Name, 67> kGpu{"index",
                                    "uuid",
                                    "pci",
                                    "name",
                                    "temperature",
                                    "ecc_uncorrected",
                                    "ecc_uncorrected_aggregate",
                                    "ecc_corrected",
                                    "state",
                                    "driver",
                                    "serial",
                                    "virtualization",
                                    "persistence",
                                    "pstate",
                                    "utilization",
                                    "mig_mode",
                                    "ecc_mode",
                                    "license",
                                    "recovery_action",
                                    "reset_required",
                                    "reset_recommended",
                                    "pcie_gen",
                                    "pcie_gen_max",
                                    "pcie_width",
                                    "pcie_width_max",
                                    "pcie_replays",
                                    "pcie_replay_rollovers",
                                    "lanes_below_peers",
                                    "clocks_idle",
                                    "hw_slowdown",
                                    "hw_thermal_slowdown",
                                    "hw_power_brake",
                                    "sw_thermal_slowdown",
                                    "sw_power_cap",
                                    "memory_temperature",
                                    "temp_shutdown",
                                    "temp_slowdown",
                                    "temp_headroom",
                                    "headroom_shutdown",
                                    "headroom_slowdown",
                                    "slowdown_margin",
                                    "retired_sbe",
                                    "retired_dbe",
                                    "retired_pending",
                                    "remap_corrected",
                                    "remap_uncorrected",
                                    "remap_pending",
                                    "remap_failed",
                                    "banks_max",
                                    "banks_high",
                                    "banks_partial",
                                    "banks_low",
                                    "banks_none",
                                    "sram_threshold_exceeded",
                                    "channel_repair_pending",
                                    "tpc_repair_pending",
                                    "unrepairable_memory",
                                    "fabric_state",
                                    "fabric_status",
                                    "clique",
                                    "cluster_uuid",
                                    "fabric_health",
                                    "fabric_bandwidth",
                                    "route_recovery",
                                    "route_unhealthy",
                                    "access_timeout_recovery",
                                    "fabric_misconfigured"};
constexpr std::array<Name, 11> kNvlink{
    "index", "uuid", "pci", "link", "state", "speed", "name", "active", "links", "nvlink_peers", "most_nvlink_peers"};
constexpr std::array<Name, 24> kPciDevice{
    "pci",          "class",        "vendor",       "device",          "vendor_name",  "nvidia",
    "kind",         "rev",          "header_type",  "config",          "driver",       "function0_driver",
    "lnkcap_speed", "lnkcap_width", "lnksta_speed", "lnksta_width",    "iommu_group",  "unassigned_regions",
    "power_state",  "numa_node",    "reset_method", "aer_correctable", "aer_nonfatal", "aer_fatal"};
constexpr std::array<Name, 3> kPciRegister{"pci", "register", "value"};
constexpr std::array<Name, 2> kSmiLine{"index", "uuid"};
constexpr std::array<Name, 11> kNode{"name",   "resource", "capacity", "allocatable", "missing",      "condition",
                                     "status", "reason",   "taint",    "effect",      "unschedulable"};
constexpr std::array<Name, 6> kSlurmNode{"name", "state", "reason", "gres", "gres_used", "partition"};
constexpr std::array<Name, 6> kSlurmJob{"job", "name", "state", "reason", "nodes", "exit_code"};
constexpr std::array<Name, 8> kBmcEvent{"sensor", "event", "state", "value", "unit", "status", "severity", "id"};
constexpr std::array<Name, 6> kDcgm{"index", "test", "system", "result", "code", "value"};
constexpr std::array<Name, 6> kModule{"module", "used_by", "count", "version", "state", "kernel"};
constexpr std::array<Name, 3> kPackage{"package", "version", "state"};
constexpr std::array<Name, 8> kDriver{"version", "what", "parameter", "value", "pci", "uuid", "minor", "model"};
constexpr std::array<Name, 2> kGroup{"iommu_group", "pci"};

}  // namespace

std::span<const std::string_view> fields_of(model::RecordType type) {
    using model::RecordType;
    switch (type) {
        case RecordType::text: return kText;
        case RecordType::kernel_cmdline: return {};
        case RecordType::collected_item: return kCollectedItem;
        case RecordType::smi_line: return kSmiLine;
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
        case RecordType::k8s_node: return kNode;
        case RecordType::slurm_node: return kSlurmNode;
        case RecordType::slurm_job: return kSlurmJob;
        case RecordType::bmc_event: return kBmcEvent;
        case RecordType::dcgm: return kDcgm;
        case RecordType::module: return kModule;
        case RecordType::package: return kPackage;
        case RecordType::driver: return kDriver;
        case RecordType::iommu_group: return kGroup;
    }
    return {};
}

std::vector<std::string_view> record_type_names() {
    std::vector<std::string_view> names;
    for (int i = 0; i <= static_cast<int>(model::RecordType::collected_item); ++i) {
        names.push_back(model::to_string(static_cast<model::RecordType>(i)));
    }
    return names;
}

}  // namespace gpumedic::knowledge
