// Reads what a collection says of itself: schema gpumedic.manifest/v1.
#pragma once

#include "ports/reader.h"

namespace gpumedic::evidence {

/// Gives a `collected_item` record for each item, and each file of an item, whose outcome is not "ok". Thread-safe.
[[nodiscard]] ports::ReaderKind collection_kind();

}  // namespace gpumedic::evidence
