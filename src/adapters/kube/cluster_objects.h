// ports::ServiceTexts by the client of this folder, with the configuration that this machine has.
#pragma once

#include <string>

#include "ports/service_texts.h"

namespace gpumedic::adapters::kube {

class NodeObjectsOfApi final : public ports::ServiceTexts {
public:
    /// The kubelet's own configuration: what a node has where nobody gave it another. May read its node and pods, not
    /// VMs.
    static constexpr const char* kKubeletConfig = "/etc/kubernetes/kubelet.conf";

    /// $NODE_NAME, which a DaemonSet sets, counts before `node`.
    [[nodiscard]] std::vector<ports::ServiceText> about(const std::string& node,
                                                        std::chrono::milliseconds timeout) override;
};

}  // namespace gpumedic::adapters::kube
