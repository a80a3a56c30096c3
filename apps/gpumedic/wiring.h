// The only place that names concrete adapters and where the catalogue comes from.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "collect/collect.h"
#include "knowledge/catalogue.h"
#include "knowledge/loader.h"
#include "ports/bundle_target.h"
#include "ports/evidence_tree.h"

namespace gpumedic::cli {

/// The files of this machine.
[[nodiscard]] std::unique_ptr<ports::EvidenceTree> make_evidence_tree();

/// What a collection needs of a node: this one ("/"), or a copied tree. `spill_folder` is where much waits.
struct NodeWorld {
    std::unique_ptr<ports::Probe> probe;
    std::unique_ptr<ports::NodeFiles> files;
    std::unique_ptr<ports::Journal> journal;
    std::unique_ptr<ports::SpoolMaker> spools;
    std::unique_ptr<ports::ServiceTexts> cluster;  // these three: none for a copied tree
    std::unique_ptr<ports::ServiceTexts> bmc;
    std::unique_ptr<ports::ServiceTexts> nvml;
    [[nodiscard]] collect::Ports ports() const {
        return {*probe, *files, *journal, *spools, cluster.get(), bmc.get(), nvml.get()};
    }
};
[[nodiscard]] NodeWorld make_node_world(const std::string& root, const std::string& spill_folder);

/// An archive or a folder, by its name. Errors: usage.
[[nodiscard]] base::Result<std::unique_ptr<ports::BundleTarget>> make_bundle_target(const std::string& path,
                                                                                    std::chrono::seconds time);

/// The built-in catalogue, the machine's site folder (/etc/gpumedic/catalog.d, where it exists), then `folders` in
/// order. All mistakes are in `problems`; the catalogue is usable only when none is an error.
[[nodiscard]] knowledge::LoadResult load_catalogue(const std::vector<std::string>& folders);

/// Also runs the examples of every definition.
[[nodiscard]] knowledge::LoadResult lint_catalogue(const std::vector<std::string>& folders);

}  // namespace gpumedic::cli
