// The collection of a node as the commands need it: into a bundle, or as evidence in memory.
#pragma once

#include <memory>

#include "arguments.h"
#include "base/result.h"
#include "collect/collect.h"
#include "ports/evidence_tree.h"

namespace gpumedic::cli {

/// --root, --since, --boots, --only, --skip, --max-bytes, --timeout as values. Errors: usage.
[[nodiscard]] base::Result<collect::Options> collect_options(const Arguments& arguments);

/// Shows what is done on standard error, where that is a terminal and nobody wants silence; else nothing.
[[nodiscard]] collect::ProgressSink terminal_progress(const Arguments& arguments);

/// The node's evidence, for `diagnose` without a path.
[[nodiscard]] base::Result<std::unique_ptr<ports::EvidenceTree>> collect_evidence(const Arguments& arguments);

}  // namespace gpumedic::cli
