// Which objects belong to a node, learnt while they pass. Pure.
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "codec/value.h"

namespace gpumedic::adapters::kube {

struct ObjectName {
    std::string namespace_{};
    std::string name{};
    auto operator<=>(const ObjectName&) const = default;
};

/// Takes pods and VMIs first, then events, then answers for VMs. Objects that are not JSON are passed over: whoever
/// reads the evidence counts them. Not thread-safe.
class NodeSelection {
public:
    explicit NodeSelection(std::string node) : node_(std::move(node)) {}

    void add_pod(std::string_view json);
    void add_vmi(std::string_view json);
    /// Whether the event is of this node for sure. One of a VM or VMI that may still turn out to be is kept aside, up
    /// to a cap.
    [[nodiscard]] bool take_event(std::string_view json);
    /// Those kept aside whose VM or VMI is of this node.
    [[nodiscard]] std::vector<std::string> waiting_events() const;
    [[nodiscard]] bool is_vm_of_node(std::string_view json) const;
    /// Empty where there is none.
    [[nodiscard]] const ObjectName& virt_handler() const { return virt_handler_; }

    static constexpr std::size_t kMaxWaitingBytes = std::size_t{16} << 20;

private:
    struct Waiting {
        ObjectName machine;
        std::string json;
    };
    std::string node_;
    std::set<ObjectName> pods_;
    std::set<ObjectName> machines_;  // VMs and VMIs share their names
    ObjectName virt_handler_;
    std::vector<Waiting> waiting_;
    std::size_t waiting_bytes_{0};
};

}  // namespace gpumedic::adapters::kube
