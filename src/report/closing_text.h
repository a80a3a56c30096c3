// What stands below the incidents, for people: what stays unexplained, what is harmless, what was read.
#pragma once

#include <cstddef>

#include "model/diagnosis.h"
#include "report/page.h"

namespace gpumedic::report {

void add_unexplained(Page& page, const model::Diagnosis& diagnosis, std::size_t lines);
void add_benign(Page& page, const model::Diagnosis& diagnosis, std::size_t lines);
/// Counts, the sources by name, and those that are not complete with their reason; a table in full detail.
void add_sources(Page& page, const model::Diagnosis& diagnosis, std::size_t lines);
/// Whether nothing that was read could have shown a GPU fault, and nothing did.
[[nodiscard]] bool speaks_of_nothing(const model::Diagnosis& diagnosis);

}  // namespace gpumedic::report
