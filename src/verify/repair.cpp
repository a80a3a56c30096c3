#include "verify/repair.h"

#include <algorithm>

#include "base/timestamp.h"
#include "codec/value.h"

namespace gpumedic::verify {
namespace {

using codec::Value;

void add_vm(std::vector<std::string>& vms, const std::string& name) {
    if (!name.empty() && std::find(vms.begin(), vms.end(), name) == vms.end()) vms.push_back(name);
}

std::string vm_name(const Value& holder) {
    const auto vm = std::string(holder.text({"vm"}));
    const auto space = std::string(holder.text({"namespace"}));
    return vm.empty() || space.empty() ? vm : space + "/" + vm;
}

Repair repair_of(const Value& incident) {
    Repair repair;
    repair.fault = incident.text({"fault"});
    repair.action = incident.text({"action", "class"});
    repair.node = incident.text({"node"});
    if (const auto time = base::parse_iso_time(incident.text({"last_seen"}), {})) repair.last_seen = time->time.value;
    if (const auto* devices = incident.find("devices"); devices != nullptr) {
        for (const auto& device : devices->items) {
            if (const auto pci = std::string(device.text({"pci"})); !pci.empty()) repair.devices.push_back(pci);
            if (const auto* holder = device.find("holder")) add_vm(repair.vms, vm_name(*holder));
        }
    }
    if (const auto* vms = incident.at({"blast_radius", "vms"}); vms != nullptr)
        for (const auto& vm : vms->items) add_vm(repair.vms, vm.scalar);
    return repair;
}

}  // namespace

base::Result<Repair> parse_repair(std::string_view json, const std::string& path) {
    constexpr const char* kHelp = "gpumedic diagnose EVIDENCE -o json --to FILE writes one";
    const auto tree = codec::parse_json(json);
    if (!tree) return base::fail(base::ErrorCode::malformed, "is not JSON: " + tree.error().what, path, kHelp);
    if (tree->text({"schema"}) != "gpumedic.diagnosis/v1")
        return base::fail(base::ErrorCode::malformed, "is no saved diagnosis (schema gpumedic.diagnosis/v1)", path,
                          kHelp);
    const auto* incidents = tree->find("incidents");
    if (incidents == nullptr || incidents->items.empty())
        return base::fail(base::ErrorCode::not_found, "this diagnosis holds no incident: there is no repair to verify",
                          path);
    const auto open = std::find_if(incidents->items.begin(), incidents->items.end(),
                                   [](const auto& incident) { return incident.text({"state"}) == "open"; });
    return repair_of(open == incidents->items.end() ? incidents->items.front() : *open);
}

}  // namespace gpumedic::verify
