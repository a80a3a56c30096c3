// The sections of one incident, for people. Each adds its lines to the page, or nothing where there is nothing to say.
#pragma once

#include <cstddef>
#include <vector>

#include "model/diagnosis.h"
#include "report/page.h"

namespace gpumedic::report {

/// How many lines each part may take in the summary (headings and blank lines counted). Full detail ignores them.
struct Budget {
    std::size_t identity;
    std::size_t why;
    std::size_t evidence;
    std::size_t do_now;
    std::size_t why_not_less;
    std::size_t do_not;
    std::size_t alternatives;
    std::size_t checks;
    std::size_t missing;
    std::size_t others;
    std::size_t other_incident;  // each of the second and third
    std::size_t more_incidents;  // the rest, a line each
    std::size_t unexplained;
    std::size_t benign;
    std::size_t sources;
};

/// Node, devices, victims, times: who it is about.
void add_identity(Page& page, const model::Incident& incident);
/// Everything else of the incident that matters most (or of every incident, in full detail).
void add_incident(Page& page, const model::Incident& incident, const Budget& budget);
/// A second or third incident: action and its first command while it is open, devices.
void add_short_incident(Page& page, const model::Incident& incident);
/// Missing evidence and the commands that would obtain it.
void add_missing(Page& page, std::string_view heading, const std::vector<model::MissingEvidence>& missing);

}  // namespace gpumedic::report
