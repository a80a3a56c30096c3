// The catalogue's causal graph as pictures. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "knowledge/catalogue.h"
#include "model/localized.h"

namespace gpumedic::cli {

/// Faults and what follows from what. Benign explanations cause nothing and are left out.
struct CausalGraph {
    struct Edge {
        std::size_t from;  // index into faults
        std::size_t to;
        bool inferred;  // the causal link itself is not observed
    };
    std::vector<const knowledge::Fault*> faults;
    std::vector<Edge> edges;
};

/// The whole graph, or (with an id) that fault with all its causes and consequences; empty where no fault has the id.
/// The catalogue must outlive it.
[[nodiscard]] CausalGraph causal_graph(const knowledge::Catalogue& catalogue, std::string_view id);

/// Graphviz DOT.
[[nodiscard]] std::string render_dot(const CausalGraph& graph, model::Language language);
/// One self-contained picture: causes on the left, consequences to their right, faults without either below.
[[nodiscard]] std::string render_svg(const CausalGraph& graph, model::Language language);

}  // namespace gpumedic::cli
