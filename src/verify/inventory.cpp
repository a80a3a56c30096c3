#include "verify/inventory.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "base/text.h"

namespace gpumedic::verify {
namespace {

using model::Record;
using model::RecordType;

void put(std::string& target, std::string_view value) {
    if (!value.empty()) target = value;
}

template <class Number>
void put(std::optional<Number>& target, const std::optional<Number>& value) {
    if (value) target = value;
}

std::optional<std::uint32_t> number(std::string_view text) {
    std::uint32_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return value;
}

/// By address where the record has one; else by what names it in its listing.
SeenDevice& device_of(Inventory& seen, const Record& record) {
    if (const auto pci = record.field("pci"); !pci.empty()) return seen.devices[std::string(pci)];
    const auto uuid = record.field("uuid");
    const auto index = record.field("index");
    return seen.listed[!uuid.empty() ? std::string(uuid) : index.empty() ? "?" : "GPU " + std::string(index)];
}

void take_pci(Inventory& seen, const Record& record) {
    if (record.field("pci").empty()) return;
    auto& device = seen.devices[std::string(record.field("pci"))];
    put(device.kind, record.field("kind"));
    if (!record.field("vendor").empty() && !record.field("device").empty())
        device.id = std::string(record.field("vendor")) + ":" + std::string(record.field("device"));
    put(device.driver, record.field("driver"));
    put(device.iommu_group, record.field("iommu_group"));
    put(device.width, record.field("lnksta_width"));
    put(device.width_max, record.field("lnkcap_width"));
    put(device.config, record.field("config"));
}

void take_gpu(Inventory& seen, const Record& record) {
    auto& device = device_of(seen, record);
    device.kind = "gpu";
    put(device.model, record.field("name"));
    put(device.uuid, record.field("uuid"));
    put(device.width, record.field("pcie_width"));
    put(device.width_max, record.field("pcie_width_max"));
    put(device.fabric_state, record.field("fabric_state"));
    put(device.fabric_status, record.field("fabric_status"));
    put(device.recovery, record.field("recovery_action"));
    put(device.pstate, record.field("pstate"));
    put(seen.driver_version, record.field("driver"));
}

void take_link(Inventory& seen, const Record& record) {
    const auto state = record.field("state");
    const auto listed = number(record.field("links"));
    if (state.empty() && !listed) return;
    auto& device = device_of(seen, record);
    if (listed) {
        device.links = listed;
        device.links_active = number(record.field("active"));
        return;
    }
    device.links = device.links.value_or(0) + 1;
    device.links_active = device.links_active.value_or(0) + (state == "active" ? 1U : 0U);
}

void take_vm(Inventory& seen, const Record& record) {
    if (record.field("name").empty()) return;
    const auto space = record.field("namespace");
    auto& vm = seen.vms[(space.empty() ? "" : std::string(space) + "/") + std::string(record.field("name"))];
    put(vm.status, record.field("status"));
    put(vm.ready, record.field("ready"));
    put(vm.phase, record.field("phase"));
    put(vm.node, record.field("node"));
}

bool tells_a_power_cut(std::string_view text) {
    constexpr std::array<std::string_view, 6> kWords{"s4/s5",          "s5/g2",       "soft-off",
                                                     "power off/down", "power cycle", "ac lost"};
    const auto lower = base::lower(text);
    return std::any_of(kWords.begin(), kWords.end(), [&](auto word) { return base::contains(lower, word); });
}

std::optional<std::chrono::microseconds> wall(const Record& record) {
    if (!record.time || record.time->clock != base::Timestamp::Clock::wall) return std::nullopt;
    return record.time->value;
}

void take_bmc(Inventory& seen, const Record& record) {
    if (const auto at = wall(record)) {
        seen.has_power_log = true;
        if (tells_a_power_cut(record.text) && (!seen.power_cut || *at > seen.power_cut->value))
            seen.power_cut = record.time;
    }
}

void take_kernel(Inventory& seen, const Record& record) {
    seen.has_kernel_log = true;
    if (const auto at = wall(record); at && (!seen.last_line || *at > *seen.last_line)) seen.last_line = at;
    constexpr std::string_view kFirst = "Linux version ";
    if (!record.text.starts_with(kFirst)) return;
    const auto version = record.text.substr(kFirst.size());
    put(seen.kernel, version.substr(0, version.find(' ')));
    put(seen.boot_time, wall(record));
}

/// "/dev/vfio/112: held by process 4711 (qemu-system-x86), guest hpc_train-3": KubeVirt's domains are NAMESPACE_NAME.
void take_holder(Inventory& seen, std::string_view raw) {
    constexpr std::string_view kGroup = "/dev/vfio/";
    constexpr std::string_view kGuest = ", guest ";
    if (!raw.starts_with(kGroup) || !base::contains(raw, ": held by process ")) return;
    seen.has_holders = true;
    const auto at = raw.rfind(kGuest);
    if (at == std::string_view::npos) return;
    auto guest = std::string(base::trim(raw.substr(at + kGuest.size())));
    if (const auto cut = guest.find('_'); cut != std::string::npos) guest[cut] = '/';
    seen.holders[std::string(raw.substr(kGroup.size(), raw.find(':') - kGroup.size()))] = guest;
}

/// "/proc/sys/kernel/random/boot_id:0f0f...": files as path and value.
void take_value(Inventory& seen, std::string_view raw) {
    const auto value_of = [raw](std::string_view path) {
        return raw.starts_with(path) && raw.size() > path.size() && raw[path.size()] == ':'
                   ? base::trim(raw.substr(path.size() + 1))
                   : std::string_view{};
    };
    if (!raw.starts_with("/proc/")) return;
    put(seen.boot_id, value_of("/proc/sys/kernel/random/boot_id"));
    put(seen.kernel, value_of("/proc/sys/kernel/osrelease"));
    put(seen.host, value_of("/proc/sys/kernel/hostname"));
}

void take_package(Inventory& seen, const Record& record) {
    if (base::contains(record.field("package"), "fabricmanager") && record.field("state") != "rc")
        put(seen.fabric_manager_version, record.field("version"));
}

void take_node_resource(Inventory& seen, const Record& record) {
    const auto resource = record.field("resource");
    if (resource.empty()) return;
    auto& known = seen.resources[std::string(resource)];
    put(known.capacity, record.field("capacity"));
    put(known.allocatable, record.field("allocatable"));
}

void merge(SeenDevice& into, const SeenDevice& from) {
    for (const auto member :
         {&SeenDevice::kind, &SeenDevice::id, &SeenDevice::model, &SeenDevice::uuid, &SeenDevice::driver,
          &SeenDevice::iommu_group, &SeenDevice::config, &SeenDevice::width, &SeenDevice::width_max,
          &SeenDevice::fabric_state, &SeenDevice::fabric_status, &SeenDevice::recovery, &SeenDevice::pstate})
        put(into.*member, from.*member);
    put(into.links, from.links);
    put(into.links_active, from.links_active);
}

void merge(Inventory& into, const Inventory& from) {
    for (const auto member : {&Inventory::host, &Inventory::boot_id, &Inventory::kernel, &Inventory::driver_version,
                              &Inventory::fabric_manager_version})
        put(into.*member, from.*member);
    if (from.boot_time && (!into.boot_time || *from.boot_time > *into.boot_time)) into.boot_time = from.boot_time;
    if (from.power_cut && (!into.power_cut || from.power_cut->value > into.power_cut->value))
        into.power_cut = from.power_cut;
    if (from.last_line && (!into.last_line || *from.last_line > *into.last_line)) into.last_line = from.last_line;
    into.has_power_log |= from.has_power_log;
    into.has_kernel_log |= from.has_kernel_log;
    for (const auto& [pci, device] : from.devices) merge(into.devices[pci], device);
    for (const auto& [name, device] : from.listed) merge(into.listed[name], device);
    for (const auto& [name, resource] : from.resources) {
        put(into.resources[name].capacity, resource.capacity);
        put(into.resources[name].allocatable, resource.allocatable);
    }
    for (const auto& [name, vm] : from.vms) {
        auto& known = into.vms[name];
        for (const auto member : {&SeenVm::status, &SeenVm::ready, &SeenVm::phase, &SeenVm::node})
            put(known.*member, vm.*member);
    }
    into.has_holders |= from.has_holders;
    for (const auto& [group, vm] : from.holders) into.holders[group] = vm;
    for (const auto& [name, state] : from.slurm) into.slurm[name] = state;
}

/// What a listing names by UUID alone belongs to the device with that UUID.
void join_listed(Inventory& seen) {
    for (auto& [pci, device] : seen.devices) {
        const auto found = device.uuid.empty() ? seen.listed.end() : seen.listed.find(device.uuid);
        if (found == seen.listed.end()) continue;
        merge(device, found->second);
        seen.listed.erase(found);
    }
}

}  // namespace

void InventoryBuilder::take(std::uint32_t source, const Record& record) {
    if (by_source_.size() <= source) by_source_.resize(source + 1);
    auto& seen = by_source_[source];
    switch (record.type) {
        case RecordType::pci_device: return take_pci(seen, record);
        case RecordType::gpu: return take_gpu(seen, record);
        case RecordType::nvlink: return take_link(seen, record);
        case RecordType::k8s_vm:
        case RecordType::k8s_vmi: return take_vm(seen, record);
        case RecordType::k8s_node: return take_node_resource(seen, record);
        case RecordType::bmc_event: return take_bmc(seen, record);
        case RecordType::kernel: return take_kernel(seen, record);
        case RecordType::package: return take_package(seen, record);
        case RecordType::iommu_group:
            if (!record.field("pci").empty())
                seen.devices[std::string(record.field("pci"))].iommu_group = record.field("iommu_group");
            return;
        case RecordType::driver:
            if (record.field("what") == "kernel_module") put(seen.driver_version, record.field("version"));
            return;
        case RecordType::slurm_node:
            if (!record.field("name").empty()) seen.slurm[std::string(record.field("name"))] = record.field("state");
            return;
        case RecordType::text: take_holder(seen, record.raw); return take_value(seen, record.raw);
        default: return;
    }
}

Seen InventoryBuilder::finish(const std::vector<model::Source>& sources) const {
    Seen seen;
    for (std::size_t i = 0; i < by_source_.size(); ++i) {
        const bool guest = i < sources.size() && sources[i].vantage == model::Vantage::guest;
        seen.has_guest |= guest;
        merge(guest ? seen.guest : seen.node, by_source_[i]);
    }
    join_listed(seen.node);
    join_listed(seen.guest);
    return seen;
}

}  // namespace gpumedic::verify
