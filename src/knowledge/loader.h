// YAML -> Catalogue, in three steps: read (text to definitions with places), collect (definitions of several files and
// site directories become one set; later directories add or replace), compile (references, examples, languages, graph).
// All mistakes of a load are reported at once.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "knowledge/catalogue.h"

namespace gpumedic::knowledge {

/// One mistake in a catalogue: code, place, the offending line, why, and what to do. Codes are stable
/// (docs/catalogue.md).
struct Problem {
    enum class Level : std::uint8_t { warning, error } level{Level::error};
    std::string code;  // "CAT-007"
    std::string file;  // as given
    std::uint32_t line{};
    std::uint32_t column{};
    std::string snippet;
    std::string what;
    std::string help;
    /// "catalog/faults/x.yaml:12:5: error CAT-007: unknown signal 'xid.7979'\n    12 |  - signal: xid.7979\n  help:
    /// ..."
    [[nodiscard]] std::string render() const;
};

/// One YAML file, already read. `kind` is the folder it stands in: signals, faults, actions, checks, classes.
struct CatalogueFile {
    std::string path;
    std::string kind;
    std::string text;
};

/// A layer: the embedded catalogue's own files, or one site directory. Later layers add definitions or replace those of
/// the same id.
struct CatalogueLayer {
    std::vector<CatalogueFile> files;
};

struct LoadResult {
    Catalogue catalogue;            // usable only when no problem is an error
    std::vector<Problem> problems;  // in order of file and line
    [[nodiscard]] bool ok() const;
};

/// Layers on top of `base` (an already compiled catalogue, which may be empty).
[[nodiscard]] LoadResult load_catalogue(const Catalogue& base, const std::vector<CatalogueLayer>& layers);

}  // namespace gpumedic::knowledge
