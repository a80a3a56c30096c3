// Whether an answer says what a truth says.
#pragma once

#include <string>
#include <vector>

#include "model/diagnosis.h"

namespace gpumedic::replay {

/// Does this device answer to a name that a truth gives: a PCI address, "GPU 3", a UUID?
[[nodiscard]] bool names(const model::Device& device, const std::string& wanted);

/// Functions of one card count as one; a list without addresses says nothing about addresses.
[[nodiscard]] bool is_among(const std::string& pci, const std::vector<std::string>& devices);

[[nodiscard]] bool one_of(const std::string& value, const std::string& expected, const std::vector<std::string>& also);

}  // namespace gpumedic::replay
