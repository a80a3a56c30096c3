// Kubernetes objects as trees -> records. Pure. The trees come from JSON, from YAML or from the text of `kubectl
// describe`.
#pragma once

#include <vector>

#include "base/timestamp.h"
#include "codec/value.h"
#include "evidence/kubectl/draft.h"

namespace gpumedic::evidence::kubectl {

/// The records of one object, or of all objects of a List, in its order; none for kinds that we do not know. A draft's
/// `line` is the tree's line of the telling member (0 where the tree has no places, then the anchor names it); `raw` is
/// left to the caller. `kind` is that of an object which does not say its own: an item of a typed list.
[[nodiscard]] std::vector<Draft> drafts_of(const codec::Value& object, const base::TimeContext& context,
                                           std::string_view kind = {});

/// Whether drafts_of knows the kind ("VirtualMachine", "PodList", "List" ...).
[[nodiscard]] bool is_known_kind(std::string_view kind);

}  // namespace gpumedic::evidence::kubectl
