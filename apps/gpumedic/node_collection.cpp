#include "node_collection.h"

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>

#include "collect/collected_tree.h"
#include "environment.h"
#include "measures.h"
#include "output.h"
#include "time_options.h"
#include "wiring.h"

namespace gpumedic::cli {
namespace {

base::Result<void> take_measures(const Arguments& arguments, collect::Options& options) {
    if (!arguments.max_bytes.empty()) {
        const auto size = parse_size(arguments.max_bytes, "--max-bytes");
        if (!size) return tl::make_unexpected(size.error());
        options.max_bytes = *size;
    }
    if (!arguments.timeout.empty()) {
        const auto span = parse_span(arguments.timeout, "--timeout");
        if (!span) return tl::make_unexpected(span.error());
        options.timeout = *span;
    }
    return {};
}

}  // namespace

base::Result<collect::Options> collect_options(const Arguments& arguments) {
    const auto variables = process_variables();
    const auto bounds = parse_time_bounds(arguments, present(variables));
    if (!bounds) return tl::make_unexpected(bounds.error());
    collect::Options options;
    if (auto taken = take_measures(arguments, options); !taken) return tl::make_unexpected(taken.error());
    if (bounds->since) options.since = bounds->since->value;
    if (arguments.boots) options.boots = *arguments.boots;
    options.only = arguments.only;
    options.skip = arguments.skip;
    options.program = GPUMEDIC_VERSION;
    options.present = present(variables);
    if (arguments.root.empty()) {
        options.utc_offset = local_offset(present(variables));
        return options;
    }
    std::error_code error;
    const auto root = std::filesystem::canonical(arguments.root, error);
    if (error || !std::filesystem::is_directory(root, error))
        return base::fail(base::ErrorCode::not_found, "no such folder", arguments.root,
                          "--root names a folder that holds a copy of a node's tree, with proc, sys, var and etc");
    options.root = root.string();
    return options;
}

collect::ProgressSink terminal_progress(const Arguments& arguments) {
    if (arguments.quiet || ::isatty(STDERR_FILENO) == 0) return {};
    return [](const collect::Progress& progress) {
        // Back to the line's start, the text, and the rest of the line cleared.
        const std::string end = progress.done == progress.of ? "\r\x1b[K" : "";
        print_fragment(fmt::format("\r[{}/{}] {}: {}\x1b[K{}", progress.done, progress.of, progress.item.name,
                                   collect::to_string(progress.item.outcome), end));
    };
}

base::Result<std::unique_ptr<ports::EvidenceTree>> collect_evidence(const Arguments& arguments) {
    const auto options = collect_options(arguments);
    if (!options) return tl::make_unexpected(options.error());
    auto world = make_node_world(options->root, std::filesystem::temp_directory_path().string());
    auto tree = std::make_unique<collect::CollectedTree>();
    const auto summary = collect::collect(
        world.ports(), *options,
        [&tree](const std::string& name, std::unique_ptr<ports::Spool> bytes) -> base::Result<void> {
            tree->add(name, std::move(bytes));
            return {};
        },
        terminal_progress(arguments));
    if (!summary) return tl::make_unexpected(summary.error());
    return tree;
}

}  // namespace gpumedic::cli
