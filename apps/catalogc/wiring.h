// The only file of this program that names an adapter.
#pragma once

#include <filesystem>

#include "base/result.h"
#include "knowledge/loader.h"

namespace gpumedic::catalogc {

/// The files below the folder, named relative to it, so that the blob does not depend on where the checkout lies.
[[nodiscard]] base::Result<knowledge::CatalogueLayer> read_layer(const std::filesystem::path& folder);

}  // namespace gpumedic::catalogc
