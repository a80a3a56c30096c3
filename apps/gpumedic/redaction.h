// Evidence in, the same evidence without names out.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/result.h"
#include "knowledge/catalogue.h"
#include "ports/bundle_target.h"
#include "ports/evidence_tree.h"
#include "ports/spool.h"
#include "redact/token_map.h"

namespace gpumedic::cli {

struct RedactionSummary {
    std::uint64_t files{};
    std::uint64_t bytes{};                // written
    std::vector<std::string> left_out{};  // "name: why": binary files, what could not be read
};

/// Reads all of it twice: for names, then to replace them. Archives and compressed files are unpacked. Errors: no
/// readable input, the target.
[[nodiscard]] base::Result<RedactionSummary> redact_evidence(const knowledge::Index& index, ports::EvidenceTree& tree,
                                                             const std::vector<std::string>& paths,
                                                             ports::SpoolMaker& spools, ports::BundleTarget& target,
                                                             redact::TokenMap& map);

/// The map of an earlier redaction, or an empty one where there is no such file.
[[nodiscard]] base::Result<redact::TokenMap> read_token_map(const std::string& path);
/// Readable by its owner only.
[[nodiscard]] base::Result<void> write_token_map(const redact::TokenMap& map, const std::string& path);
/// "bundle.tar.zst" -> "bundle.tar.zst.redaction-map.json": beside the output, never inside of it.
[[nodiscard]] std::string map_path_for(const std::string& output);

}  // namespace gpumedic::cli
