#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "collect/collected_tree.h"
#include "commands.h"
#include "environment.h"
#include "exit_codes.h"
#include "interrupt.h"
#include "node_collection.h"
#include "output.h"
#include "redaction.h"
#include "result_output.h"
#include "wiring.h"

namespace gpumedic::cli {
namespace {

int failed(const base::Error& error) {
    print_error(error);
    return exit_code_of(error.code);
}

std::string list_text(const std::vector<collect::Item>& items) {
    std::string text;
    for (const auto& item : items)
        text += fmt::format("{:<32} {}{}\n", item.name, item.shows,
                            item.needs == collect::Privilege::root ? " Root only, for all of it." : "");
    return text;
}

std::string size_text(std::uint64_t bytes) {
    if (bytes < 1024) return fmt::format("{} bytes", bytes);
    if (bytes < (1U << 20)) return fmt::format("{:.1f} KiB", static_cast<double>(bytes) / 1024);
    return fmt::format("{:.1f} MiB", static_cast<double>(bytes) / (1U << 20));
}

/// What was not simply read or absent, one line each; then the sum.
std::string summary_text(const collect::Summary& summary, const std::string& target) {
    std::string text;
    std::map<collect::Outcome, int> counts;
    for (const auto& item : summary.items) {
        ++counts[item.outcome];
        if (item.outcome != collect::Outcome::ok && item.outcome != collect::Outcome::absent)
            text += fmt::format("{}: {}: {}\n", item.name, collect::to_string(item.outcome), item.why);
    }
    std::string parts;
    for (const auto& [outcome, count] : counts)
        parts += fmt::format("{}{} {}", parts.empty() ? "" : ", ", count, collect::to_string(outcome));
    return text + fmt::format("{}: {} items ({}), {} files, {} unpacked, in {:.1f} s", target, summary.items.size(),
                              parts, summary.files, size_text(summary.bytes),
                              static_cast<double>(summary.duration.count()) / 1000);
}

/// The folder in which the target appears: what is too big for memory waits there.
std::string folder_of(const std::string& path) {
    std::filesystem::path target(path);
    if (!target.has_filename()) target = target.parent_path();
    const auto folder = target.parent_path();
    return folder.empty() ? "." : folder.string();
}

int not_written(const base::Error& error, const collect::Options& options, ports::BundleTarget& target) {
    print_error(error);
    if (error.code == base::ErrorCode::usage) return kUsage;
    if (options.stop.stop_requested()) return kInterrupted;
    const std::string kept = target.keep_part();
    if (!kept.empty())
        print_message(fmt::format("  what was written until then is kept as {}; gpumedic diagnose reads it", kept));
    return kInternal;
}

base::Result<void> redact_into(collect::CollectedTree& collected, const Arguments& arguments, ports::SpoolMaker& spools,
                               ports::BundleTarget& target) {
    const auto loaded = load_catalogue({});
    const auto map_path = arguments.map.empty() ? map_path_for(arguments.to) : arguments.map;
    auto map = read_token_map(arguments.map);
    if (!map) return tl::make_unexpected(map.error());
    const knowledge::Index index(loaded.catalogue);
    const auto redacted = redact_evidence(index, collected, {"this node"}, spools, target, *map);
    if (!redacted) return tl::make_unexpected(redacted.error());
    for (const auto& one : redacted->left_out) print_message("left out: " + one);
    return write_token_map(*map, map_path);
}

}  // namespace

int run_collect(const Arguments& arguments) {
    const InterruptWatch interrupt;
    auto options = collect_options(arguments);
    if (!options) return failed(options.error());
    if (arguments.lists) {
        auto world = make_node_world(options->root, ".");
        return print_result(list_text(collect::plan_items(world.ports(), *options)), kDone);
    }
    options->stop = interrupt.token();
    auto target = make_bundle_target(arguments.to, std::chrono::floor<std::chrono::seconds>(options->present));
    if (!target) return failed(target.error());
    auto world = make_node_world(options->root, folder_of(arguments.to));
    collect::CollectedTree collected;  // of --redact: names are known only when all is there
    const auto summary = collect::collect(
        world.ports(), *options,
        [&](const std::string& name, std::unique_ptr<ports::Spool> bytes) -> base::Result<void> {
            if (arguments.redacts) {
                collected.add(name, std::move(bytes));
                return {};
            }
            const auto source = bytes->open();
            return (*target)->add(name, bytes->size(), *source);
        },
        terminal_progress(arguments));
    if (!summary) return not_written(summary.error(), *options, **target);
    if (arguments.redacts) {
        if (auto redacted = redact_into(collected, arguments, *world.spools, **target); !redacted)
            return not_written(redacted.error(), *options, **target);
    }
    if (auto done = (*target)->finish(); !done) return not_written(done.error(), *options, **target);
    if (!arguments.quiet) print_message(summary_text(*summary, arguments.to));
    return kDone;
}

}  // namespace gpumedic::cli
