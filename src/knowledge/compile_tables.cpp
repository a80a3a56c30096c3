// Tables, what signals decode with them, and a site's overrides.
#include <fmt/format.h>

#include <algorithm>

#include "codec/pattern.h"
#include "knowledge/compiler.h"
#include "knowledge/record_fields.h"
#include "knowledge/suggest.h"

namespace gpumedic::knowledge {
namespace {

/// Captures of the pattern and fields of the records: what a signal of this definition can carry.
std::vector<std::string> fields_of_signal(const Signal& signal) {
    std::vector<std::string> names;
    if (const auto pattern = codec::Pattern::compile(signal.pattern)) names = pattern->group_names();
    for (const auto type : signal.in)
        for (const auto field : fields_of(type)) names.emplace_back(field);
    return names;
}

void check_decode(const Definition<Signal>& signal, const Decode& decode,
                  const std::vector<Definition<CodeTable>>& tables, ProblemList& problems) {
    const auto place = locate(signal.node, signal.place, "decode", decode.table);
    const auto table = std::ranges::find(tables, decode.table, [](const auto& t) { return t.value.id; });
    if (table == tables.end()) {
        std::vector<std::string_view> known;
        for (const auto& t : tables) known.push_back(t.value.id);
        problems.error(Mistake::unknown_table, place, fmt::format("unknown table '{}'", decode.table),
                       suggest(decode.table, known));
        return;
    }
    if (table->value.keys.size() != decode.of.size()) {
        problems.error(Mistake::bad_table, place,
                       fmt::format("the table '{}' has {} keys, 'of' names {} fields", decode.table,
                                   table->value.keys.size(), decode.of.size()));
    }
    const auto known = fields_of_signal(signal.value);
    for (const auto& field : decode.of) {
        if (std::ranges::find(known, field) != known.end()) continue;
        problems.error(Mistake::unknown_field, locate(signal.node, signal.place, "decode", field),
                       fmt::format("signal '{}' captures no '{}'", signal.value.id, field),
                       suggest(field, {known.begin(), known.end()}));
    }
}

/// Conditions that compare with what a table expects.
void check_expectations(const Definition<Signal>& signal, const std::vector<Definition<CodeTable>>& tables,
                        ProblemList& problems) {
    for (const auto& condition : signal.value.where) {
        using Test = FieldCondition::Test;
        if (condition.test != Test::below && condition.test != Test::reaches) continue;
        const std::string& name = condition.values.front();
        const auto table = std::ranges::find(tables, name, [](const auto& t) { return t.value.id; });
        const auto place = locate(signal.node, signal.place, "where", name);
        std::vector<std::string_view> known;
        for (const auto& t : tables) known.push_back(t.value.id);
        if (table == tables.end()) {
            problems.error(Mistake::unknown_table, place, fmt::format("unknown table '{}'", name),
                           suggest(name, known));
        } else if (table->value.keys.size() != 1) {
            problems.error(
                Mistake::bad_table, place,
                fmt::format("'{}' has {} keys; a condition looks up one value", name, table->value.keys.size()));
        }
    }
}

void check_device_kind(const Definition<Signal>& signal, ProblemList& problems) {
    static const std::vector<std::string_view> kKinds{"", "nic", "port", "drive", "usb", "other"};
    if (std::ranges::find(kKinds, signal.value.device_kind) != kKinds.end()) return;
    problems.error(Mistake::unknown_word, locate(signal.node, signal.place, "device_kind", signal.value.device_kind),
                   fmt::format("'{}' is no kind of device", signal.value.device_kind),
                   suggest(signal.value.device_kind, {kKinds.begin() + 1, kKinds.end()}));
}

Fault* find_fault(Collected& collected, std::string_view id) {
    auto& faults = collected.definitions.faults;
    const auto it = std::ranges::find(faults, id, [](const auto& f) { return f.value.id; });
    return it == faults.end() ? nullptr : &it->value;
}

/// A signal, or one row of a signal's codes: where its severity stands.
model::Severity* find_severity(Collected& collected, std::string_view id) {
    for (auto& [signal, place, node, layer] : collected.definitions.signals) {
        if (signal.id == id) return &signal.severity;
        if (!id.starts_with(signal.id + ".")) continue;
        for (auto& code : signal.codes)
            if (id.substr(signal.id.size() + 1) == code.code) return &code.severity;
    }
    return nullptr;
}

void override_fault(Collected& collected, const Definition<Override>& wish, const KnownNames& known,
                    ProblemList& problems) {
    const auto id = std::string_view(wish.value.id).substr(std::string_view("fault:").size());
    Fault* fault = find_fault(collected, id);
    if (fault == nullptr) {
        problems.error(Mistake::unknown_fault, wish.place, fmt::format("unknown fault '{}'", id),
                       known.help_for(KnownNames::Kind::fault, id));
        return;
    }
    if (wish.value.severity) fault->severity = *wish.value.severity;
    if (wish.value.strategy) fault->strategy = *wish.value.strategy;
    if (wish.value.action.empty()) return;
    if (!known.has(KnownNames::Kind::action, wish.value.action)) {
        problems.error(Mistake::unknown_action, locate(wish.node, wish.place, "action", wish.value.action),
                       fmt::format("unknown action '{}'", wish.value.action),
                       known.help_for(KnownNames::Kind::action, wish.value.action));
        return;
    }
    fault->plan.assign(1, {wish.value.action, {}, wish.value.why, {}});
}

}  // namespace

void compile_tables(const Collected& collected, ProblemList& problems) {
    for (const auto& [table, place, node, layer] : collected.definitions.tables) {
        if (node == nullptr) continue;
        for (const auto& row : table.rows) {
            if (row.is.size() == table.keys.size()) continue;
            problems.error(
                Mistake::bad_table, row.is.empty() ? place : locate(node, place, "rows", row.is.front()),
                fmt::format("a row of '{}' names {} values for {} keys", table.id, row.is.size(), table.keys.size()));
        }
    }
    for (const auto& signal : collected.definitions.signals) {
        if (signal.node == nullptr) continue;
        for (const auto& decode : signal.value.decode)
            check_decode(signal, decode, collected.definitions.tables, problems);
        check_expectations(signal, collected.definitions.tables, problems);
        check_device_kind(signal, problems);
    }
}

void apply_overrides(Collected& collected, const KnownNames& known, ProblemList& problems) {
    const auto wishes = std::move(collected.definitions.overrides);
    for (const auto& wish : wishes) {
        if (wish.value.id.starts_with("fault:")) {
            override_fault(collected, wish, known, problems);
            continue;
        }
        const auto id = std::string_view(wish.value.id).substr(std::string_view("signal:").size());
        model::Severity* severity = find_severity(collected, id);
        if (severity == nullptr) {
            problems.error(Mistake::unknown_signal, wish.place, fmt::format("unknown signal '{}'", id),
                           known.help_for(KnownNames::Kind::signal, id));
        } else if (wish.value.severity) {
            *severity = *wish.value.severity;
        }
    }
}

}  // namespace gpumedic::knowledge
