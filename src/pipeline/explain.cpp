#include <algorithm>
#include <set>

#include "base/text.h"
#include "bundle/bundle.h"
#include "knowledge/decode.h"
#include "pipeline/line_tree.h"
#include "pipeline/pipeline.h"
#include "signals/scan.h"

namespace gpumedic::pipeline {
namespace {

using knowledge::Fault;
using knowledge::Index;

bool shows(const Fault& fault, std::string_view signal_id) {
    return std::ranges::any_of(fault.effects, [&](const auto& effect) {
        return std::ranges::any_of(effect.signals,
                                   [&](const auto& wanted) { return knowledge::matches_id(wanted, signal_id); });
    });
}

void add_actions(const Index& catalogue, const Fault& fault, Explanation& out) {
    for (const auto& rule : fault.plan) {
        const auto* action = catalogue.action(rule.action);
        if (action == nullptr) continue;
        const bool known = std::ranges::any_of(out.actions, [&](const auto& a) { return a.first == action->class_; });
        if (!known) out.actions.emplace_back(action->class_, action->title);
    }
}

Explanation of_signal(const Index& catalogue, std::string_view id) {
    Explanation out;
    const auto* signal = catalogue.signal(id);
    const auto* code = catalogue.code_of(id);
    out.kind = "signal";
    out.id = id;
    out.title = catalogue.title_of(id);
    out.meaning = code != nullptr && !code->meaning.empty() ? code->meaning : signal->meaning;
    out.severity = model::to_string(code != nullptr ? code->severity : signal->severity);
    out.source = code != nullptr && !code->source.empty() ? code->source : signal->source;
    for (const auto& fault : catalogue.catalogue().faults) {
        if (!shows(fault, id)) continue;
        out.faults.emplace_back(fault.id, fault.title);
        add_actions(catalogue, fault, out);
    }
    return out;
}

Explanation of_fault(const Index& catalogue, const Fault& fault) {
    Explanation out;
    out.kind = "fault";
    out.id = fault.id;
    out.title = fault.title;
    out.meaning = fault.cause;
    out.severity = model::to_string(fault.severity);
    out.source = fault.source;
    add_actions(catalogue, fault, out);
    return out;
}

std::optional<Explanation> of_name(const Index& catalogue, const std::string& name) {
    if (catalogue.signal(name) != nullptr) return of_signal(catalogue, name);
    if (const auto* fault = catalogue.fault(name)) return of_fault(catalogue, *fault);
    Explanation out;
    out.id = name;
    if (const auto* fault_class = catalogue.fault_class(name)) {
        out.kind = "class";
        out.title = out.meaning = fault_class->meaning;
        for (const auto& fault : catalogue.catalogue().faults) {
            if (fault.class_ != name) continue;
            out.faults.emplace_back(fault.id, fault.title);
            add_actions(catalogue, fault, out);
        }
        return out;
    }
    if (const auto* action = catalogue.action(name)) {
        out.kind = "action";
        out.title = action->title;
        for (const auto& step : action->steps) {
            out.meaning.en += (out.meaning.en.empty() ? "" : " ") + step.do_.en;
            out.meaning.ko += (out.meaning.ko.empty() ? "" : " ") + step.do_.ko;
        }
        out.source = action->source;
        return out;
    }
    if (const auto* check = catalogue.check(name)) {
        out.kind = "check";
        out.title = check->title;
        out.meaning = check->expect;
        out.source = check->source;
        return out;
    }
    return std::nullopt;
}

/// "NV_ERR_TIMEOUT", "ErrorUnschedulable": names of values that lines and objects carry.
std::vector<Explanation> of_value(const Index& catalogue, std::string_view name) {
    std::vector<Explanation> answers;
    for (const auto& [table, row] : knowledge::rows_named(catalogue.catalogue(), name)) {
        Explanation out;
        out.kind = "value";
        out.id = table->id + "." + row->name;
        out.title = table->title;
        out.meaning = row->text;
        out.source = table->source;
        for (std::size_t i = 0; i < row->is.size() && i < table->keys.size(); ++i)
            out.fields.emplace_back(table->keys[i], row->is[i]);
        answers.push_back(std::move(out));
    }
    return answers;
}

/// "rm_status 0x65": a value of a named table.
std::vector<Explanation> of_table_value(const Index& catalogue, std::string_view query) {
    const auto [id, value] = base::split_once(base::trim(query), " ");
    const auto* table = catalogue.table(id);
    if (table == nullptr || table->keys.size() != 1) return {};
    std::vector<Explanation> answers;
    for (const auto& row : table->rows) {
        if (!knowledge::fits(row.is.front(), base::trim(value), knowledge::Numbers::marked)) continue;
        Explanation out;
        out.kind = "value";
        out.id = table->id + "." + (row.name.empty() ? row.is.front() : row.name);
        out.title = table->title;
        out.meaning = row.text;
        out.source = table->source;
        out.fields.emplace_back(table->keys.front(), std::string(base::trim(value)));
        answers.push_back(std::move(out));
    }
    return answers;
}

/// "Xid 79", "xid79", "XID: 79", "xid 0x4f"? No: decimal as the driver prints it. Digits alone mean an Xid.
std::optional<std::string> as_code(std::string_view query) {
    const auto text = base::lower(base::trim(query));
    const auto digits = text.find_first_of("0123456789");
    if (digits == std::string::npos || text.size() - digits > 6) return std::nullopt;
    const auto number = text.substr(digits);
    if (!std::ranges::all_of(number, [](char c) { return c >= '0' && c <= '9'; })) return std::nullopt;
    const auto family = text.substr(0, text.find_last_not_of(" :#=", digits == 0 ? std::string::npos : digits - 1) + 1);
    if (!std::ranges::all_of(family, [](char c) { return c >= 'a' && c <= 'z'; })) return std::nullopt;
    return (digits == 0 ? std::string("xid") : family) + "." + number;
}

}  // namespace

struct Explainer::Impl {
    Impl(const Index* source, signals::Scanner made) : catalogue(source), scanner(std::move(made)) {}
    const Index* catalogue;
    signals::Scanner scanner;

    std::vector<Explanation> of_line(std::string_view line) {
        std::vector<std::pair<model::Severity, Explanation>> found;
        std::set<std::string> seen;
        LineTree tree{std::string(line)};
        const auto sources =
            bundle::read_evidence(tree, {"-"}, {}, [&](std::uint32_t source, const model::Record& record) {
                for (const auto& signal : scanner.scan(source, record)) {
                    if (!seen.insert(signal.id).second) continue;
                    auto explanation =
                        catalogue->signal(signal.id) == nullptr ? Explanation{} : of_signal(*catalogue, signal.id);
                    if (signal.subject.pci) explanation.fields.emplace_back("pci", signal.subject.pci->to_string());
                    if (!signal.subject.vm.empty()) explanation.fields.emplace_back("vm", signal.subject.vm);
                    if (signal.subject.link)
                        explanation.fields.emplace_back("link", std::to_string(*signal.subject.link));
                    if (const auto* definition = catalogue->signal(signal.id))
                        for (auto& d : knowledge::decode(*catalogue, *definition, signal.fields))
                            explanation.decoded.push_back({d.field, d.value, d.name, d.text});
                    explanation.fields.insert(explanation.fields.end(), signal.fields.begin(), signal.fields.end());
                    found.emplace_back(signal.severity, std::move(explanation));
                }
            });
        std::ranges::stable_sort(found, std::greater{}, [](const auto& f) { return f.first; });
        std::vector<Explanation> explanations;
        for (auto& [severity, explanation] : found) explanations.push_back(std::move(explanation));
        return explanations;
    }
};

Explainer::Explainer(const Index& catalogue)
    : impl_(std::make_unique<Impl>(&catalogue, signals::Scanner(catalogue.catalogue()))) {}
Explainer::~Explainer() = default;
Explainer::Explainer(Explainer&&) noexcept = default;
Explainer& Explainer::operator=(Explainer&&) noexcept = default;

std::vector<Explanation> Explainer::explain(std::string_view query) {
    std::vector<Explanation> answers;
    if (auto named = of_name(*impl_->catalogue, std::string(base::trim(query)))) {
        answers.push_back(std::move(*named));
    } else if (const auto code = as_code(query); code && impl_->catalogue->code_of(*code) != nullptr) {
        answers.push_back(of_signal(*impl_->catalogue, *code));
    } else if (auto values = of_value(*impl_->catalogue, base::trim(query)); !values.empty()) {
        answers = std::move(values);
    } else if (auto table = of_table_value(*impl_->catalogue, query); !table.empty()) {
        answers = std::move(table);
    } else {
        answers = impl_->of_line(query);
    }
    if (answers.empty()) answers.emplace_back();
    for (auto& answer : answers) answer.query = query;
    return answers;
}

std::vector<Explanation> explain(const Index& catalogue, std::string_view query) {
    return Explainer(catalogue).explain(query);
}

}  // namespace gpumedic::pipeline
