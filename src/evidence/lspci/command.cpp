#include "evidence/lspci/command.h"

#include "base/text.h"

namespace gpumedic::evidence::lspci {
namespace {

std::string upper(std::string_view text) {
    std::string out(text);
    for (char& c : out)
        if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
    return out;
}

std::string_view base_name(std::string_view word) {
    const auto slash = word.rfind('/');
    return slash == std::string_view::npos ? word : word.substr(slash + 1);
}

std::optional<model::PciAddress> exact_address(std::string_view word) {
    if (!base::contains(word, ".")) return std::nullopt;
    return model::parse_pci_address(word);
}

/// Options of either tool whose value may stand in the next word.
bool takes_value(std::string_view word) {
    return word == "-s" || word == "-d" || word == "-i" || word == "-p" || word == "-A" || word == "-O" || word == "-H";
}

}  // namespace

Command parse_command(std::string_view text) {
    Command command;
    const auto words = base::split_blanks(text.substr(0, text.find('|')));
    for (std::size_t i = 0; i < words.size(); ++i) {
        const auto word = words[i];
        if (command.tool == Command::Tool::none) {
            if (word == "grep" || word == "cat" || word == "man") return command;
            if (base_name(word) == "lspci") command.tool = Command::Tool::lspci;
            if (base_name(word) == "setpci") command.tool = Command::Tool::setpci;
        } else if (takes_value(word)) {
            if (++i < words.size() && word == "-s") command.address = exact_address(words[i]);
        } else if (word.starts_with("-s") && word.size() > 2) {
            command.address = exact_address(word.substr(2));
        } else if (!word.starts_with("-") && command.tool == Command::Tool::setpci && !base::contains(word, "=")) {
            command.registers.push_back(upper(word));
        }
    }
    return command;
}

}  // namespace gpumedic::evidence::lspci
