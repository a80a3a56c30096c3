#include "signals/check_examples.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "signals/scan.h"

namespace gpumedic::signals {
namespace {

using knowledge::Example;
using knowledge::Problem;

std::string shown(const Example& example) {
    if (!example.line.empty()) return example.line;
    std::string out;
    for (const auto& [key, value] : example.fields) out += fmt::format("{}{}: {}", out.empty() ? "" : ", ", key, value);
    return "{" + out + "}";
}

model::RecordType type_of(const knowledge::Signal& definition, const Example& example) {
    if (const auto named = model::parse_record_type(example.type)) return *named;
    return definition.in.empty() ? model::RecordType::text : definition.in.front();
}

std::vector<model::Signal> run(Scanner& scanner, const knowledge::Signal& definition, const Example& example) {
    model::Record record;
    record.type = type_of(definition, example);
    record.line = 1;
    for (const auto& [key, value] : example.fields) record.fields.push_back({key, value});
    // Of a listed GPU the text is its name (src/model/README.md); other state records are found by their fields.
    record.text = record.raw = example.line.empty() && record.type == model::RecordType::gpu
                                   ? record.field("name")
                                   : std::string_view(example.line);
    auto signals = scanner.scan(0, record);
    std::erase_if(signals,
                  [&](const auto& s) { return s.id != definition.id && !s.id.starts_with(definition.id + "."); });
    return signals;
}

/// An address is promised by its canonical spelling, everything else as it was captured.
std::string value_of(const model::Signal& signal, std::string_view name) {
    const auto& s = signal.subject;
    const auto number = [](const std::optional<int>& n) { return n ? std::to_string(*n) : std::string(); };
    if (name == "id") return signal.id;
    if (name == "pci") return s.pci ? s.pci->to_string() : "";
    if (name == "uuid") return s.uuid;
    if (name == "index") return number(s.index);
    if (name == "instance") return number(s.instance);
    if (name == "link") return number(s.link);
    if (name == "nvswitch") return number(s.nvswitch);
    if (name == "iommu_group") return s.iommu_group;
    if (name == "vm") return s.vm;
    if (name == "namespace") return s.namespace_;
    if (name == "pod") return s.pod;
    if (name == "node") return s.node;
    return std::string(signal.field(name));
}

bool keeps_promise(const model::Signal& signal, std::string_view name, std::string_view promised) {
    const auto got = value_of(signal, name);
    if (got == promised) return true;
    const auto address = model::parse_pci_address(promised);
    return name == "pci" && address && address->to_string() == got;
}

Problem problem(std::string code, const knowledge::Signal& definition, std::string what, std::string help) {
    const auto [file, line] = base::split_once(definition.file, ":");
    Problem p;
    p.code = std::move(code);
    p.file = file;
    p.line = base::parse_number<std::uint32_t>(line).value_or(0);
    p.what = std::move(what);
    p.help = std::move(help);
    return p;
}

void check_match(Scanner& scanner, const knowledge::Signal& definition, const Example& example,
                 std::vector<Problem>& problems) {
    const auto signals = run(scanner, definition, example);
    if (signals.empty()) {
        problems.push_back(
            problem("CAT-080", definition,
                    fmt::format("'{}' does not match its own example: {}", definition.id, shown(example)),
                    "mend the pattern or conditions, or the example; the example is read as record type '" +
                        std::string(model::to_string(type_of(definition, example))) + "'"));
        return;
    }
    auto promises = example.gives;
    if (!example.gives_id.empty()) promises.emplace_back("id", example.gives_id);
    for (const auto& [name, value] : promises)
        if (!keeps_promise(signals.front(), name, value))
            problems.push_back(problem("CAT-082", definition,
                                       fmt::format("'{}' promises {} = '{}' but gives '{}': {}", definition.id, name,
                                                   value, value_of(signals.front(), name), shown(example)),
                                       "mend the named group, or what the example gives"));
}

}  // namespace

std::vector<Problem> check_examples(const knowledge::Catalogue& catalogue) {
    Scanner scanner(catalogue);
    std::vector<Problem> problems;
    for (const auto& definition : catalogue.signals) {
        for (const auto& example : definition.match) check_match(scanner, definition, example, problems);
        for (const auto& example : definition.no_match)
            if (!run(scanner, definition, example).empty())
                problems.push_back(problem("CAT-081", definition,
                                           fmt::format("'{}' matches its near miss: {}", definition.id, shown(example)),
                                           "narrow the pattern, its record types (`in`) or conditions"));
    }
    return problems;
}

}  // namespace gpumedic::signals
