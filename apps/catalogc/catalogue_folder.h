// Reads a catalogue's files from disk and writes the blob: the only I/O of the build tool.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "base/result.h"
#include "knowledge/loader.h"

namespace gpumedic::catalogc {

/// All *.yaml (and *.yml) files below `folder`, sorted by path; other files (README.md) are passed over. Paths are
/// relative to the folder ("signals/xid.yaml"), so that the blob does not depend on where the checkout lies; the kind
/// is the first part.
[[nodiscard]] base::Result<knowledge::CatalogueLayer> read_catalogue_folder(const std::filesystem::path& folder);

/// Writes beside the target and renames: an interrupted build leaves no half blob behind that looks up to date.
[[nodiscard]] base::Result<std::size_t> write_file(const std::filesystem::path& target, std::string_view bytes);

}  // namespace gpumedic::catalogc
