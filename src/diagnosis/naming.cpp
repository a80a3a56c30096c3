#include "diagnosis/naming.h"

#include <algorithm>

#include "base/text.h"

namespace gpumedic::diagnosis {
namespace {

using model::Device;
using model::Incident;
using model::Localized;

const Device* root_device(const Incident& incident) {
    const auto it = std::ranges::find_if(
        incident.devices, [](const Device& d) { return d.role == Device::Role::root && d.kind != "vm"; });
    return it == incident.devices.end() ? nullptr : &*it;
}

const model::Holder* concerned_vm(const Incident& incident) {
    for (const auto& d : incident.devices)
        if (!d.holder.vm.empty()) return &d.holder;
    return nullptr;
}

std::string one_device(const Device& d) {
    if (!d.pci.empty()) return d.pci;
    if (d.nvswitch) return "NVSwitch " + std::to_string(*d.nvswitch);
    if (d.index) return "GPU " + std::to_string(*d.index);
    return d.uuid;
}

Localized device_words(const Incident& incident) {
    std::string names;
    int count = 0;
    constexpr int kNamed = 4;
    for (const auto& d : incident.devices) {
        if (d.role != Device::Role::root || d.kind == "vm" || one_device(d).empty()) continue;
        if (++count <= kNamed) names += (names.empty() ? "" : ", ") + one_device(d);
    }
    if (count > kNamed) names += " +" + std::to_string(count - kNamed);
    if (names.empty()) return {"(GPU not named in the evidence)", "(증거에 GPU 주소 없음)"};
    return {names, names};
}

std::string replace(const std::string& text, std::string_view name, const std::string& value) {
    return base::replace_all(text, "{" + std::string(name) + "}",
                             value.empty() ? "<" + std::string(name) + ">" : value);
}

}  // namespace

std::string vm_name(const model::Holder& holder) {
    return holder.namespace_.empty() ? holder.vm : holder.namespace_ + "/" + holder.vm;
}

Localized fill_text(const Localized& text, const Incident& incident) {
    const auto device = device_words(incident);
    const auto* vm = concerned_vm(incident);
    const auto fill = [&](std::string out, const std::string& device_name, const std::string& no_vm,
                          const std::string& no_node) {
        // "GPU {device}" reads well with an address; a name that says GPU itself needs no second one.
        if (device_name.find("GPU") != std::string::npos) out = base::replace_all(out, "GPU {device}", device_name);
        out = base::replace_all(out, "{device}", device_name);
        out = base::replace_all(out, "{vm}", vm == nullptr ? no_vm : vm_name(*vm));
        return base::replace_all(out, "{node}", incident.node.empty() ? no_node : incident.node);
    };
    return {fill(text.en, device.en, "the VM", "the node"), fill(text.ko, device.ko, "VM", "노드")};
}

std::string fill_command(const std::string& command, const Incident& incident) {
    const auto* device = root_device(incident);
    const auto* vm = concerned_vm(incident);
    auto out = replace(command, "node", incident.node);
    out = replace(out, "vm", vm == nullptr ? "" : vm->vm);
    out = replace(out, "namespace", vm == nullptr ? "" : vm->namespace_);
    out = replace(out, "pci", device == nullptr ? "" : device->pci);
    out = replace(out, "uuid", device == nullptr ? "" : device->uuid);
    out = replace(out, "index", device == nullptr || !device->index ? "" : std::to_string(*device->index));
    return replace(out, "iommu_group", device == nullptr ? "" : device->iommu_group);
}

}  // namespace gpumedic::diagnosis
