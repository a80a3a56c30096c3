#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "catalogue_coverage.h"
#include "catalogue_graph.h"
#include "catalogue_text.h"
#include "commands.h"
#include "exit_codes.h"
#include "nearest.h"
#include "result_output.h"
#include "wiring.h"

namespace gpumedic::cli {
namespace {

constexpr std::array<std::string_view, 6> kKinds{"signals", "faults", "classes", "actions", "checks", "tables"};

int usage(std::string what, std::string help) {
    print_error({base::ErrorCode::usage, std::move(what), {}, std::move(help)});
    return kUsage;
}

int list(const Arguments& arguments, const knowledge::Catalogue& catalogue, ResultPlace& place) {
    const std::string kind = arguments.positional.empty() ? "" : arguments.positional.front();
    if (!kind.empty() && std::ranges::find(kKinds, kind) == kKinds.end())
        return usage(fmt::format("unknown kind '{}'", kind),
                     "one of: signals, faults, classes, actions, checks, tables");
    const auto entries = entries_of(catalogue, kind);
    if (arguments.format == Format::json) return place.write(render_list_json(entries, catalogue), kDone);
    return place.write(render_list_text(entries, text_options(arguments)), kDone);
}

int show(const Arguments& arguments, const knowledge::Catalogue& catalogue, ResultPlace& place) {
    const std::string& id = arguments.positional.front();
    const knowledge::Index index(catalogue);
    const auto rows = definition_rows(index, id);
    if (rows.empty()) {
        const auto entries = entries_of(catalogue, "");
        std::vector<std::string_view> known;
        for (const CatalogueEntry& entry : entries) known.push_back(entry.id);
        const std::string_view near = nearest(id, known);
        print_error(
            {base::ErrorCode::not_found,
             fmt::format("the catalogue has no '{}'", id),
             {},
             near.empty() ? "gpumedic catalog list shows what it has" : fmt::format("did you mean '{}'?", near)});
        return kUnknown;
    }
    if (arguments.format == Format::json) return place.write(render_rows_json(rows), kDone);
    return place.write(render_rows_text(rows, text_options(arguments)), kDone);
}

int lint(const Arguments& arguments) {
    std::vector<std::string> folders = arguments.catalogs;
    folders.insert(folders.end(), arguments.positional.begin(), arguments.positional.end());
    const auto loaded = lint_catalogue(folders);
    if (!usable(loaded)) return kBadCatalogue;
    const knowledge::Catalogue& catalogue = loaded.catalogue;
    return print_result(
        fmt::format("no mistake: {} signals, {} faults, {} actions, {} checks, {} classes; catalogue {}\n",
                    catalogue.signals.size(), catalogue.faults.size(), catalogue.actions.size(),
                    catalogue.checks.size(), catalogue.classes.size(), catalogue.version),
        kDone);
}

/// The problems of a definition's examples were printed by the loader; what is left to say is what holds.
int test(const Arguments& arguments) {
    const auto loaded = lint_catalogue({arguments.positional.front()});
    if (!usable(loaded)) return kBadCatalogue;
    std::string out;
    std::size_t signals = 0;
    const std::string folder = arguments.positional.front();
    for (const knowledge::Signal& signal : loaded.catalogue.signals) {
        if (!signal.file.starts_with(folder)) continue;
        ++signals;
        out += fmt::format("{}: {} of {} lines match as they must, {} of {} near misses do not\n", signal.id,
                           signal.match.size(), signal.match.size(), signal.no_match.size(), signal.no_match.size());
    }
    return print_result(out + fmt::format("all hold: {} signals\n", signals), kDone);
}

int coverage(const Arguments& arguments, const knowledge::Catalogue& catalogue, ResultPlace& place) {
    const auto found = coverage_of(catalogue);
    if (arguments.format == Format::json) return place.write(render_coverage_json(found, catalogue.version), kDone);
    return place.write(render_coverage_text(found, text_options(arguments)), kDone);
}

int graph(const Arguments& arguments, const knowledge::Catalogue& catalogue, ResultPlace& place) {
    const std::string id = arguments.positional.empty() ? "" : arguments.positional.front();
    const auto drawn = causal_graph(catalogue, id);
    if (drawn.faults.empty()) {
        print_error({base::ErrorCode::not_found,
                     fmt::format("the catalogue has no fault '{}'", id),
                     {},
                     "gpumedic catalog list faults shows what it has; harmless explanations cause nothing"});
        return kUnknown;
    }
    const auto language = text_options(arguments).language;
    return place.write(arguments.format == Format::svg ? render_svg(drawn, language) : render_dot(drawn, language),
                       kDone);
}

int patterns(const knowledge::Catalogue& catalogue) {
    std::string out;
    for (const knowledge::Signal& signal : catalogue.signals)
        if (!signal.pattern.empty()) out += signal.pattern + "\n";
    return print_result(out, kDone);
}

}  // namespace

int run_catalog(const Arguments& arguments) {
    if (arguments.command == Command::catalog_lint) return lint(arguments);
    if (arguments.command == Command::catalog_test) return test(arguments);
    const auto loaded = load_catalogue(arguments.catalogs);
    if (!usable(loaded)) return kBadCatalogue;
    if (arguments.command == Command::catalog_patterns) return patterns(loaded.catalogue);
    auto place = ResultPlace::open(arguments);
    if (!place) {
        print_error(place.error());
        return exit_code_of(place.error().code);
    }
    switch (arguments.command) {
        case Command::catalog_list: return list(arguments, loaded.catalogue, *place);
        case Command::catalog_coverage: return coverage(arguments, loaded.catalogue, *place);
        case Command::catalog_graph: return graph(arguments, loaded.catalogue, *place);
        default: return show(arguments, loaded.catalogue, *place);
    }
}

}  // namespace gpumedic::cli
