// The files of a catalogue folder as a layer.
#pragma once

#include <filesystem>

#include "base/result.h"
#include "knowledge/loader.h"

namespace gpumedic::adapters {

/// How files are called in what is said of them.
enum class FileNames {
    as_found,     // paths that an editor can open
    below_folder  // "signals/xid.yaml": what is built from them does not depend on where they lie
};

/// All *.yaml and *.yml below the folder (links not followed), sorted by path; the first folder below `folder` is the
/// kind. Caps: 10 000 files of 4 MiB. An empty folder, or a file that cannot be read, is an error. Thread-safe.
[[nodiscard]] base::Result<knowledge::CatalogueLayer> read_catalogue_folder(const std::filesystem::path& folder,
                                                                            FileNames names);

}  // namespace gpumedic::adapters
