// What a service outside of the node knows of it (the cluster's API, the BMC), as pieces of evidence.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace gpumedic::ports {

struct ServiceText {
    enum class Outcome : std::uint8_t {
        ok,
        absent,     // it has no such thing, or nobody has configured it
        denied,     // our rights do not suffice
        timed_out,  // not read, or not to its end, in time
        truncated,  // at a cap; what was read is there
        failed,     // not reached, or no sensible answer
    };
    std::string name{};  // in the bundle: "kubernetes/pods.json"
    std::string text{};  // as a reader knows it; empty where nothing was read
    Outcome outcome{Outcome::ok};
    std::string why{};  // where it is not ok: what happened, and what helps
};

class ServiceTexts {
public:
    virtual ~ServiceTexts() = default;
    /// Ends within `timeout` (name look-up excepted). Where none is configured: one text, absent, that says where a
    /// configuration was looked for. Asks only; called from one thread.
    [[nodiscard]] virtual std::vector<ServiceText> about(const std::string& node,
                                                         std::chrono::milliseconds timeout) = 0;
};

}  // namespace gpumedic::ports
