// What the Kubernetes API knows of one node, as pieces of evidence in the forms that our readers know from kubectl.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "ports/cluster.h"

namespace gpumedic::adapters::kube {

enum class Outcome : std::uint8_t {
    ok,
    absent,     // no such object, no object of this kind on the node, or a kind that the cluster does not have
    denied,     // our rights do not suffice, or we are not accepted at all
    timed_out,  // not read, or not read to its end, within the time
    truncated,  // a cap, or the answer was cut off: what was read is there
    failed,     // not reached, or no sensible answer: nothing can be said of the object
};
/// "ok", "absent", "denied", "timed_out", "truncated", "failed"
[[nodiscard]] std::string_view name_of(Outcome outcome);

struct NodeObject {
    std::string name{};     // "kubernetes/pods.json": a file name below a bundle
    std::string command{};  // what a person would type for the same
    std::string text{};     // a JSON List as kubectl prints it, or log lines; empty where nothing was read
    Outcome outcome{Outcome::ok};
    std::string why{};   // where it is not ok: what happened
    std::string help{};  // and what to do; may be empty
    std::uint64_t objects{};
    std::chrono::milliseconds took{};
};

struct NodeObjectsRequest {
    std::string node{};
    std::chrono::milliseconds timeout{30'000};  // for all together
    std::stop_token stop{};
    std::uint64_t max_bytes{std::uint64_t{32} << 20};  // of each text
    std::chrono::seconds log_since{24 * 3600};
};

/// Always these, in this order: node, pods on it, VMIs on it, VMs of these, events of all these, KubeVirt's CR, the log
/// of the node's virt-handler. VMs and VMIs of the node are also those that its virt-launcher pods and its
/// virt-handler's events name: between two failed starts there is no VMI. Asks `cluster` from the calling thread, one
/// call after the other; memory is bound by the caps. Never fails as a whole: each piece tells its outcome. As
/// thread-safe as `cluster`.
[[nodiscard]] std::vector<NodeObject> read_node_objects(ports::Cluster& cluster, const NodeObjectsRequest& request);

}  // namespace gpumedic::adapters::kube
