// What the catalogue covers, and where it has nothing to say. Pure.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "knowledge/catalogue.h"
#include "report/report.h"

namespace gpumedic::cli {

struct ClassCoverage {
    std::string_view id;
    std::size_t faults{};
    std::size_t signals{};  // definitions and codes that speak for one of its faults
};

struct Coverage {
    std::vector<ClassCoverage> classes;    // in the catalogue's order
    std::size_t signals{};                 // definitions and codes
    std::vector<std::string> unexplained;  // of severity warning and above, and no fault lists them
    std::vector<std::string_view> unused;  // facts (severity info) that no fault, plan or check of one asks about
};

[[nodiscard]] Coverage coverage_of(const knowledge::Catalogue& catalogue);

[[nodiscard]] std::string render_coverage_text(const Coverage& coverage, const report::TextOptions& options);
/// Schema gpumedic.coverage/v1.
[[nodiscard]] std::string render_coverage_json(const Coverage& coverage, std::string_view version);

}  // namespace gpumedic::cli
