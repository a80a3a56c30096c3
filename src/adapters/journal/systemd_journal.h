// A journal read through libsystemd.
#pragma once

#include <cstdint>
#include <string>

#include "ports/journal.h"

namespace gpumedic::adapters {

/// Where a journal's files are.
struct JournalPlace {
    enum class Kind : std::uint8_t {
        node,  // below the root of a node's tree ("/" for this machine)
        path,  // a .journal file, or a folder of them
    } kind{Kind::node};
    std::string path{"/"};
};

/// Opens its files with every call and keeps nothing, so it can be used after fork. Memory does not grow with the
/// journal: the files are mapped, window by window.
class SystemdJournal final : public ports::Journal {
public:
    explicit SystemdJournal(JournalPlace place) : place_(std::move(place)) {}
    [[nodiscard]] base::Result<ports::JournalSummary> read(const ports::JournalQuery& query,
                                                           const ports::JournalSink& sink) override;

private:
    JournalPlace place_;
};

}  // namespace gpumedic::adapters
