#include "manual.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"

namespace gpumedic::cli {
namespace {

/// Backslashes, hyphens that are to be copied, and a dot or quote at the line's start mean something to roff.
std::string roff(std::string_view text) {
    std::string out;
    bool at_start = true;
    for (const char letter : text) {
        if (at_start && (letter == '.' || letter == '\'')) out += "\\&";
        at_start = letter == '\n';
        if (letter == '\\') {
            out += "\\e";
        } else if (letter == '-') {
            out += "\\-";
        } else {
            out += letter;
        }
    }
    return out;
}

std::string page_name(std::string_view command) {
    return command.empty() ? "gpumedic" : "gpumedic-" + base::replace_all(command, " ", "-");
}

std::string head(std::string_view command, std::string_view summary, std::string_view version) {
    const auto name = page_name(command);
    auto title = name;
    std::ranges::transform(title, title.begin(),
                           [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c; });
    // A page's one line has no full stop.
    if (summary.ends_with('.')) summary.remove_suffix(1);
    return fmt::format(".TH {} 1 \"\" \"gpumedic {}\" \"User Commands\"\n.SH NAME\n{} \\- {}\n", roff(title), version,
                       roff(name), roff(summary));
}

void add_options(std::string& out, const CommandInfo& command) {
    std::string group;
    for (const auto& option : command.options) {
        if (option.group != group) out += fmt::format(".SH {}\n", roff(option.group));
        group = option.group;
        std::string choices;
        for (const auto& choice : option.choices) choices += (choices.empty() ? ": " : ", ") + choice;
        out += fmt::format(".TP\n\\fB{}\\fR{}\n{}{}\n", roff(option.names),
                           option.value.empty() ? "" : " \\fI" + roff(option.value) + "\\fR", roff(option.description),
                           roff(choices));
    }
}

/// The notes as they stand: they are laid out for a terminal.
void add_notes(std::string& out, std::string_view notes) {
    if (!notes.empty()) out += fmt::format(".SH NOTES\n.nf\n{}.fi\n", roff(notes));
}

std::string overview(const std::vector<CommandInfo>& table, std::string_view version) {
    auto out = head("", "diagnoses GPU faults on Kubernetes nodes that pass NVIDIA GPUs to VMs", version);
    out += ".SH SYNOPSIS\n\\fBgpumedic\\fR \\fICOMMAND\\fR [\\fIOPTION\\fR...]\n.SH COMMANDS\n";
    for (const auto& command : table)
        out += fmt::format(".TP\n\\fB{}\\fR\n{}\n", roff(command.name), roff(command.summary));
    out +=
        ".SH FILES\n.TP\n/etc/gpumedic/catalog.d\nA site's own additions to the catalogue\n"
        ".TP\n/etc/gpumedic/baseline.yaml\nWhat this node should have (gpumedic baseline save)\n"
        ".TP\n/etc/gpumedic/bmc.yaml\nWhich BMC is asked over Redfish\n.SH EXIT STATUS\n";
    for (const auto& [code, text] :
         {std::pair{"0", "healthy, or done"}, std::pair{"1", "fault, failed check, difference"},
          std::pair{"2", "inconclusive, or not known"}, std::pair{"64", "usage"},
          std::pair{"66", "no such input, or none of it readable"},
          std::pair{"70", "internal error, or the result could not be written"},
          std::pair{"78", "bad catalogue or configuration"}})
        out += fmt::format(".TP\n{}\n{}\n", code, text);
    out += ".SH SEE ALSO\n";
    std::string pages;
    for (const auto& name : manual_pages(table))
        if (name != "gpumedic") pages += (pages.empty() ? "" : " ,\n") + fmt::format(".BR {} (1)", roff(name));
    out += pages + "\n";
    return out;
}

}  // namespace

std::vector<std::string> manual_pages(const std::vector<CommandInfo>& table) {
    std::vector<std::string> names{page_name("")};
    for (const auto& command : table) names.push_back(page_name(command.name));
    return names;
}

base::Result<std::string> render_manual(std::string_view command, const std::vector<CommandInfo>& table,
                                        std::string_view version) {
    if (command.empty()) return overview(table, version);
    const auto found = std::ranges::find_if(table, [&](const auto& info) {
        return page_name(info.name) == page_name(command) || page_name(info.name) == command;
    });
    if (found == table.end())
        return base::fail(base::ErrorCode::usage, fmt::format("no manual page '{}'", base::printable(command)), {},
                          "gpumedic manual --list names them");
    auto out = head(found->name, found->summary, version);
    out += fmt::format(".SH SYNOPSIS\n\\fBgpumedic {}\\fR{}{}\n", roff(found->name),
                       found->options.empty() ? "" : " [\\fIOPTION\\fR...]",
                       found->operands.empty() ? "" : " " + roff(found->operands));
    add_options(out, *found);
    add_notes(out, found->notes);
    out += ".SH SEE ALSO\n.BR gpumedic (1)\n";
    return out;
}

}  // namespace gpumedic::cli
