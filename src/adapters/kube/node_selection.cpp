#include "adapters/kube/node_selection.h"

#include <optional>

namespace gpumedic::adapters::kube {

using codec::Value;

namespace {

std::optional<Value> tree_of(std::string_view json) {
    auto tree = codec::parse_json(json, {.bytes = std::size_t{16} << 20, .nodes = 1'000'000, .depth = 200});
    if (!tree) return std::nullopt;
    return std::move(*tree);
}

ObjectName name_in(const Value& object) {
    return {std::string(object.text({"metadata", "namespace"})), std::string(object.text({"metadata", "name"}))};
}

/// The VMI that a virt-launcher pod belongs to: its owner, else the annotation that KubeVirt puts there.
std::string vmi_of(const Value& pod) {
    if (const Value* owners = pod.at({"metadata", "ownerReferences"}); owners != nullptr) {
        for (const auto& owner : owners->items) {
            if (owner.text({"kind"}) == "VirtualMachineInstance") return std::string(owner.text({"name"}));
        }
    }
    return std::string(pod.text({"metadata", "annotations", "kubevirt.io/domain"}));
}

}  // namespace

void NodeSelection::add_pod(std::string_view json) {
    const auto pod = tree_of(json);
    if (!pod) return;
    const auto name = name_in(*pod);
    pods_.insert(name);
    const auto component = pod->text({"metadata", "labels", "kubevirt.io"});
    if (component == "virt-handler") virt_handler_ = name;
    if (component != "virt-launcher") return;
    if (auto vmi = vmi_of(*pod); !vmi.empty()) machines_.insert({name.namespace_, std::move(vmi)});
}

void NodeSelection::add_vmi(std::string_view json) {
    if (const auto vmi = tree_of(json)) machines_.insert(name_in(*vmi));
}

bool NodeSelection::take_event(std::string_view json) {
    const auto event = tree_of(json);
    if (!event) return false;
    const auto kind = event->text({"involvedObject", "kind"});
    const ObjectName about{std::string(event->text({"involvedObject", "namespace"})),
                           std::string(event->text({"involvedObject", "name"}))};
    const bool machine = kind == "VirtualMachine" || kind == "VirtualMachineInstance";
    const bool from_here = event->text({"source", "host"}) == node_ || event->text({"reportingInstance"}) == node_;
    if (from_here && machine) machines_.insert(about);
    if (from_here) return true;
    if (kind == "Node") return about.name == node_;
    if (kind == "Pod") return pods_.contains(about);
    if (!machine) return false;
    if (machines_.contains(about)) return true;
    if (waiting_bytes_ + json.size() <= kMaxWaitingBytes) {
        waiting_bytes_ += json.size();
        waiting_.push_back({about, std::string(json)});
    }
    return false;
}

std::vector<std::string> NodeSelection::waiting_events() const {
    std::vector<std::string> found;
    for (const auto& one : waiting_) {
        if (machines_.contains(one.machine)) found.push_back(one.json);
    }
    return found;
}

bool NodeSelection::is_vm_of_node(std::string_view json) const {
    const auto vm = tree_of(json);
    if (!vm) return false;
    if (machines_.contains(name_in(*vm))) return true;
    return vm->text({"spec", "template", "spec", "nodeSelector", "kubernetes.io/hostname"}) == node_;
}

}  // namespace gpumedic::adapters::kube
