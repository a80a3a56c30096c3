#include "evidence/kubectl/text_forms.h"

#include "base/text.h"

namespace gpumedic::evidence::kubectl {
namespace {

/// The first quote without a backslash in front, or npos.
std::size_t closing_quote(std::string_view text) {
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '"') return i;
        if (text[i] == '\\') ++i;
    }
    return std::string_view::npos;
}

}  // namespace

std::string plain_message(std::string_view message) {
    message = base::trim(message);
    // `command SyncVMI failed: "..."`: Go quoted the reply as a whole, so the quotes are not part of the text. A
    // message that was cut has no closing quote.
    std::string_view head;
    std::string_view tail = message;
    if (const auto open = message.find(": \""); open != std::string_view::npos) {
        const auto inner = message.substr(open + 3);
        const auto close = closing_quote(inner);
        if (close == std::string_view::npos || close + 1 == inner.size()) {
            head = message.substr(0, open + 2);
            tail = inner.substr(0, close);
        }
    }
    std::string out(head);
    out.reserve(message.size());
    for (std::size_t i = 0; i < tail.size(); ++i) {
        const char c = tail[i];
        const char next = i + 1 < tail.size() ? tail[i + 1] : '\0';
        if (c == '\\' && (next == 'n' || next == 't' || next == 'r')) {
            out += ' ';
            ++i;
        } else if (c == '\\' && (next == '"' || next == '\\')) {
            out += next;
            ++i;
        } else {
            out += (c == '\n' || c == '\r' || c == '\t') ? ' ' : c;
        }
    }
    return out;
}

std::pair<std::string_view, std::string_view> split_source(std::string_view source) {
    const auto [component, host] = base::split_once(source, ",");
    return {base::trim(component), base::trim(host)};
}

std::string_view count_of_age(std::string_view age) {
    const auto at = age.find("(x");
    if (at == std::string_view::npos) return {};
    const auto count = age.substr(at + 2);
    return count.substr(0, count.find_first_not_of("0123456789"));
}

std::string_view vmi_of_pod(std::string_view pod) {
    constexpr std::string_view kPrefix = "virt-launcher-";
    constexpr std::size_t kRandom = 5;
    constexpr std::size_t kLongest = 63;  // a longer name was cut before the random part was put on
    if (!pod.starts_with(kPrefix) || pod.size() >= kLongest) return {};
    pod.remove_prefix(kPrefix.size());
    if (pod.size() < kRandom + 2 || pod[pod.size() - kRandom - 1] != '-') return {};
    return pod.substr(0, pod.size() - kRandom - 1);
}

std::vector<std::pair<std::size_t, std::string_view>> table_pieces(std::string_view line) {
    std::vector<std::pair<std::size_t, std::string_view>> pieces;
    std::size_t at = 0;
    while (at < line.size()) {
        const auto start = line.find_first_not_of(" \t", at);
        if (start == std::string_view::npos) break;
        auto end = start;
        while (end < line.size() && line[end] != '\t' &&
               !(line[end] == ' ' && (end + 1 == line.size() || line[end + 1] == ' ')))
            ++end;
        pieces.emplace_back(start, line.substr(start, end - start));
        at = end;
    }
    return pieces;
}

}  // namespace gpumedic::evidence::kubectl
