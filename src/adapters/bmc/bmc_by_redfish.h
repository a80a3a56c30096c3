// ports::ServiceTexts by a BMC's Redfish service.
#pragma once

#include <string>
#include <utility>

#include "ports/service_texts.h"

namespace gpumedic::adapters::bmc {

inline constexpr const char* kConfigFile = "/etc/gpumedic/bmc.yaml";

class BmcByRedfish final : public ports::ServiceTexts {
public:
    explicit BmcByRedfish(std::string config) : config_(std::move(config)) {}
    /// $GPUMEDIC_BMC names another configuration.
    [[nodiscard]] std::vector<ports::ServiceText> about(const std::string& node,
                                                        std::chrono::milliseconds timeout) override;

private:
    std::string config_;
};

}  // namespace gpumedic::adapters::bmc
