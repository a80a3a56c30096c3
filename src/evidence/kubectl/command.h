// What the command line of a transcript says about the answer below it. Pure.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace gpumedic::evidence::kubectl {

/// What a table or object is about; `other` is known to kubectl but not to us.
enum class Subject : std::uint8_t { unknown, vm, vmi, pod, event, node, other };

/// "vms", "virtualmachine", "pod", "po", "ev" ... as kubectl spells kinds of resources; "unknown" is never given.
[[nodiscard]] Subject subject_of_resource(std::string_view resource);
/// "VirtualMachineInstance" -> "virtualmachineinstance", as events name it; "" for unknown and other.
[[nodiscard]] std::string_view kind_name(Subject subject);

struct Command {
    enum class Verb : std::uint8_t { none, get, describe, other } verb{Verb::none};
    Subject subject{Subject::unknown};  // unknown also where several are asked for
    std::string name{};
    std::string namespace_{};
    enum class Namespaces : std::uint8_t { one, all } namespaces{Namespaces::one};
};

/// "kubectl -n train get vm x -o yaml | less": only the first stage of a pipe counts. `oc` counts as kubectl.
[[nodiscard]] Command parse_command(std::string_view text);

}  // namespace gpumedic::evidence::kubectl
