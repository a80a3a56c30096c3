// What a node's evidence comes to, read once: the diagnosis and the inventory. Of this node, a copied tree, or paths.
#pragma once

#include "arguments.h"
#include "base/result.h"
#include "knowledge/catalogue.h"
#include "model/diagnosis.h"
#include "ports/evidence_tree.h"
#include "verify/inventory.h"

namespace gpumedic::cli {

struct Observation {
    model::Diagnosis diagnosis{};
    verify::Seen seen{};
};

/// Of `paths`; where there are none, of this node or --root.
[[nodiscard]] base::Result<Observation> observe(const knowledge::Index& index, const Arguments& arguments,
                                                const std::vector<std::string>& paths);
/// Of a text that a command printed.
[[nodiscard]] base::Result<Observation> observe_text(const knowledge::Index& index, const std::string& name,
                                                     const std::string& text);

/// A file of ours (a saved diagnosis, a baseline): at most 64 MiB.
[[nodiscard]] base::Result<std::string> read_own_file(const std::string& path);

}  // namespace gpumedic::cli
