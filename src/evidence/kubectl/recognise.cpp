#include "evidence/kubectl/recognise.h"

#include <algorithm>

#include "base/text.h"
#include "evidence/kubectl/command.h"
#include "evidence/kubectl/objects.h"
#include "evidence/kubectl/table.h"

namespace gpumedic::evidence::kubectl {
namespace {

constexpr int kFirstLines = 5;

/// The kind of an object or of an item, other than "List", that follows `mark` somewhere.
bool names_known_kind(std::string_view text, std::string_view mark) {
    for (auto at = text.find(mark); at != std::string_view::npos; at = text.find(mark, at + 1)) {
        auto value = base::trim_left(text.substr(at + mark.size()));
        if (value.starts_with("\"")) value.remove_prefix(1);
        value = value.substr(0, value.find_first_of("\", \r\n"));
        if (value != "List" && is_known_kind(value)) return true;
    }
    return false;
}

bool is_json_object(std::string_view text) {
    if (!text.starts_with("{") && !text.starts_with("[")) return false;
    // `-o jsonpath` and jq take a pod's status out of its object.
    if (base::contains(text, "\"phase\"") && base::contains(text, "\"PodScheduled\"")) return true;
    if (!base::contains(text, "\"apiVersion\"") || base::contains(text, "audit.k8s.io")) return false;
    return names_known_kind(text, "\"kind\":");
}

bool is_yaml_object(std::string_view text) {
    const bool starts = text.starts_with("apiVersion:") || text.starts_with("kind:") || text.starts_with("---") ||
                        text.starts_with("- apiVersion:") || text.starts_with("items:") ||
                        text.starts_with("metadata:");
    return starts && base::contains(text, "apiVersion:") &&
           (names_known_kind(text, "\nkind:") || names_known_kind(text, "  kind:"));
}

/// A node, or its resources alone: names with a domain.
bool is_node_description(std::string_view text) {
    if (text.starts_with("Capacity:\n") || text.starts_with("Allocatable:\n"))
        return base::contains(text, ".com/") || base::contains(text, ".io/");
    return text.starts_with("Name:") && base::contains(text, "\nCapacity:") && base::contains(text, "\nAllocatable:");
}

/// "Name:" and "Namespace:" in front, and a kind that we know or the fields of a pod.
bool is_description(std::string_view text) {
    if (is_node_description(text)) return true;
    if (!text.starts_with("Name:") || !base::contains(text, "\nNamespace:")) return false;
    if (base::contains(text, "\nKind:")) return names_known_kind(text, "\nKind:");
    return base::contains(text, "\nContainers:") || base::contains(text, "\nStatus:") ||
           base::contains(text, "\nNode:");
}

int certainty_of_tables(std::string_view text) {
    int seen = 0;
    int best = 0;
    while (!text.empty()) {
        const auto [line, rest] = base::split_once(text, "\n");
        text = rest;
        const auto trimmed = base::trim_right(line);
        if (trimmed.empty()) continue;
        ++seen;
        if (Table::parse_event_header(trimmed)) best = std::max(best, 85);
        const auto header = Table::parse_header(trimmed);
        if (header && header->subject() != Subject::other) best = std::max(best, seen <= kFirstLines ? 90 : 60);
    }
    return best;
}

}  // namespace

int certainty(const ports::Head& head) {
    const auto command = parse_command(head.command);
    if (command.verb == Command::Verb::other) return 0;  // logs, exec ...: another tool's text
    if (command.verb != Command::Verb::none && command.subject != Subject::other) return 95;
    const auto text = base::trim_left(head.text);
    if (is_json_object(text) || is_yaml_object(text)) return 90;
    if (is_description(text)) return 85;
    return certainty_of_tables(head.text);
}

}  // namespace gpumedic::evidence::kubectl
