// What a cluster's API knows of one node, as pieces of evidence.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace gpumedic::ports {

struct ClusterObject {
    enum class Outcome : std::uint8_t {
        ok,
        absent,     // no such object, or a kind that the cluster does not have
        denied,     // our rights do not suffice
        timed_out,  // not read, or not to its end, in time
        truncated,  // at a cap; what was read is there
        failed,     // not reached, or no sensible answer
    };
    std::string name{};  // "kubernetes/pods.json"
    std::string text{};  // a List as kubectl prints it, or log lines; empty where nothing was read
    Outcome outcome{Outcome::ok};
    std::string why{};  // where it is not ok: what happened, and what helps
};

class ClusterObjects {
public:
    virtual ~ClusterObjects() = default;
    /// Ends within `timeout` (name look-up excepted). Where no cluster is configured: one object, absent, that says
    /// where a configuration was looked for. Asks only; called from one thread.
    [[nodiscard]] virtual std::vector<ClusterObject> of_node(const std::string& node,
                                                             std::chrono::milliseconds timeout) = 0;
};

}  // namespace gpumedic::ports
