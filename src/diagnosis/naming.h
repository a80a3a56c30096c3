// Fills the placeholders of catalogue texts.
#pragma once

#include <string>

#include "model/diagnosis.h"
#include "model/localized.h"

namespace gpumedic::diagnosis {

/// {device} {vm} {node} in texts; what the evidence does not name is said so in words.
[[nodiscard]] model::Localized fill_text(const model::Localized& text, const model::Incident& incident);
/// {pci} {node} {vm} {namespace} {uuid} {index} {iommu_group} in commands; what is not known stays as "<pci>".
[[nodiscard]] std::string fill_command(const std::string& command, const model::Incident& incident);
/// "namespace/name", or the name alone.
[[nodiscard]] std::string vm_name(const model::Holder& holder);

}  // namespace gpumedic::diagnosis
