#include "completion.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"

namespace gpumedic::cli {
namespace {

/// "-o", "--output": the single spellings of "-o, --output".
std::vector<std::string_view> spellings(const OptionInfo& option) {
    std::vector<std::string_view> out = base::split_blanks(option.names);
    for (std::string_view& name : out)
        if (name.ends_with(',')) name.remove_suffix(1);
    return out;
}

/// First words of the commands; "catalog" stands once.
std::vector<std::string_view> first_words(const std::vector<CommandInfo>& table) {
    std::vector<std::string_view> out;
    for (const CommandInfo& command : table) {
        const std::string_view word = base::split_once(command.name, " ").first;
        if (std::ranges::find(out, word) == out.end()) out.push_back(word);
    }
    return out;
}

std::string second_words(const std::vector<CommandInfo>& table, std::string_view first) {
    std::string out;
    for (const CommandInfo& command : table) {
        const auto [word, rest] = base::split_once(command.name, " ");
        if (word == first && !rest.empty()) out += (out.empty() ? "" : " ") + std::string(rest);
    }
    return out;
}

std::string joined(const std::vector<std::string_view>& words) {
    std::string out;
    for (const std::string_view word : words) out += (out.empty() ? "" : " ") + std::string(word);
    return out;
}

std::string all_options(const CommandInfo& command) {
    std::string out = "--help";
    for (const OptionInfo& option : command.options) out += " " + joined(spellings(option));
    return out;
}

/// What may follow an operand's place, where it is one of a few words.
std::string_view operand_words(const CommandInfo& command) {
    if (command.command == Command::completion) return "bash zsh fish";
    if (command.command == Command::catalog_list) return "signals faults classes actions checks tables";
    return "";
}

std::string choices_of(const OptionInfo& option) {
    std::string out;
    for (const std::string& choice : option.choices) out += (out.empty() ? "" : " ") + choice;
    return out;
}

/// What may stand behind an option, by command: the same option takes other values elsewhere.
std::string bash_value_cases(const std::vector<CommandInfo>& table) {
    std::string out;
    for (const CommandInfo& command : table) {
        for (const OptionInfo& option : command.options) {
            if (option.value.empty()) continue;
            std::string names;
            for (const std::string_view name : spellings(option))
                names += fmt::format("{}\"{} {}\"", names.empty() ? "" : "|", command.name, name);
            const std::string choices = choices_of(option);
            if (!choices.empty()) {
                out += fmt::format("        {}) COMPREPLY=($(compgen -W \"{}\" -- \"$cur\")); return ;;\n", names,
                                   choices);
            } else if (option.value == "FILE" || option.value == "DIR") {
                out += fmt::format("        {}) COMPREPLY=($(compgen -f -- \"$cur\")); return ;;\n", names);
            } else {
                out += fmt::format("        {}) return ;;\n", names);
            }
        }
    }
    return out;
}

std::string bash_script(const std::vector<CommandInfo>& table) {
    std::string out =
        "# bash completion for gpumedic\n"
        "_gpumedic() {\n"
        "    local cur prev command words\n"
        "    cur=\"${COMP_WORDS[COMP_CWORD]}\"\n"
        "    prev=\"${COMP_WORDS[COMP_CWORD-1]}\"\n"
        "    command=\"${COMP_WORDS[1]}\"\n"
        "    if [ \"$COMP_CWORD\" -eq 1 ]; then\n";
    out +=
        fmt::format("        COMPREPLY=($(compgen -W \"{} --help --version\" -- \"$cur\"))\n        return\n    fi\n",
                    joined(first_words(table)));
    out += fmt::format(
        "    if [ \"$command\" = catalog ]; then\n        if [ \"$COMP_CWORD\" -eq 2 ]; then\n"
        "            COMPREPLY=($(compgen -W \"{}\" -- \"$cur\"))\n            return\n        fi\n"
        "        command=\"catalog ${{COMP_WORDS[2]}}\"\n    fi\n",
        second_words(table, "catalog"));
    out += "    case \"$command $prev\" in\n" + bash_value_cases(table) +
           "    esac\n    words=\n    case \"$command\" in\n";
    for (const CommandInfo& command : table) {
        out += fmt::format(
            "        \"{}\")\n            if [[ \"$cur\" == -* ]]; then words=\"{}\"; else words=\"{}\"; fi ;;\n",
            command.name, all_options(command), operand_words(command));
    }
    out +=
        "    esac\n"
        "    if [ -n \"$words\" ]; then COMPREPLY=($(compgen -W \"$words\" -- \"$cur\")); else COMPREPLY=($(compgen -f "
        "-- \"$cur\")); fi\n"
        "}\n"
        "complete -o filenames -F _gpumedic gpumedic\n";
    return out;
}

/// For single quotes of zsh and fish, and for zsh's _arguments, where brackets and colons mean something.
std::string quoted(std::string_view text) { return base::replace_all(text, "'", "'\\''"); }
std::string zsh_text(std::string_view text) {
    std::string out = quoted(text);
    for (const std::string_view special : {"[", "]", ":"})
        out = base::replace_all(out, special, "\\" + std::string(special));
    return out;
}

std::string zsh_arguments(const CommandInfo& command) {
    std::string out = "            _arguments";
    for (const OptionInfo& option : command.options) {
        std::string action;
        if (!option.value.empty()) {
            action = ":" + option.value + ":";
            if (!option.choices.empty()) action += "(" + choices_of(option) + ")";
            if (option.value == "FILE") action += "_files";
            if (option.value == "DIR") action += "_files -/";
        }
        for (const std::string_view name : spellings(option))
            out += fmt::format(" \\\n                '{}[{}]{}'", name, zsh_text(option.description), action);
    }
    const std::string_view words = operand_words(command);
    return out + (words.empty() ? " \\\n                '*:file:_files' ;;\n"
                                : fmt::format(" \\\n                '*:word:({})' ;;\n", words));
}

std::string zsh_script(const std::vector<CommandInfo>& table) {
    std::string out =
        "#compdef gpumedic\n_gpumedic() {\n    local command=\"${words[2]}\"\n    if (( CURRENT == 2 )); then\n";
    out += fmt::format("        compadd -- {} --help --version\n        return\n    fi\n", joined(first_words(table)));
    out += fmt::format(
        "    if [[ \"$command\" == catalog ]]; then\n        if (( CURRENT == 3 )); then\n            compadd -- {}\n"
        "            return\n        fi\n        command=\"catalog ${{words[3]}}\"\n        shift words; (( CURRENT-- "
        "))\n    fi\n",
        second_words(table, "catalog"));
    out += "    shift words; (( CURRENT-- ))\n    case \"$command\" in\n";
    for (const CommandInfo& command : table)
        out += fmt::format("        \"{}\")\n{}", command.name, zsh_arguments(command));
    return out +
           "    esac\n}\nif [ \"$funcstack[1]\" = \"_gpumedic\" ]; then _gpumedic \"$@\"; else compdef _gpumedic "
           "gpumedic; fi\n";
}

std::string fish_option(const CommandInfo& command, const OptionInfo& option) {
    const auto [first, second] = base::split_once(command.name, " ");
    std::string seen = fmt::format("__fish_seen_subcommand_from {}", first);
    if (!second.empty()) seen += fmt::format("; and __fish_seen_subcommand_from {}", second);
    std::string out = fmt::format("complete -c gpumedic -n '{}'", seen);
    for (const std::string_view name : spellings(option))
        out += name.starts_with("--") ? fmt::format(" -l {}", name.substr(2)) : fmt::format(" -s {}", name.substr(1));
    if (!option.value.empty()) out += " -r";
    if (!option.choices.empty()) out += fmt::format(" -f -a '{}'", choices_of(option));
    return out + fmt::format(" -d '{}'\n", base::replace_all(option.description, "'", "\\'"));
}

std::string fish_script(const std::vector<CommandInfo>& table) {
    std::string out = "# fish completion for gpumedic\n";
    for (const CommandInfo& command : table) {
        const auto [first, second] = base::split_once(command.name, " ");
        const std::string_view word = second.empty() ? first : second;
        const std::string when = second.empty() ? "__fish_use_subcommand" : "__fish_seen_subcommand_from catalog";
        out += fmt::format("complete -c gpumedic -n '{}' -f -a {} -d '{}'\n", when, word,
                           base::replace_all(command.summary, "'", "\\'"));
    }
    out += "complete -c gpumedic -n '__fish_use_subcommand' -f -a catalog -d 'The catalogue of signals and faults.'\n";
    for (const CommandInfo& command : table) {
        const std::string_view words = operand_words(command);
        if (!words.empty())
            out += fmt::format("complete -c gpumedic -n '__fish_seen_subcommand_from {}' -f -a '{}'\n",
                               command.name.substr(command.name.rfind(' ') + 1), words);
        for (const OptionInfo& option : command.options) out += fish_option(command, option);
    }
    return out;
}

}  // namespace

base::Result<std::string> render_completion(std::string_view shell, const std::vector<CommandInfo>& table) {
    if (shell == "bash") return bash_script(table);
    if (shell == "zsh") return zsh_script(table);
    if (shell == "fish") return fish_script(table);
    return base::fail(base::ErrorCode::usage, fmt::format("no completion for shell '{}'", shell), {},
                      "one of: bash, zsh, fish");
}

}  // namespace gpumedic::cli
