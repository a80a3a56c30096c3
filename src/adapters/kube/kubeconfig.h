// kubeconfig files: clusters, users, contexts. Pure but for the certificate authority's file.
#pragma once

#include <string>
#include <vector>

#include "adapters/kube/access.h"
#include "codec/value.h"

namespace gpumedic::adapters::kube {

struct ConfigFile {
    std::string path{};
    codec::Value tree{};
};

/// One file. Fields that nobody knows are passed over, as kubectl does it; a field of the wrong form is an error with
/// its place. An empty text is a file that says nothing.
[[nodiscard]] base::Result<ConfigFile> parse_kubeconfig(const std::string& text, const std::string& path);

/// What the files, the earlier one first in rank, say of the context (empty: the current one). Relative paths are
/// relative to the file that holds them. Reads the certificate authority's file.
[[nodiscard]] base::Result<Access> resolve_context(const std::vector<ConfigFile>& files, const std::string& context);

}  // namespace gpumedic::adapters::kube
