#include <fmt/format.h>

#include "commands.h"
#include "completion.h"
#include "exit_codes.h"
#include "manual.h"
#include "output.h"
#include "result_output.h"
#include "wiring.h"

namespace gpumedic::cli {
namespace {

int run_version(const Arguments& arguments) {
    const auto loaded = load_catalogue(arguments.catalogs);
    return print_result(fmt::format("gpumedic {} (catalogue {})\n", GPUMEDIC_VERSION, loaded.catalogue.version), kDone);
}

int run_completion(const Arguments& arguments) {
    const auto script = render_completion(arguments.positional.front(), command_table());
    if (script) return print_result(*script, kDone);
    print_error(script.error());
    return kUsage;
}

int run_manual(const Arguments& arguments) {
    const auto table = command_table();
    if (arguments.lists) {
        std::string names;
        for (const auto& name : manual_pages(table)) names += name + "\n";
        return print_result(names, kDone);
    }
    std::string command;
    for (const auto& word : arguments.positional) command += (command.empty() ? "" : " ") + word;
    const auto page = render_manual(command, table, GPUMEDIC_VERSION);
    if (page) return print_result(*page, kDone);
    print_error(page.error());
    return kUsage;
}

}  // namespace

int run(const Arguments& arguments) {
    switch (arguments.command) {
        case Command::show_text: return print_result(arguments.text, kDone);
        case Command::version: return run_version(arguments);
        case Command::diagnose: return run_diagnose(arguments);
        case Command::collect: return run_collect(arguments);
        case Command::redact: return run_redact(arguments);
        case Command::verify: return run_verify(arguments);
        case Command::baseline_save:
        case Command::baseline_show:
        case Command::baseline_diff: return run_baseline(arguments);
        case Command::explain: return run_explain(arguments);
        case Command::manual: return run_manual(arguments);
        case Command::completion: return run_completion(arguments);
        case Command::catalog_list:
        case Command::catalog_show:
        case Command::catalog_lint:
        case Command::catalog_test:
        case Command::catalog_coverage:
        case Command::catalog_graph:
        case Command::catalog_patterns: return run_catalog(arguments);
    }
    return kInternal;
}

}  // namespace gpumedic::cli
