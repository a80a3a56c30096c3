// A Kubernetes node: its extended resources, conditions, taints, and whether it takes new pods. Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "codec/value.h"
#include "evidence/kubectl/command.h"
#include "evidence/kubectl/describe.h"
#include "evidence/kubectl/draft.h"
#include "evidence/kubectl/table.h"

namespace gpumedic::evidence::kubectl {

/// One draft for each extended resource ("nvidia.com/gpu": a name with a domain), condition and taint of a Node object,
/// and one when it is unschedulable. Their host is the node.
[[nodiscard]] std::vector<Draft> drafts_of_node(const codec::Value& object);

/// Whether lines of `kubectl describe` are about a node; its Capacity and Allocatable parts alone are enough.
[[nodiscard]] bool describes_node(const std::vector<Line>& lines, const Command& command);
/// The same drafts from the text of `kubectl describe node`; `line` is set.
[[nodiscard]] std::vector<Draft> drafts_of_described_node(const std::vector<Line>& lines, const Command& command);
/// "Capacity:" or "Allocatable:" in the first column.
[[nodiscard]] bool starts_node_part(std::string_view line);

/// A row of `kubectl get nodes`: the Ready condition.
[[nodiscard]] std::optional<Draft> draft_of_node_row(const Row& row);

/// Rows that a grep left of `kubectl describe node`: the first with a name is its capacity, the second its allocatable.
class LooseResources {
public:
    [[nodiscard]] std::optional<Draft> take(std::string_view line, const Command& command);

private:
    struct Seen {
        std::string resource;
        std::string capacity;
    };
    std::vector<Seen> waiting_;
};

}  // namespace gpumedic::evidence::kubectl
