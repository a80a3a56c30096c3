// Archives and folders that appear in one step.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "base/result.h"
#include "ports/bundle_target.h"

namespace gpumedic::adapters {

/// Opens the target before anything is collected. A name that ends like an archive's (codec/archive_writer.h) gives
/// one, another name a folder, which must not exist or be empty. `time` is that of the files, in seconds since 1970.
/// Errors (usage): a place that cannot be written, a folder with something in it, an ending that is neither (".zip").
/// Permissions are the owner's alone: logs of a node are not for everybody.
[[nodiscard]] base::Result<std::unique_ptr<ports::BundleTarget>> make_bundle_target(const std::string& path,
                                                                                    std::int64_t time);

}  // namespace gpumedic::adapters
