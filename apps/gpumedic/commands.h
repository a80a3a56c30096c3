// One function per command: does it, prints it, returns the exit code.
#pragma once

#include "arguments.h"

namespace gpumedic::cli {

[[nodiscard]] int run(const Arguments& arguments);

[[nodiscard]] int run_diagnose(const Arguments& arguments);
/// Of this node, or of a copied tree, into a bundle.
[[nodiscard]] int run_collect(const Arguments& arguments);
/// Evidence without names, into a bundle.
[[nodiscard]] int run_redact(const Arguments& arguments);
/// Of this node, a copied tree, or evidence, after a repair.
[[nodiscard]] int run_verify(const Arguments& arguments);
/// baseline save, show, diff.
[[nodiscard]] int run_baseline(const Arguments& arguments);
[[nodiscard]] int run_explain(const Arguments& arguments);
/// catalog list, show, lint, patterns.
[[nodiscard]] int run_catalog(const Arguments& arguments);

}  // namespace gpumedic::cli
