#include "collect/collected_tree.h"

#include <algorithm>
#include <utility>

namespace gpumedic::collect {

void CollectedTree::add(std::string name, std::unique_ptr<ports::Spool> bytes) {
    files_.push_back({std::move(name), std::move(bytes)});
}

base::Result<ports::EvidenceTree::Listing> CollectedTree::list(const std::string& /*argument*/) {
    Listing listing;
    for (const auto& file : files_) listing.entries.push_back({file.name, file.name});
    return listing;
}

base::Result<std::unique_ptr<ports::ByteSource>> CollectedTree::open(const ports::EvidenceEntry& entry) {
    const auto found =
        std::find_if(files_.begin(), files_.end(), [&](const File& file) { return file.name == entry.path; });
    if (found == files_.end()) return base::fail(base::ErrorCode::not_found, "not collected", entry.path);
    return found->bytes->open();
}

}  // namespace gpumedic::collect
