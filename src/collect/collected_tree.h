// A collection as evidence, without a bundle in between.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "ports/evidence_tree.h"
#include "ports/spool.h"

namespace gpumedic::collect {

/// Whatever the argument, its listing is all files in the order in which they were added: that of a bundle. Not
/// thread-safe.
class CollectedTree final : public ports::EvidenceTree {
public:
    void add(std::string name, std::unique_ptr<ports::Spool> bytes);

    [[nodiscard]] base::Result<Listing> list(const std::string& argument) override;
    [[nodiscard]] base::Result<std::unique_ptr<ports::ByteSource>> open(const ports::EvidenceEntry& entry) override;

private:
    struct File {
        std::string name;
        std::unique_ptr<ports::Spool> bytes;
    };
    std::vector<File> files_;
};

}  // namespace gpumedic::collect
