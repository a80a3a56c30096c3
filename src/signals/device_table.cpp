#include "signals/device_table.h"

#include <fmt/format.h>

#include <algorithm>

namespace gpumedic::signals {
namespace {

using model::Subject;

template <class T>
bool clash(const std::optional<T>& a, const std::optional<T>& b) {
    return a && b && *a != *b;
}
template <class T>
bool meet(const std::optional<T>& a, const std::optional<T>& b) {
    return a && b && *a == *b;
}
bool clash(const std::string& a, const std::string& b) { return !a.empty() && !b.empty() && a != b; }
bool meet(const std::string& a, const std::string& b) { return !a.empty() && a == b; }

/// Strong names decide alone; weak ones (index, instance) only where no strong name speaks against it.
bool is_device(const KnownDevice& device, const Subject& subject) {
    if (meet(device.pci, subject.pci) || meet(device.uuid, subject.uuid)) return true;
    if (clash(device.pci, subject.pci) || clash(device.uuid, subject.uuid)) return false;
    return meet(device.index, subject.index) || meet(device.instance, subject.instance) ||
           meet(device.nvswitch, subject.nvswitch);
}

template <class T>
void fill(std::optional<T>& into, const std::optional<T>& from) {
    if (!into) into = from;
}
void fill(std::string& into, const std::string& from) {
    if (into.empty()) into = from;
}

void absorb(KnownDevice& into, const KnownDevice& from) {
    fill(into.pci, from.pci);
    fill(into.uuid, from.uuid);
    fill(into.index, from.index);
    fill(into.instance, from.instance);
    fill(into.nvswitch, from.nvswitch);
    fill(into.iommu_group, from.iommu_group);
    fill(into.kind, from.kind);
    if (into.holder.empty()) into.holder = from.holder;
}

KnownDevice from_subject(const Subject& s) {
    KnownDevice device;
    device.pci = s.pci;
    device.uuid = s.uuid;
    device.index = s.index;
    device.instance = s.instance;
    device.nvswitch = s.nvswitch;
    device.iommu_group = s.iommu_group;
    return device;
}

}  // namespace

std::string KnownDevice::name() const {
    if (pci) return pci->to_string();
    if (nvswitch) return fmt::format("NVSwitch {}", *nvswitch);
    if (index) return fmt::format("GPU {}", *index);
    if (!uuid.empty()) return uuid;
    if (instance) return fmt::format("GPU{}", *instance);
    return "group " + iommu_group;
}

bool names_device(const Subject& s) { return s.pci || !s.uuid.empty() || s.index || s.instance || s.nvswitch; }

bool same_vm(const model::Holder& a, const model::Holder& b) {
    return !a.vm.empty() && a.vm == b.vm &&
           (a.namespace_.empty() || b.namespace_.empty() || a.namespace_ == b.namespace_);
}

void DeviceTable::learn_one(const Subject& subject) {
    const auto seen = from_subject(subject);
    std::optional<std::size_t> home;
    for (std::size_t i = 0; i < devices_.size(); ++i) {
        if (!is_device(devices_[i], subject)) continue;
        if (!home) {
            home = i;
            absorb(devices_[i], seen);
        } else {
            absorb(devices_[*home], devices_[i]);  // the subject ties two names that came separately
            devices_.erase(devices_.begin() + static_cast<std::ptrdiff_t>(i--));
        }
    }
    if (!home) {
        home = devices_.size();
        devices_.push_back(seen);
    }
    set_holder(*home, subject);
}

void DeviceTable::set_holder(std::size_t device, const Subject& subject) {
    auto& holder = devices_[device].holder;
    if (!subject.vm.empty()) holder.vm = subject.vm;
    if (!subject.namespace_.empty()) holder.namespace_ = subject.namespace_;
    if (!subject.pod.empty()) holder.pod = subject.pod;
}

void DeviceTable::learn(const std::vector<const model::Signal*>& signals) {
    // Strong names first: a lone index must find the device that a later line ties it to, whatever the order of the
    // evidence.
    std::vector<const Subject*> subjects;
    for (const auto* signal : signals)
        if (names_device(signal->subject)) subjects.push_back(&signal->subject);
    const auto strength = [](const Subject* s) { return (s->pci ? 2 : 0) + (s->uuid.empty() ? 0 : 1); };
    std::ranges::stable_sort(subjects, std::greater{}, strength);
    for (const auto* subject : subjects) learn_one(*subject);
    for (const auto* signal : signals) learn_kind(*signal);
    std::ranges::sort(devices_, {}, [](const KnownDevice& d) { return std::tuple(!d.pci, d.pci, d.name()); });
}

/// lspci's class is the best source; else a line of another device's driver says what it is.
void DeviceTable::learn_kind(const model::Signal& signal) {
    const auto number = find(signal.subject);
    if (!number) return;
    auto& kind = devices_[*number].kind;
    if (signal.record == model::RecordType::pci_device) {
        const auto listed = signal.field("kind");
        if (!listed.empty()) kind = listed == "bridge" ? "port" : listed == "other" ? "pci" : listed;
    } else if (kind.empty() || kind == "pci") {
        if (!signal.device_kind.empty()) kind = signal.device_kind == "other" ? "pci" : signal.device_kind;
    }
}

std::optional<std::size_t> DeviceTable::find(const Subject& subject) const {
    if (!names_device(subject)) return std::nullopt;
    const auto it = std::ranges::find_if(devices_, [&](const KnownDevice& d) { return is_device(d, subject); });
    if (it == devices_.end()) return std::nullopt;
    return static_cast<std::size_t>(it - devices_.begin());
}

std::vector<std::size_t> DeviceTable::held_by(const model::Holder& vm) const {
    std::vector<std::size_t> held;
    for (std::size_t i = 0; i < devices_.size(); ++i)
        if (same_vm(devices_[i].holder, vm)) held.push_back(i);
    return held;
}

}  // namespace gpumedic::signals
