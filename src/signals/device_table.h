// Which names mean the same thing. A GPU is a PCI address to the kernel, an index to nvidia-smi, a UUID to the device
// plugin, a group to vfio and a VM's property to KubeVirt; signals that carry two names at once tie them together.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "model/diagnosis.h"
#include "model/signal.h"

namespace gpumedic::signals {

struct KnownDevice {
    std::optional<model::PciAddress> pci{};
    std::string uuid{};
    std::optional<int> index{};
    std::optional<int> instance{};
    std::optional<int> nvswitch{};
    std::string iommu_group{};
    std::string kind{};  // as model::Device::kind; empty: nothing tells
    model::Holder holder{};

    /// How a report calls it: the address where it is known, else what there is.
    [[nodiscard]] std::string name() const;
};

/// The devices of one node and vantage. Names that tie to nothing else are devices of their own ("GPU 3" stays
/// visible).
class DeviceTable {
public:
    /// Learns from every subject; order does not matter.
    void learn(const std::vector<const model::Signal*>& signals);
    /// The device a subject speaks of, if it names one.
    [[nodiscard]] std::optional<std::size_t> find(const model::Subject& subject) const;
    [[nodiscard]] const std::vector<KnownDevice>& devices() const { return devices_; }
    /// Devices that a VM ("namespace/name", or a bare name where the namespace is not known) holds.
    [[nodiscard]] std::vector<std::size_t> held_by(const model::Holder& vm) const;

private:
    void learn_one(const model::Subject& subject);
    void learn_kind(const model::Signal& signal);
    void set_holder(std::size_t device, const model::Subject& subject);
    std::vector<KnownDevice> devices_;
};

/// Names one device at all?
[[nodiscard]] bool names_device(const model::Subject& subject);
/// Same VM: equal names, and equal namespaces where both are known.
[[nodiscard]] bool same_vm(const model::Holder& a, const model::Holder& b);

}  // namespace gpumedic::signals
