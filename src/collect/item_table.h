// What is collected of a node, as a table.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "collect/item.h"
#include "collect/tasks.h"

namespace gpumedic::collect {

/// What of the node decides which items there are.
struct NodeFacts {
    std::string host{};  // short name; Slurm knows the node by it
    std::vector<PciFunction> functions{};
    std::string service_name{};  // by which the cluster and the BMC know the node; empty: they are not asked
};

struct TableWishes {
    int boots{3};  // of the journal
    std::optional<std::chrono::microseconds> since{};
};

/// Cheap items first; those of single devices at their place among the ones that may block. Pure.
[[nodiscard]] std::vector<Item> make_items(const NodeFacts& node, const TableWishes& wishes);

/// Whether a shell pattern fits an item's name ("nvidia-smi/*", "*smi*"; "/" is no border). Pure.
[[nodiscard]] bool fits_name(const std::string& pattern, const std::string& name);

}  // namespace gpumedic::collect
