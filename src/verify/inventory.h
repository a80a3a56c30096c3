// What a node's evidence shows of its devices, of the cluster's view of it, and of its VMs.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/timestamp.h"
#include "model/diagnosis.h"
#include "model/record.h"

namespace gpumedic::verify {

/// Empty texts were not shown.
struct SeenDevice {
    std::string kind{};   // gpu, nvswitch, audio, usb, other
    std::string id{};     // "10de:2330"
    std::string model{};  // "NVIDIA H100 80GB HBM3"
    std::string uuid{};
    std::string driver{};  // kernel driver in use
    std::string iommu_group{};
    std::string config{};     // "answers", "all_ones"
    std::string width{};      // lanes now
    std::string width_max{};  // lanes that it can
    std::string fabric_state{};
    std::string fabric_status{};
    std::string pstate{};    // "P8": idle
    std::string recovery{};  // nvidia-smi's recovery action
    std::optional<std::uint32_t> links_active{};
    std::optional<std::uint32_t> links{};
};

struct SeenResource {
    std::string capacity{};
    std::string allocatable{};
    bool operator==(const SeenResource&) const = default;
};

struct SeenVm {
    std::string status{};  // printableStatus of the VM
    std::string ready{};   // "True"
    std::string phase{};   // of the VMI
    std::string node{};
};

struct Inventory {
    std::string host{};
    std::string boot_id{};
    std::string kernel{};
    std::string driver_version{};
    std::string fabric_manager_version{};
    std::optional<std::chrono::microseconds> boot_time{};  // since 1970: the kernel's first line of the last boot
    std::optional<base::Timestamp> power_cut{};            // the last that the BMC recorded; its clock may name no zone
    bool has_power_log{false};                             // a BMC's events were read
    bool has_kernel_log{false};
    std::optional<std::chrono::microseconds> last_line{};  // the newest dated line of the kernel's log
    std::map<std::string, SeenDevice> devices{};           // by PCI address
    std::map<std::string, SeenDevice> listed{};            // GPUs and links that only an index or UUID names
    std::map<std::string, SeenResource> resources{};       // by resource name
    std::map<std::string, SeenVm> vms{};                   // by "namespace/name"
    std::map<std::string, std::string> holders{};          // IOMMU group -> "namespace/name" of the VM that holds it
    bool has_holders{false};                               // who holds the groups was read
    std::map<std::string, std::string> slurm{};            // node -> state
};

/// The node's own, and what its guests show of themselves (their addresses are not the node's).
struct Seen {
    Inventory node{};
    Inventory guest{};
    bool has_guest{false};
};

/// Takes records in their order; later ones of a thing complete and replace earlier ones. Not thread-safe.
class InventoryBuilder {
public:
    void take(std::uint32_t source, const model::Record& record);
    /// `sources` tell which records are a guest's.
    [[nodiscard]] Seen finish(const std::vector<model::Source>& sources) const;

private:
    std::vector<Inventory> by_source_{};
};

}  // namespace gpumedic::verify
