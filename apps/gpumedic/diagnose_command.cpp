#include "commands.h"
#include "environment.h"
#include "exit_codes.h"
#include "node_collection.h"
#include "pipeline/pipeline.h"
#include "report/report.h"
#include "result_output.h"
#include "time_options.h"
#include "wiring.h"

namespace gpumedic::cli {
namespace {

int failed(const base::Error& error) {
    print_error(error);
    return exit_code_of(error.code);
}

}  // namespace

int run_diagnose(const Arguments& arguments) {
    const auto bounds = parse_time_bounds(arguments, present(process_variables()));
    if (!bounds) return failed(bounds.error());
    const auto loaded = load_catalogue(arguments.catalogs);
    if (!usable(loaded)) return kBadCatalogue;
    auto place = ResultPlace::open(arguments);
    if (!place) return failed(place.error());

    pipeline::Request request;
    request.paths = arguments.positional;
    request.since = bounds->since;
    request.until = bounds->until;
    request.boot = arguments.boot;
    request.node = arguments.node;
    request.time = bounds->context;
    const knowledge::Index index(loaded.catalogue);
    std::unique_ptr<ports::EvidenceTree> tree;
    if (arguments.positional.empty()) {
        auto collected = collect_evidence(arguments);
        if (!collected) return failed(collected.error());
        tree = std::move(*collected);
        request.paths = {"this node"};
    } else {
        tree = make_evidence_tree();
    }
    const auto diagnosis = pipeline::diagnose(index, *tree, request);
    if (!diagnosis) return failed(diagnosis.error());
    const std::string bytes = arguments.format == Format::json
                                  ? report::render_json(*diagnosis)
                                  : report::render_text(*diagnosis, text_options(arguments));
    return place->write(bytes, model::exit_code(diagnosis->verdict));
}

}  // namespace gpumedic::cli
