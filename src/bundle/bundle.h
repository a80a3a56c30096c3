// Reads everything the user named: recognises each source by content, splits shell transcripts into their commands, and
// hands every record on. Knows formats only through the table of readers (reader_table.h).
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/timestamp.h"
#include "model/diagnosis.h"
#include "model/record.h"
#include "ports/evidence_tree.h"

namespace gpumedic::bundle {

/// Receives each record with the index of its source in the list that read_evidence returns. Valid during the call
/// only.
using RecordSink = std::function<void(std::uint32_t source, const model::Record& record)>;

struct Options {
    base::TimeContext time;  // for times without zone or year
    std::uint64_t max_source_bytes = std::uint64_t{64} << 30;
    std::uint64_t max_entries = 100'000;
};

/// Reads all arguments (files, folders, "-"). One Source per file, or per command of a transcript; what nothing
/// recognised is listed with outcome "unrecognised" and its lines are delivered as RecordType::text, so that a pasted
/// fault line inside is still seen. Partly unreadable input goes on (outcome "denied", "absent", "truncated"); an error
/// is returned only when not a single argument could be opened (ErrorCode::not_found or denied, every path and reason
/// in `what`). Not thread-safe.
[[nodiscard]] base::Result<std::vector<model::Source>> read_evidence(ports::EvidenceTree& tree,
                                                                     const std::vector<std::string>& arguments,
                                                                     const Options& options, const RecordSink& sink);

}  // namespace gpumedic::bundle
