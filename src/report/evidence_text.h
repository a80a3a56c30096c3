// Quoted evidence, for people.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "model/diagnosis.h"
#include "report/page.h"

namespace gpumedic::report {

/// Which items a summary of `room` lines quotes, in order: first one of every
/// signal and line (a line can carry several signals), then the rest as they come.
[[nodiscard]] std::vector<std::size_t> choose_evidence(const std::vector<model::EvidenceItem>& items, std::size_t room);

/// A section of quoted lines: one cut line each in at most `lines` lines with its heading; everything in full detail.
void add_evidence(Page& page, std::string_view heading, const std::vector<model::EvidenceItem>& items,
                  std::size_t lines);

/// One quoted line, cut to the width: "kernel.log:17  2025-10-10T22:25:01+09:00  text".
void add_quote(Page& page, std::size_t indent, const model::EvidenceItem& item);

}  // namespace gpumedic::report
