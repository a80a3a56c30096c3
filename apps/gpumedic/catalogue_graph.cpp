#include "catalogue_graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "base/text.h"

namespace gpumedic::cli {
namespace {

using model::Language;

std::string_view say(const model::Localized& text, Language language) {
    return language == Language::ko ? text.ko : text.en;
}

/// Titles name their device; a picture of the catalogue has none.
std::string title_of(const knowledge::Fault& fault, Language language) {
    std::string out(say(fault.title, language));
    for (const std::string_view name : {"{device}", "{vm}", "{node}"}) out = base::replace_all(out, name, "…");
    return out;
}

std::string xml_escaped(std::string_view text) {
    std::string out;
    for (const char c : text) {
        switch (c) {
            case '&': out += "&amp;"; break;
            case '<': out += "&lt;"; break;
            case '>': out += "&gt;"; break;
            case '"': out += "&quot;"; break;
            default: out += c;
        }
    }
    return out;
}

std::string dot_quoted(std::string_view text) {
    return "\"" + base::replace_all(base::replace_all(std::string(text), "\\", "\\\\"), "\"", "\\\"") + "\"";
}

std::set<std::size_t> reachable(const std::vector<CausalGraph::Edge>& edges, std::size_t start,
                                std::size_t CausalGraph::Edge::* here, std::size_t CausalGraph::Edge::* there) {
    std::set<std::size_t> seen{start};
    std::vector<std::size_t> open{start};
    while (!open.empty()) {
        const std::size_t at = open.back();
        open.pop_back();
        for (const auto& edge : edges)
            if (edge.*here == at && seen.insert(edge.*there).second) open.push_back(edge.*there);
    }
    return seen;
}

CausalGraph only(const CausalGraph& graph, const std::set<std::size_t>& kept) {
    CausalGraph out;
    std::vector<std::size_t> place(graph.faults.size(), 0);
    for (const std::size_t i : kept) {
        place[i] = out.faults.size();
        out.faults.push_back(graph.faults[i]);
    }
    for (const auto& edge : graph.edges)
        if (kept.contains(edge.from) && kept.contains(edge.to))
            out.edges.push_back({place[edge.from], place[edge.to], edge.inferred});
    return out;
}

constexpr double kBoxWidth = 250;
constexpr double kBoxHeight = 36;
constexpr double kColumn = 340;
constexpr double kRow = 48;
constexpr double kMargin = 24;

/// Columns by the longest way from a fault that nothing causes (the catalogue has no circles); rows by the mean of what
/// a fault follows from, so that few edges cross.
class Layout {
public:
    explicit Layout(const CausalGraph& graph) : graph_(graph), column_(graph.faults.size(), 0), row_(column_) {
        for (std::size_t round = 0; round < graph.faults.size(); ++round)
            for (const auto& edge : graph.edges) column_[edge.to] = std::max(column_[edge.to], column_[edge.from] + 1);
        place_linked();
        place_alone();
    }
    [[nodiscard]] double x(std::size_t i) const { return kMargin + kColumn * static_cast<double>(column_[i]); }
    [[nodiscard]] double y(std::size_t i) const { return kMargin + kRow * static_cast<double>(row_[i]); }
    [[nodiscard]] double width() const { return 2 * kMargin + kColumn * static_cast<double>(columns_ - 1) + kBoxWidth; }
    [[nodiscard]] double height() const { return 2 * kMargin + kRow * static_cast<double>(rows_); }

private:
    [[nodiscard]] bool linked(std::size_t i) const {
        return std::ranges::any_of(graph_.edges, [&](const auto& e) { return e.from == i || e.to == i; });
    }
    [[nodiscard]] double mean_row_of_causes(std::size_t i) const {
        double sum = 0;
        double count = 0;
        for (const auto& edge : graph_.edges)
            if (edge.to == i) sum += static_cast<double>(row_[edge.from]), ++count;
        return count == 0 ? static_cast<double>(i) : sum / count;
    }
    void place_linked() {
        for (std::size_t column = 0;; ++column) {
            std::vector<std::size_t> here;
            for (std::size_t i = 0; i < column_.size(); ++i)
                if (column_[i] == column && linked(i)) here.push_back(i);
            if (here.empty()) break;
            std::ranges::stable_sort(here, {}, [&](std::size_t i) { return mean_row_of_causes(i); });
            for (std::size_t row = 0; row < here.size(); ++row) row_[here[row]] = row;
            columns_ = column + 1;
            rows_ = std::max(rows_, here.size());
        }
    }
    void place_alone() {
        std::size_t number = 0;
        const std::size_t first = rows_;
        for (std::size_t i = 0; i < column_.size(); ++i) {
            if (linked(i)) continue;
            column_[i] = number % columns_;
            row_[i] = first + number / columns_;
            rows_ = row_[i] + 1;
            ++number;
        }
    }

    const CausalGraph& graph_;
    std::vector<std::size_t> column_;
    std::vector<std::size_t> row_;
    std::size_t columns_{1};
    std::size_t rows_{0};
};

/// A box has room for so many columns of text; Hangul takes two.
std::string fitted(std::string_view text, std::size_t columns) {
    if (base::display_width(text) <= columns) return std::string(text);
    std::string out;
    for (std::size_t i = 0; i < text.size();) {
        std::size_t next = i + 1;
        while (next < text.size() && (static_cast<unsigned char>(text[next]) & 0xc0) == 0x80) ++next;
        const std::string longer = out + std::string(text.substr(i, next - i));
        if (base::display_width(longer) >= columns) break;
        out = longer;
        i = next;
    }
    return out + "…";
}

std::string svg_box(const knowledge::Fault& fault, double x, double y, Language language) {
    constexpr std::size_t kTextColumns = 38;
    const std::string title = title_of(fault, language);
    return fmt::format(
        "<g><title>{}</title><rect x=\"{:.0f}\" y=\"{:.0f}\" width=\"{:.0f}\" height=\"{:.0f}\" rx=\"5\" class=\"{}\"/>"
        "<text x=\"{:.0f}\" y=\"{:.0f}\" class=\"id\">{}</text><text x=\"{:.0f}\" y=\"{:.0f}\">{}</text></g>\n",
        xml_escaped(title), x, y, kBoxWidth, kBoxHeight, model::to_string(fault.severity), x + 8, y + 14,
        xml_escaped(fault.id), x + 8, y + 28, xml_escaped(fitted(title, kTextColumns)));
}

constexpr std::string_view kStyle =
    "<style>text{font:11px sans-serif;fill:#1f2328}.id{font:bold 11px monospace}rect{fill:#f6f8fa;stroke:#656d76}"
    "rect.fatal{stroke:#a40e26;stroke-width:2}rect.error{stroke:#9a6700}path{fill:none;stroke:#656d76}"
    "path.inferred{stroke-dasharray:5 4}</style>\n"
    "<defs><marker id=\"head\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"7\" markerHeight=\"7\" "
    "orient=\"auto\"><path d=\"M0 0L8 4L0 8z\" style=\"fill:#656d76;stroke:none\"/></marker></defs>\n";

}  // namespace

CausalGraph causal_graph(const knowledge::Catalogue& catalogue, std::string_view id) {
    CausalGraph graph;
    for (const auto& fault : catalogue.faults)
        if (!fault.benign()) graph.faults.push_back(&fault);
    const auto place = [&](std::string_view wanted) {
        return static_cast<std::size_t>(
            std::ranges::find(graph.faults, wanted, [](const auto* f) { return std::string_view(f->id); }) -
            graph.faults.begin());
    };
    for (std::size_t i = 0; i < graph.faults.size(); ++i)
        for (const auto& effect : graph.faults[i]->effects)
            if (const auto to = place(effect.fault); !effect.fault.empty() && to < graph.faults.size())
                graph.edges.push_back({i, to, effect.inferred});
    if (id.empty()) return graph;
    const std::size_t start = place(id);
    if (start == graph.faults.size()) return {};
    using Edge = CausalGraph::Edge;
    auto kept = reachable(graph.edges, start, &Edge::from, &Edge::to);
    kept.merge(reachable(graph.edges, start, &Edge::to, &Edge::from));
    return only(graph, kept);
}

std::string render_dot(const CausalGraph& graph, Language language) {
    std::string out = "digraph gpumedic {\n  rankdir=LR;\n  node [shape=box, fontname=\"sans-serif\"];\n";
    for (const auto* fault : graph.faults)
        out += fmt::format("  {} [label={}, class={}];\n", dot_quoted(fault->id),
                           dot_quoted(fault->id + "\n" + title_of(*fault, language)), dot_quoted(fault->class_));
    for (const auto& edge : graph.edges)
        out += fmt::format("  {} -> {}{};\n", dot_quoted(graph.faults[edge.from]->id),
                           dot_quoted(graph.faults[edge.to]->id), edge.inferred ? " [style=dashed]" : "");
    return out + "}\n";
}

std::string render_svg(const CausalGraph& graph, Language language) {
    const Layout layout(graph);
    std::string out = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" viewBox=\"0 0 {0:.0f} "
        "{1:.0f}\" "
        "role=\"img\" lang=\"{2}\">\n<title>{3}</title>\n<rect width=\"100%\" height=\"100%\" "
        "style=\"fill:#ffffff;stroke:none\"/>\n",
        layout.width(), layout.height(), language == Language::ko ? "ko" : "en",
        language == Language::ko ? "장애의 인과 관계" : "What causes what");
    out += kStyle;
    for (const auto& edge : graph.edges) {
        const double x1 = layout.x(edge.from) + kBoxWidth;
        const double y1 = layout.y(edge.from) + kBoxHeight / 2;
        const double x2 = layout.x(edge.to);
        const double y2 = layout.y(edge.to) + kBoxHeight / 2;
        const double middle = (x1 + x2) / 2;
        out += fmt::format(
            "<path d=\"M{:.0f} {:.0f}C{:.0f} {:.0f} {:.0f} {:.0f} {:.0f} {:.0f}\"{} marker-end=\"url(#head)\"/>\n", x1,
            y1, middle, y1, middle, y2, x2, y2, edge.inferred ? " class=\"inferred\"" : "");
    }
    for (std::size_t i = 0; i < graph.faults.size(); ++i)
        out += svg_box(*graph.faults[i], layout.x(i), layout.y(i), language);
    return out + "</svg>\n";
}

}  // namespace gpumedic::cli
