#include "signals/subject.h"

#include "base/text.h"

namespace gpumedic::signals {
namespace {

using model::RecordType;
using model::Subject;

bool take_number(std::string_view value, std::optional<int>& into) {
    const auto number = base::parse_number<int>(value);
    if (number) into = number;
    return number.has_value();
}

bool take_text(std::string_view value, std::string& into) {
    if (value.empty()) return false;
    into = value;
    return true;
}

/// "virt-launcher-slurm-gpu-7-x2k9p" -> "slurm-gpu-7": KubeVirt appends five random characters to the VMI's name.
std::string_view vm_of_launcher_pod(std::string_view pod) {
    constexpr std::string_view kPrefix = "virt-launcher-";
    if (!pod.starts_with(kPrefix)) return {};
    pod.remove_prefix(kPrefix.size());
    const auto dash = pod.rfind('-');
    return dash == std::string_view::npos ? std::string_view{} : pod.substr(0, dash);
}

void take_event_object(const model::Record& record, Subject& subject) {
    const auto kind = record.field("kind");
    const auto name = record.field("name");
    if (kind == "virtualmachineinstance" || kind == "virtualmachine" || kind == "vmi" || kind == "vm") {
        subject.vm = name;
    } else if (kind == "pod") {
        subject.pod = name;
        subject.vm = vm_of_launcher_pod(name);
    } else if (kind == "node") {
        subject.node = name;
    }
    subject.namespace_ = record.field("namespace");
}

}  // namespace

bool take_subject_name(std::string_view name, std::string_view value, Subject& subject) {
    if (name == "pci") {
        const auto address = model::parse_pci_address(value);
        if (address) subject.pci = address;
        return address.has_value();
    }
    if (name == "uuid")
        return take_text(
            base::lower(value).starts_with("gpu-") ? "GPU-" + base::lower(value.substr(4)) : std::string(value),
            subject.uuid);
    if (name == "index") return take_number(value, subject.index);
    if (name == "instance") return take_number(value, subject.instance);
    if (name == "link") return take_number(value, subject.link);
    if (name == "nvswitch") return take_number(value, subject.nvswitch);
    if (name == "iommu_group") return take_text(value, subject.iommu_group);
    if (name == "vm") return take_text(value, subject.vm);
    if (name == "namespace") return take_text(value, subject.namespace_);
    if (name == "pod") return take_text(value, subject.pod);
    if (name == "node") return take_text(value, subject.node);
    return false;
}

void take_record_subject(const model::Record& record, Subject& subject) {
    switch (record.type) {
        case RecordType::virt:
        case RecordType::k8s_vm:
        case RecordType::k8s_vmi:
            subject.vm = record.field("name");
            subject.namespace_ = record.field("namespace");
            break;
        case RecordType::k8s_pod: {
            subject.pod = record.field("name");
            subject.namespace_ = record.field("namespace");
            const auto vmi = record.field("vmi");
            subject.vm = vmi.empty() ? vm_of_launcher_pod(subject.pod) : vmi;
            break;
        }
        case RecordType::k8s_event: take_event_object(record, subject); break;
        default: break;
    }
    for (const auto& field : record.fields)
        if (field.key != "name") take_subject_name(field.key, field.value, subject);
}

}  // namespace gpumedic::signals
