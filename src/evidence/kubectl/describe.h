// The text of `kubectl describe`: fields by indent, then a table of events. Pure.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "codec/value.h"
#include "evidence/kubectl/command.h"
#include "evidence/kubectl/draft.h"

namespace gpumedic::evidence::kubectl {

struct Line {
    std::uint64_t number{};
    std::string text{};
};

/// The fields as a tree with the members' names of the object's JSON form ("Printable Status" -> printableStatus),
/// `line` set.
[[nodiscard]] codec::Value parse_described_object(const std::vector<Line>& lines);

/// The records of one described object: its state, then its events. Events carry the object's kind and name, from the
/// text, else from the command, else from what the events themselves say. `malformed` receives the numbers of event
/// lines that cannot be read.
[[nodiscard]] std::vector<Draft> drafts_of_description(const std::vector<Line>& lines, const Command& command,
                                                       const base::TimeContext& context,
                                                       std::vector<std::uint64_t>& malformed);

}  // namespace gpumedic::evidence::kubectl
