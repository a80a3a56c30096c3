// manifest.json: what was collected, and what was not. Its form is in docs/collect.md.
#pragma once

#include <string>

#include "collect/collect.h"

namespace gpumedic::collect {

inline constexpr const char* kManifestFile = "manifest.json";

struct ManifestHead {
    std::string node{};
    std::string boot{};  // boot id
    std::string user{};  // "root", "uid 1000"
};

inline constexpr const char* kFirstFile = "collection.json";

/// What a reader must know before the rest: schema gpumedic.collection/v1. Pure.
[[nodiscard]] std::string render_first_words(const ManifestHead& head, const Options& options);
/// Schema gpumedic.manifest/v1. Pure.
[[nodiscard]] std::string render_manifest(const ManifestHead& head, const Options& options, const Summary& summary);

}  // namespace gpumedic::collect
