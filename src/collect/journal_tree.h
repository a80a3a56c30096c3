// Evidence in which systemd's binary journal files are read as what they hold.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "ports/evidence_tree.h"
#include "ports/journal.h"
#include "ports/probe.h"
#include "ports/spool.h"

namespace gpumedic::collect {

/// Hands everything on to another tree, but a file that begins like a journal is read through libsystemd, in a process
/// of its own (a cut or damaged one may crash it), and comes out as JSON lines. Not inside of archives: libsystemd
/// needs a file. Not thread-safe.
class JournalTree final : public ports::EvidenceTree {
public:
    using JournalMaker = std::function<std::unique_ptr<ports::Journal>(const std::string& path)>;

    JournalTree(std::unique_ptr<ports::EvidenceTree> inner, std::unique_ptr<ports::Probe> probe,
                std::unique_ptr<ports::SpoolMaker> spools, JournalMaker journals)
        : inner_(std::move(inner)),
          probe_(std::move(probe)),
          spools_(std::move(spools)),
          journals_(std::move(journals)) {}

    [[nodiscard]] base::Result<Listing> list(const std::string& argument) override { return inner_->list(argument); }
    [[nodiscard]] base::Result<std::unique_ptr<ports::ByteSource>> open(const ports::EvidenceEntry& entry) override;

private:
    [[nodiscard]] base::Result<std::unique_ptr<ports::ByteSource>> read_journal(const std::string& path);

    std::unique_ptr<ports::EvidenceTree> inner_;
    std::unique_ptr<ports::Probe> probe_;
    std::unique_ptr<ports::SpoolMaker> spools_;
    JournalMaker journals_;
};

}  // namespace gpumedic::collect
