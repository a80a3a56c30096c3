#include "cli.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <span>

#include "command_rows.h"
#include "help.h"
#include "nearest.h"
#include "options.h"

namespace gpumedic::cli {
namespace {

using base::ErrorCode;
using base::fail;

const std::map<std::string, Format> kFormats{{"text", Format::text},
                                             {"json", Format::json},
                                             {"jsonl", Format::jsonl},
                                             {"dot", Format::dot},
                                             {"svg", Format::svg}};

std::vector<std::string> choices_of(std::string_view name) {
    if (name == "--lang") return {"en", "ko"};
    if (name == "--color") return {"auto", "always", "never"};
    return {};
}

std::vector<OptionInfo> describe(const CLI::App& app, Command command) {
    std::vector<OptionInfo> rows;
    for (const CLI::Option* option : app.get_options()) {
        if (option->get_positional() && option->get_lnames().empty()) continue;
        OptionInfo row;
        for (const std::string& name : option->get_snames()) row.names += "-" + name + ", ";
        row.names += "--" + option->get_lnames().front();
        row.value = option->get_type_size() == 0 ? "" : option->get_type_name();
        row.value = row.value.substr(0, row.value.find(':'));  // CLI11 puts a check's own words behind
        row.description = option->get_description();
        row.group = option->get_group();
        row.choices = choices_of("--" + option->get_lnames().front());
        if (row.names == "-o, --output") row.choices = forms_of(command);
        rows.push_back(std::move(row));
    }
    return rows;
}

/// The command that the first words name, and how many they are.
const CommandRow* find_command(std::span<const std::string> words, std::size_t& used) {
    for (const CommandRow& row : kCommands) {
        const std::string two = words.size() > 1 ? words[0] + " " + words[1] : "";
        if (row.name != words[0] && row.name != two) continue;
        used = row.name == two ? 2 : 1;
        return &row;
    }
    return nullptr;
}

base::Error unknown_command(const std::vector<std::string>& words) {
    if (words[0].starts_with("-"))
        return {ErrorCode::usage,
                fmt::format("'{}' stands before the command", words[0]),
                {},
                "options come behind it: gpumedic COMMAND [OPTION...]; see gpumedic --help"};
    if (words[0] == "catalog") {
        const std::string given =
            words.size() > 1 ? fmt::format("unknown command 'catalog {}'", words[1]) : "'catalog' needs a command";
        return {ErrorCode::usage, given, {}, "one of: list, show, lint, test, coverage, graph, patterns"};
    }
    if (words[0] == "baseline") return {ErrorCode::usage, "'baseline' needs a command", {}, "one of: save, show, diff"};
    std::vector<std::string_view> known{"catalog", "baseline", "help"};
    for (const CommandRow& row : kCommands)
        if (row.name.find(' ') == std::string_view::npos) known.push_back(row.name);
    const std::string_view near = nearest(words[0], known);
    return {ErrorCode::usage,
            fmt::format("unknown command '{}'", words[0]),
            {},
            near.empty() ? std::string("see gpumedic --help") : fmt::format("did you mean '{}'?", near)};
}

/// "gpumedic help diagnose" and "gpumedic --help" too.
bool wants_help(const std::vector<std::string>& words) {
    for (const std::string& word : words) {
        if (word == "--") return false;
        if (word == "-h" || word == "--help") return true;
    }
    return words.empty() || words[0] == "help";
}

Arguments help_for(std::vector<std::string> words) {
    std::erase_if(words, [](const std::string& w) { return w == "-h" || w == "--help" || w == "help"; });
    Arguments arguments;
    const auto table = command_table();
    std::size_t used = 0;
    const CommandRow* row = words.empty() ? nullptr : find_command(words, used);
    if (row == nullptr) {
        arguments.text = render_overview(table);
        return arguments;
    }
    for (const CommandInfo& info : table)
        if (info.command == row->command) arguments.text = render_help(info);
    return arguments;
}

base::Result<void> check_node(Command command, const Arguments& arguments) {
    if (command == Command::collect && arguments.to.empty() && !arguments.lists)
        return fail(ErrorCode::usage, "--to is missing", {}, "name the bundle: gpumedic collect --to bundle.tar.zst");
    const bool reads_node = !arguments.root.empty() || arguments.boots || !arguments.timeout.empty();
    if (command == Command::redact && arguments.to.empty())
        return fail(ErrorCode::usage, "--to is missing", {},
                    "name the copy: gpumedic redact bundle.tar.zst --to public.tar.zst");
    if (command == Command::collect && !arguments.map.empty() && !arguments.redacts)
        return fail(ErrorCode::usage, "--map is for --redact", {}, "add --redact, or leave out --map");
    const bool has_path = arguments.positional.size() > (command == Command::baseline_diff ? 1U : 0U);
    if (command != Command::collect && has_path && reads_node)
        return fail(ErrorCode::usage, "--root, --boots and --timeout are for a node, and a path was given", {},
                    "leave out one of them; see gpumedic --help");
    if (!arguments.soak.empty() && (has_path || !arguments.root.empty()))
        return fail(ErrorCode::usage, "--soak is for a running node, and files do not change", {},
                    "leave out --soak, or the path");
    return {};
}

base::Result<Arguments> checked(const CommandRow& row, Raw raw, const CLI::App& app) {
    Arguments arguments = std::move(raw.arguments);
    arguments.command = row.command;
    arguments.format = kFormats.at(raw.format);
    arguments.colour = raw.colour == "always"  ? ColourWish::always
                       : raw.colour == "never" ? ColourWish::never
                                               : ColourWish::automatic;
    const std::size_t count = arguments.positional.size();
    if (const auto* boots = app.get_option_no_throw("--boots"); boots != nullptr && boots->count() > 0)
        arguments.boots = raw.boots;
    const std::string see = fmt::format("see gpumedic {} --help", row.name);
    if (const auto checked_node = check_node(row.command, arguments); !checked_node)
        return tl::make_unexpected(checked_node.error());
    const bool needs_one = row.operands.starts_with("QUERY") || row.operands.starts_with("PATH") ||
                           row.operands == "ID" || row.operands == "DIR" || row.operands.starts_with("FILE") ||
                           row.command == Command::completion;
    if (needs_one && count == 0) return fail(ErrorCode::usage, fmt::format("{} is missing", row.operands), {}, see);
    const bool many = row.operands.ends_with("...") || row.operands.ends_with("...]");
    const std::size_t most = many ? count : row.operands.empty() ? 0 : 1;
    if (count > most)
        return fail(ErrorCode::usage, fmt::format("'{}' is one too many", arguments.positional[most]), {}, see);
    if (row.command == Command::diagnose && app.get_option("--boot")->count() > 0) {
        if (raw.boot > 0)
            return fail(ErrorCode::usage, "--boot takes 0 (the last boot), -1 (the one before) and so on", {}, see);
        arguments.boot = raw.boot;
    }
    return arguments;
}

std::string nearest_option(const std::string& word, const CLI::App& app) {
    std::vector<std::string> names;
    for (const CLI::Option* option : app.get_options())
        for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    const std::vector<std::string_view> views(names.begin(), names.end());
    return std::string(nearest(word.substr(0, word.find('=')), views));
}

base::Error option_error(const CommandRow& row, const CLI::App& app, const CLI::ParseError& error) {
    const std::vector<std::string> left = app.remaining();
    const std::string see = fmt::format("see gpumedic {} --help", row.name);
    if (left.empty()) return {ErrorCode::usage, error.what(), {}, see};
    const std::string near = nearest_option(left.front(), app);
    return {ErrorCode::usage,
            fmt::format("unknown option '{}'", left.front()),
            {},
            near.empty() ? see : fmt::format("did you mean '{}'?", near)};
}

}  // namespace

std::vector<CommandInfo> command_table() {
    std::vector<CommandInfo> table;
    for (const CommandRow& row : kCommands) {
        CLI::App app;
        Raw raw;
        define(app, row.command, raw);
        table.push_back({row.command, row.name, row.operands, row.summary, row.notes, describe(app, row.command)});
    }
    return table;
}

base::Result<Arguments> parse_arguments(const std::vector<std::string>& words) {
    if (wants_help(words)) return help_for(words);
    if (words[0] == "--version" || words[0] == "-V") return Arguments{.command = Command::version};
    std::size_t used = 0;
    const CommandRow* row = find_command(words, used);
    if (row == nullptr) return tl::make_unexpected(unknown_command(words));
    CLI::App app;
    Raw raw;
    try {
        define(app, row->command, raw);
        std::vector<std::string> rest(words.rbegin(),
                                      words.rend() - static_cast<std::ptrdiff_t>(used));  // CLI11 takes them reversed
        app.parse(rest);
        return checked(*row, std::move(raw), app);
    } catch (const CLI::ParseError& error) {
        return tl::make_unexpected(option_error(*row, app, error));
    }
}

}  // namespace gpumedic::cli
