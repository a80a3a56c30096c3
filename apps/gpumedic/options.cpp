#include "options.h"

#include <tuple>

namespace gpumedic::cli {

std::vector<std::string> forms_of(Command command) {
    if (command == Command::explain) return {"text", "json", "jsonl"};
    if (command == Command::catalog_graph) return {"dot", "svg"};
    if (command == Command::baseline_save || command == Command::baseline_show) return {"text"};
    return {"text", "json"};
}

namespace {

constexpr const char* kOutput = "Output";
constexpr const char* kTimeAndPlace = "Time and place";
constexpr const char* kCatalogue = "Catalogue";
constexpr const char* kNode = "Node";
constexpr const char* kWhat = "What";

void add_output(CLI::App& app, Raw& raw, const std::vector<std::string>& forms) {
    raw.format = forms.front();
    app.add_option("-o,--output", raw.format, "Form of the result")
        ->check(CLI::IsMember(forms))
        ->type_name("FORM")
        ->group(kOutput);
    app.add_option("--to", raw.arguments.to, "Write the result to a file, in one step")
        ->type_name("FILE")
        ->group(kOutput);
    app.add_option("--lang", raw.arguments.language, "Language of the texts (default: by locale)")
        ->check(CLI::IsMember({"en", "ko"}))
        ->type_name("LANG")
        ->group(kOutput);
    app.add_option("--color", raw.colour, "Colour (auto: on a terminal, and without NO_COLOR)")
        ->check(CLI::IsMember({"auto", "always", "never"}))
        ->type_name("WHEN")
        ->group(kOutput);
}

void add_catalogs(CLI::App& app, Raw& raw) {
    app.add_option("--catalog", raw.arguments.catalogs, "Lay a folder over the catalogue (repeatable)")
        ->allow_extra_args(false)
        ->type_name("DIR")
        ->group(kCatalogue);
}

/// How the node is read, where one is.
void add_node(CLI::App& app, Raw& raw) {
    Arguments& arguments = raw.arguments;
    app.add_option("--root", arguments.root, "Read a copied or mounted tree instead of this node; no commands are run")
        ->type_name("DIR")
        ->group(kNode);
    app.add_option("--boots", raw.boots, "Boots of the journal: this one and N-1 before (default 3; 0: all)")
        ->check(CLI::NonNegativeNumber)
        ->type_name("N")
        ->group(kNode);
    app.add_option("--timeout", arguments.timeout, "Time for all of it, whatever hangs (default 60s)")
        ->type_name("SPAN")
        ->group(kNode);
}

void add_diagnose(CLI::App& app, Raw& raw) {
    Arguments& arguments = raw.arguments;
    add_output(app, raw, forms_of(Command::diagnose));
    app.add_flag("-v,--verbose", arguments.verbose, "Show the reasoning: all evidence, all links, all sources")
        ->group(kOutput);
    app.add_flag("-q,--quiet", arguments.quiet, "Print nothing; the exit code tells")->group(kOutput);
    app.add_option("--since", arguments.since, "Leave out what is older ('2025-10-10 22:00' or RFC 3339)")
        ->type_name("TIME")
        ->group(kTimeAndPlace);
    app.add_option("--until", arguments.until, "Leave out what is younger")->type_name("TIME")->group(kTimeAndPlace);
    app.add_option("--boot", raw.boot, "Only this boot: 0 the last, -1 the one before")
        ->type_name("N")
        ->group(kTimeAndPlace);
    app.add_option("--tz", arguments.zone, "Zone of times that name none (+09:00 or Asia/Seoul; default UTC)")
        ->type_name("ZONE")
        ->group(kTimeAndPlace);
    app.add_option("--node", arguments.node, "Only this node's evidence")->type_name("NAME")->group(kTimeAndPlace);
    add_node(app, raw);
    add_catalogs(app, raw);
}

void add_map(CLI::App& app, Raw& raw) {
    app.add_option("--map", raw.arguments.map,
                   "The map of tokens; one that exists is used again (default: beside --to)")
        ->type_name("FILE")
        ->group(kOutput);
}

void add_collect(CLI::App& app, Raw& raw) {
    Arguments& arguments = raw.arguments;
    app.add_option("--to", arguments.to, "The bundle: an archive by its name, else a folder")
        ->type_name("FILE")
        ->group(kOutput);
    app.add_flag("--redact", arguments.redacts, "Replace names and addresses by tokens (gpumedic redact --help)")
        ->group(kOutput);
    add_map(app, raw);
    app.add_flag("--list", arguments.lists, "Only list the items, and collect nothing")->group(kOutput);
    app.add_flag("-q,--quiet", arguments.quiet, "No progress and no summary")->group(kOutput);
    app.add_option("--since", arguments.since, "Leave out what is older ('2025-10-10 22:00' or RFC 3339)")
        ->type_name("TIME")
        ->group(kTimeAndPlace);
    app.add_option("--tz", arguments.zone, "Zone of --since where it names none (+09:00 or Asia/Seoul; default UTC)")
        ->type_name("ZONE")
        ->group(kTimeAndPlace);
    for (auto& [name, patterns, text] :
         {std::tuple{"--only", &arguments.only, "Only items whose names fit (repeatable)"},
          {"--skip", &arguments.skip, "Not these items (repeatable)"}})
        app.add_option(name, *patterns, text)->allow_extra_args(false)->type_name("PATTERN")->group(kWhat);
    app.add_option("--max-bytes", arguments.max_bytes, "Size of all items together, unpacked (default 512M)")
        ->type_name("SIZE")
        ->group(kWhat);
    add_node(app, raw);
}

void add_zone_and_node(CLI::App& app, Raw& raw) {
    app.add_option("--tz", raw.arguments.zone, "Zone of times that name none (+09:00 or Asia/Seoul; default UTC)")
        ->type_name("ZONE")
        ->group(kTimeAndPlace);
    app.add_option("--node", raw.arguments.node, "Only this node's evidence")->type_name("NAME")->group(kTimeAndPlace);
}

void add_verify(CLI::App& app, Raw& raw) {
    Arguments& arguments = raw.arguments;
    add_output(app, raw, forms_of(Command::verify));
    app.add_flag("-v,--verbose", arguments.verbose, "Show expected and seen of the checks that pass too")
        ->group(kOutput);
    app.add_flag("-q,--quiet", arguments.quiet, "Print nothing; the exit code tells")->group(kOutput);
    app.add_option("--incident", arguments.incident, "The diagnosis from before the repair (diagnose -o json)")
        ->type_name("FILE")
        ->group(kWhat);
    app.add_option("--baseline", arguments.baseline, "What the node should have (gpumedic baseline save)")
        ->type_name("FILE")
        ->group(kWhat);
    app.add_option("--guest-command", arguments.guest_command,
                   "Asks inside of each VM; {vm} and {namespace} are filled in, no shell")
        ->type_name("COMMAND")
        ->group(kWhat);
    app.add_option("--soak", arguments.soak, "Read again every 30 s for so long; a check that fails ends it")
        ->type_name("SPAN")
        ->group(kWhat);
    add_zone_and_node(app, raw);
    add_node(app, raw);
    add_catalogs(app, raw);
}

void add_redact(CLI::App& app, Raw& raw) {
    app.add_option("--to", raw.arguments.to, "The copy: an archive by its name, else a folder")
        ->type_name("FILE")
        ->group(kOutput);
    add_map(app, raw);
    app.add_flag("-q,--quiet", raw.arguments.quiet, "No summary")->group(kOutput);
    add_catalogs(app, raw);
}

void add_baseline(CLI::App& app, Command command, Raw& raw) {
    add_output(app, raw, forms_of(command));
    if (command == Command::baseline_show) return;
    add_zone_and_node(app, raw);
    add_node(app, raw);
    add_catalogs(app, raw);
}

}  // namespace

void define(CLI::App& app, Command command, Raw& raw) {
    app.set_help_flag();  // help is ours (help.cpp), and is looked for before
    app.add_option("operands", raw.arguments.positional, "")->group("");
    switch (command) {
        case Command::diagnose: return add_diagnose(app, raw);
        case Command::collect: return add_collect(app, raw);
        case Command::redact: return add_redact(app, raw);
        case Command::verify: return add_verify(app, raw);
        case Command::baseline_save:
        case Command::baseline_show:
        case Command::baseline_diff: return add_baseline(app, command, raw);
        case Command::explain: add_output(app, raw, forms_of(command)); return add_catalogs(app, raw);
        case Command::catalog_graph: add_output(app, raw, forms_of(command)); return add_catalogs(app, raw);
        case Command::catalog_coverage:
        case Command::catalog_list:
        case Command::catalog_show: add_output(app, raw, forms_of(command)); return add_catalogs(app, raw);
        case Command::catalog_test:
        case Command::catalog_lint:
        case Command::catalog_patterns: return add_catalogs(app, raw);
        case Command::manual:
            app.add_flag("--list", raw.arguments.lists, "Only list the pages")->group(kOutput);
            return;
        case Command::completion:
        case Command::version:
        case Command::show_text: return;
    }
}

}  // namespace gpumedic::cli
