// ports::ServiceTexts by NVML: one text in the form of `nvidia-smi -q`.
#pragma once

#include <string>

#include "adapters/nvml/library.h"
#include "ports/service_texts.h"

namespace gpumedic::adapters::nvml {

/// The listing of all GPUs. A GPU that cannot be asked has the line that nvidia-smi prints in its place, and so has a
/// library that cannot begin. What a GPU does not support is left out.
[[nodiscard]] std::string list_gpus(const Functions& nvml);

class NvmlListing final : public ports::ServiceTexts {
public:
    /// May hang or crash with the driver: to be called in a process that can be spared.
    [[nodiscard]] std::vector<ports::ServiceText> about(const std::string& node,
                                                        std::chrono::milliseconds timeout) override;
};

}  // namespace gpumedic::adapters::nvml
