#include <fmt/format.h>

#include <algorithm>

#include "commands.h"
#include "environment.h"
#include "exit_codes.h"
#include "output.h"
#include "redaction.h"
#include "result_output.h"
#include "wiring.h"

namespace gpumedic::cli {
namespace {

int failed(const base::Error& error) {
    print_error(error);
    return error.code == base::ErrorCode::malformed ? kBadCatalogue : exit_code_of(error.code);
}

void tell(const RedactionSummary& summary, const redact::TokenMap& map, const std::string& to,
          const std::string& map_path) {
    constexpr std::size_t kShown = 10;
    for (std::size_t i = 0; i < std::min(kShown, summary.left_out.size()); ++i)
        print_message("left out: " + summary.left_out[i]);
    if (summary.left_out.size() > kShown)
        print_message(fmt::format("left out: {} more", summary.left_out.size() - kShown));
    print_message(fmt::format("{}: {} files, {} names and addresses replaced; the way back is {}, keep it to yourself",
                              to, summary.files, map.entries().size(), map_path));
}

}  // namespace

int run_redact(const Arguments& arguments) {
    const auto stdin_named = std::find(arguments.positional.begin(), arguments.positional.end(), "-");
    if (stdin_named != arguments.positional.end())
        return failed({base::ErrorCode::usage, "standard input cannot be read twice", "-", "name a file or a folder"});
    const auto loaded = load_catalogue(arguments.catalogs);
    if (!usable(loaded)) return kBadCatalogue;
    const auto map_path = arguments.map.empty() ? map_path_for(arguments.to) : arguments.map;
    auto map = read_token_map(arguments.map);
    if (!map) return failed(map.error());
    const auto now = present(process_variables());
    auto target = make_bundle_target(arguments.to, now);
    if (!target) return failed(target.error());
    const knowledge::Index index(loaded.catalogue);
    const auto tree = make_evidence_tree();
    const auto world = make_node_world("/", "/tmp");
    const auto summary = redact_evidence(index, *tree, arguments.positional, *world.spools, **target, *map);
    if (!summary) return failed(summary.error());
    // First the map: without it the tokens mean nothing to anybody.
    if (auto kept = write_token_map(*map, map_path); !kept) return failed(kept.error());
    if (auto done = (*target)->finish(); !done) return failed(done.error());
    if (!arguments.quiet) tell(*summary, *map, arguments.to, map_path);
    return kDone;
}

}  // namespace gpumedic::cli
