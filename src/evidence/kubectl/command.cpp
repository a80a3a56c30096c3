#include "evidence/kubectl/command.h"

#include <algorithm>
#include <array>
#include <vector>

#include "base/text.h"

namespace gpumedic::evidence::kubectl {
namespace {

struct ResourceName {
    std::string_view name;
    Subject subject;
};
constexpr std::array<ResourceName, 15> kResources{{{"vm", Subject::vm},
                                                   {"vms", Subject::vm},
                                                   {"virtualmachine", Subject::vm},
                                                   {"virtualmachines", Subject::vm},
                                                   {"vmi", Subject::vmi},
                                                   {"vmis", Subject::vmi},
                                                   {"virtualmachineinstance", Subject::vmi},
                                                   {"virtualmachineinstances", Subject::vmi},
                                                   {"po", Subject::pod},
                                                   {"pod", Subject::pod},
                                                   {"pods", Subject::pod},
                                                   {"ev", Subject::event},
                                                   {"event", Subject::event},
                                                   {"events", Subject::event},
                                                   {"node", Subject::node}}};

std::string_view base_name(std::string_view word) {
    const auto slash = word.rfind('/');
    return slash == std::string_view::npos ? word : word.substr(slash + 1);
}

bool is_one_of(std::string_view word, std::initializer_list<std::string_view> words) {
    return std::find(words.begin(), words.end(), word) != words.end();
}

/// Options whose value stands in the next word, so that it is not taken for a resource.
bool takes_value(std::string_view word) {
    return is_one_of(
        word, {"-o",        "--output", "-l",        "--selector", "--context",  "--kubeconfig", "--field-selector",
               "--sort-by", "-c",       "--cluster", "-s",         "--server",   "--for",        "--as",
               "--user",    "-L",       "--types",   "-f",         "--filename", "--template"});
}

/// "vmi/gpu-1", "vm", "vm,vmi", "pods" after the verb; then the object's name.
void take_word(std::string_view word, Command& command) {
    if (command.subject != Subject::unknown) {
        if (command.name.empty()) command.name = word;
        return;
    }
    if (base::contains(word, ",")) {
        command.subject = Subject::other;
        for (const auto piece : base::split(word, ','))
            if (subject_of_resource(piece) != Subject::other) command.subject = Subject::unknown;
        return;
    }
    const auto [resource, name] = base::split_once(word, "/");
    command.subject = subject_of_resource(resource);
    command.name = name;
}

}  // namespace

Subject subject_of_resource(std::string_view resource) {
    const auto name = base::lower(resource.substr(0, resource.find('.')));
    for (const auto& known : kResources)
        if (known.name == name) return known.subject;
    if (name == "nodes" || name == "no") return Subject::node;
    return Subject::other;
}

std::string_view kind_name(Subject subject) {
    switch (subject) {
        case Subject::vm: return "virtualmachine";
        case Subject::vmi: return "virtualmachineinstance";
        case Subject::pod: return "pod";
        case Subject::node: return "node";
        case Subject::unknown:
        case Subject::event:
        case Subject::other: return {};
    }
    return {};
}

Command parse_command(std::string_view text) {
    Command command;
    bool kubectl = false;
    const auto words = base::split_blanks(text.substr(0, text.find('|')));
    for (std::size_t i = 0; i < words.size(); ++i) {
        const auto word = words[i];
        if (!kubectl) {
            if (is_one_of(word, {"grep", "cat", "less", "man"})) return command;
            kubectl = is_one_of(base_name(word), {"kubectl", "oc", "k3s-kubectl"});
        } else if (word == "--") {
            break;
        } else if (word == "-n" || word == "--namespace") {
            if (++i < words.size()) command.namespace_ = words[i];
        } else if (word.starts_with("--namespace=")) {
            command.namespace_ = word.substr(12);
        } else if (word.starts_with("-n") && word.size() > 2) {
            command.namespace_ = word.substr(word[2] == '=' ? 3 : 2);
        } else if (word == "-A" || word.starts_with("--all-namespaces")) {
            command.namespaces = Command::Namespaces::all;
        } else if (takes_value(word)) {
            ++i;
        } else if (word.starts_with("-")) {
            continue;
        } else if (command.verb == Command::Verb::none) {
            command.verb = word == "get"        ? Command::Verb::get
                           : word == "describe" ? Command::Verb::describe
                           : word == "events"   ? Command::Verb::get
                                                : Command::Verb::other;
            if (word == "events") command.subject = Subject::event;
        } else {
            take_word(word, command);
        }
    }
    return command;
}

}  // namespace gpumedic::evidence::kubectl
