// The only place that names concrete adapters and where the catalogue comes from.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "knowledge/catalogue.h"
#include "knowledge/loader.h"
#include "ports/evidence_tree.h"

namespace gpumedic::cli {

/// The files of this machine.
[[nodiscard]] std::unique_ptr<ports::EvidenceTree> make_evidence_tree();

/// The built-in catalogue, the machine's site folder (/etc/gpumedic/catalog.d, where it exists), then `folders` in
/// order. All mistakes are in `problems`; the catalogue is usable only when none is an error.
[[nodiscard]] knowledge::LoadResult load_catalogue(const std::vector<std::string>& folders);

/// Also runs the examples of every definition.
[[nodiscard]] knowledge::LoadResult lint_catalogue(const std::vector<std::string>& folders);

}  // namespace gpumedic::cli
