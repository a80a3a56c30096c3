// Reads the files of a site's catalogue folder. Only reads; what the files say is checked by src/knowledge.
#pragma once

#include <string>

#include "base/result.h"
#include "knowledge/loader.h"

namespace gpumedic::cli {

[[nodiscard]] bool folder_exists(const std::string& path);

/// All *.yaml and *.yml below the folder (links not followed), sorted by path, with paths that an editor can open. The
/// first folder below `folder` is the kind. Caps: 10 000 files of 4 MiB. An empty folder, or a file that cannot be
/// read, is an error.
[[nodiscard]] base::Result<knowledge::CatalogueLayer> read_catalogue_folder(const std::string& folder);

}  // namespace gpumedic::cli
