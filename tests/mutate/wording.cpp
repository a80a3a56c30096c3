// How drivers of other versions word the same event.
#include <fmt/format.h>

#include "base/text.h"
#include "kernel_log.h"
#include "variant.h"

namespace gpumedic::mutate {
namespace {

constexpr std::string_view kMark = "NVRM: Xid (PCI:";

/// "NVRM: Xid (PCI:0000:ed:00): 79, pid=1, name=x, rest", in its parts.
struct Xid {
    std::string_view before;
    std::string_view address;
    std::string_view number;
    std::string_view process;  // "pid=..., name=..., " or less
    std::string_view rest;
};

std::optional<Xid> parse_xid(std::string_view line) {
    const auto start = line.find(kMark);
    if (start == std::string_view::npos) return std::nullopt;
    const auto [address, behind] = base::split_once(line.substr(start + kMark.size()), "): ");
    const auto [number, tail] = base::split_once(behind, ", ");
    if (tail.empty()) return std::nullopt;
    auto rest = tail;
    for (const std::string_view key : {"pid=", "name="})
        if (rest.starts_with(key)) rest = base::split_once(rest, ", ").second;
    return Xid{line.substr(0, start), address, number, tail.substr(0, tail.size() - rest.size()), rest};
}

/// Xids that name a program are told by it; the others do not mind.
bool names_program(const Xid& xid) {
    return base::contains(xid.process, "name=") && !base::contains(xid.process, "<unknown>");
}

std::string as_xid(const Xid& x, std::string_view mark, std::string_view process) {
    return fmt::format("{}{}{}): {}, {}{}", x.before, mark, x.address, x.number, process, x.rest);
}

std::string without_process(const Xid& x) { return as_xid(x, kMark, ""); }
std::string unknown_process(const Xid& x) {
    return names_program(x) ? as_xid(x, kMark, x.process) : as_xid(x, kMark, "pid='<unknown>', name=<unknown>, ");
}
std::string pid_alone(const Xid& x) { return as_xid(x, kMark, "pid=4711, "); }
std::string some_program(const Xid& x) {
    return as_xid(x, kMark, names_program(x) ? x.process : "pid=4711, name=python3, ");
}
std::string without_pci_word(const Xid& x) { return as_xid(x, "NVRM: Xid (", x.process); }
std::string with_function(const Xid& x) {
    const auto [address, instance] = base::split_once(x.address, " ");  // "0000:07:00 GPU-I:03" of a MIG instance
    const auto blank = instance.empty() ? "" : " ";
    return fmt::format("{}{}{}.0{}{}): {}, {}{}", x.before, kMark, address, blank, instance, x.number, x.process, x.rest);
}

using Wording = std::string (*)(const Xid&);

template <Wording wording>
std::optional<Variant> reworded(const Step&, Variant variant) {
    for (auto& [name, text] : variant.files) {
        std::string out;
        for (const auto line : lines_of(text)) {
            const auto xid = parse_xid(line);
            (out += xid ? wording(*xid) : std::string(line)) += '\n';
        }
        text = out;
    }
    return variant;
}

/// "GPU 0000:ed:00.0: GPU has fallen off the bus." was "GPU at 0000:ed:00.0 has fallen off the bus." once.
std::optional<Variant> fallen_in_old_words(const Step&, Variant variant) {
    for (auto& [name, text] : variant.files) {
        std::string out;
        for (const auto line : lines_of(text)) {
            const auto [before, rest] = base::split_once(line, "NVRM: GPU 0");
            const bool it = !rest.empty() && rest.ends_with(": GPU has fallen off the bus.");
            if (it) {
                const auto address = rest.substr(0, rest.find(": "));
                out += fmt::format("{}NVRM: GPU at 0{} has fallen off the bus.\n", before, address);
            } else {
                (out += line) += '\n';
            }
        }
        text = out;
    }
    return variant;
}

}  // namespace

std::vector<Kind> wording_kinds() {
    constexpr auto kAlso = Kind::Use::also_combined;
    return {{"word Xid without pid and name", 1, reworded<without_process>},
            {"word Xid with unknown process", 1, reworded<unknown_process>, kAlso},
            {"word Xid with pid alone", 1, reworded<pid_alone>},
            {"word Xid with a program", 1, reworded<some_program>, kAlso},
            {"word Xid without 'PCI:'", 1, reworded<without_pci_word>},
            {"word Xid with function", 1, reworded<with_function>},
            {"word fallen off in old words", 1, fallen_in_old_words}};
}

}  // namespace gpumedic::mutate
