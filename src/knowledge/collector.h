// Definitions of several files and layers become one set. Private to the module.
#pragma once

#include <set>
#include <string>

#include "knowledge/definitions.h"

namespace gpumedic::knowledge {

struct Collected {
    Definitions definitions;
    /// Folders of which a file could not be read at all: references into them are not judged, or one broken file would
    /// be reported again at every place that names something of it.
    std::set<std::string, std::less<>> unreadable;
};

/// The compiled base as layer 0.
void collect_base(const Catalogue& base, Collected& into);

/// Adds `from` as layer `layer`. The same id twice inside one layer is a mistake; an earlier layer's definition is
/// replaced in its position, so the order of a catalogue does not depend on what a site overrides.
void collect_layer(Definitions from, std::size_t layer, Collected& into, ProblemList& problems);

}  // namespace gpumedic::knowledge
