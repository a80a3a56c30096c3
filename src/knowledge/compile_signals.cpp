// Patterns, groups, codes, fields and examples of signals.
#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "codec/pattern.h"
#include "knowledge/compiler.h"
#include "knowledge/record_fields.h"
#include "knowledge/suggest.h"

namespace gpumedic::knowledge {
namespace {

using SignalDefinition = Definition<Signal>;

constexpr std::string_view kCodeGroup = "code";

Place place_at(const SignalDefinition& definition, std::string_view key) {
    const codec::Value* value = definition.node == nullptr ? nullptr : definition.node->find(key);
    if (value == nullptr || definition.place.document == nullptr) return definition.place;
    return place_of(*definition.place.document, *value);
}

bool is_group_name(std::string_view name) { return is_id(name) && name.find('.') == std::string_view::npos; }

void check_groups(const SignalDefinition& definition, const std::vector<std::string>& groups, ProblemList& problems) {
    const Signal& signal = definition.value;
    const Place place = place_at(definition, "pattern");
    for (const auto& group : groups) {
        if (is_group_name(group)) continue;
        problems.error(Mistake::bad_group, place, fmt::format("the group name '{}' is not lower-case words", group),
                       "write letters, digits and '_', beginning with a lower-case letter");
    }
    const bool captures_code = std::find(groups.begin(), groups.end(), kCodeGroup) != groups.end();
    if (captures_code && signal.codes.empty()) {
        problems.error(Mistake::bad_group, place,
                       fmt::format("signal '{}' captures 'code' but has no 'codes'", signal.id),
                       "add the table, or give the group another name");
    }
    if (!captures_code && !signal.codes.empty()) {
        problems.error(Mistake::bad_group, place,
                       fmt::format("signal '{}' has 'codes' but captures no 'code'", signal.id),
                       "name the group that holds the code: (?P<code>\\d+)");
    }
}

void compile_pattern(SignalDefinition& definition, ProblemList& problems) {
    Signal& signal = definition.value;
    const Place place = place_at(definition, "pattern");
    const auto pattern = codec::Pattern::compile(signal.pattern);
    if (!pattern) {
        problems.error(Mistake::bad_pattern, place,
                       fmt::format("the pattern of '{}' does not compile: {}", signal.id, pattern.error().what),
                       "RE2 syntax: no look-around, no back-references; named groups are (?P<name>...)");
        return;
    }
    check_groups(definition, pattern->group_names(), problems);
    signal.literal = codec::required_literal(signal.pattern);
    if (signal.literal.empty()) {
        problems.error(
            Mistake::no_literal, place,
            fmt::format("the pattern of '{}' contains no plain text that every match must hold", signal.id),
            "at least four bytes outside optional parts and alternatives; split alternatives into two signals");
    }
}

void check_where_fields(const SignalDefinition& definition, ProblemList& problems) {
    const Signal& signal = definition.value;
    std::vector<std::string_view> known;
    for (const auto type : signal.in) {
        const auto fields = fields_of(type);
        known.insert(known.end(), fields.begin(), fields.end());
    }
    const codec::Value* where = definition.node == nullptr ? nullptr : definition.node->find("where");
    if (where == nullptr || signal.in.empty()) return;
    for (const auto& member : where->members) {
        if (std::find(known.begin(), known.end(), member.key) != known.end()) continue;
        problems.error(Mistake::unknown_field, place_of(*definition.place.document, member.line, member.column),
                       fmt::format("the records of '{}' have no field '{}'", signal.id, member.key),
                       suggest(member.key, known));
    }
}

void check_example_fields(const SignalDefinition& definition, const Example& example, ProblemList& problems) {
    const Signal& signal = definition.value;
    const auto named = model::parse_record_type(example.type);
    if (!named && signal.in.empty()) return;
    const auto fields = fields_of(named ? *named : signal.in.front());
    for (const auto& field : example.fields) {
        if (std::find(fields.begin(), fields.end(), field.first) != fields.end()) continue;
        problems.error(
            Mistake::unknown_field, place_at(definition, "examples"),
            fmt::format("an example of '{}' has a field '{}' that its record type has not", signal.id, field.first),
            suggest(field.first, {fields.begin(), fields.end()}));
    }
}

void check_examples(const SignalDefinition& definition, ProblemList& problems) {
    const Signal& signal = definition.value;
    if (signal.match.empty()) {
        problems.error(Mistake::no_match_example, place_at(definition, "examples"),
                       fmt::format("signal '{}' has no example that must match", signal.id),
                       "add examples: {match: [{line: '...'}]} with a line as the source prints it");
    }
    if (signal.no_match.empty()) {
        problems.error(
            Mistake::no_near_miss, place_at(definition, "examples"),
            fmt::format("signal '{}' has no near miss that must not match", signal.id),
            "add examples: {no_match: [{line: '...'}]} with the most similar line that means something else");
    }
    for (const auto& example : signal.match) check_example_fields(definition, example, problems);
    for (const auto& example : signal.no_match) check_example_fields(definition, example, problems);
}

/// "xid.79" may not be both a signal and a row of the signal "xid".
void check_code_ids(const std::vector<SignalDefinition>& signals, ProblemList& problems) {
    std::unordered_map<std::string_view, const SignalDefinition*> by_id;
    for (const auto& definition : signals) by_id.emplace(definition.value.id, &definition);
    for (const auto& definition : signals) {
        for (const auto& code : definition.value.codes) {
            const std::string full = definition.value.id + "." + code.code;
            const auto found = by_id.find(full);
            if (found == by_id.end()) continue;
            problems.error(Mistake::duplicate_id, found->second->place,
                           fmt::format("signal '{}' is also a code of '{}'", full, definition.value.id),
                           fmt::format("the code is at {}; keep one of them", definition.value.file));
        }
    }
}

/// Operators know a code by its number: "Xid 79: GPU fell off the bus". The family's English title is the word before
/// it in both languages.
void name_codes(Signal& signal) {
    for (auto& code : signal.codes) {
        const auto label = fmt::format("{} {}: ", signal.title.en, code.code);
        code.title.en.insert(0, label);
        code.title.ko.insert(0, label);
    }
}

}  // namespace

void compile_signals(Collected& collected, ProblemList& problems) {
    for (auto& definition : collected.definitions.signals) {
        if (definition.node == nullptr) continue;  // of the base: compiled before
        Signal& signal = definition.value;
        name_codes(signal);
        if (!signal.pattern.empty()) {
            compile_pattern(definition, problems);
        } else if (!signal.codes.empty()) {
            check_groups(definition, {}, problems);
        }
        // A pattern or condition that could not be read was reported; its presence is what counts here.
        if (definition.node->find("pattern") == nullptr && signal.where.empty() &&
            (definition.node->find("where") == nullptr || definition.node->find("where")->members.empty())) {
            problems.error(Mistake::matches_everything, definition.place,
                           fmt::format("signal '{}' has neither 'pattern' nor 'where'", signal.id),
                           "it would be found in every record");
        }
        check_where_fields(definition, problems);
        check_examples(definition, problems);
        check_command(signal.obtain_command, place_at(definition, "obtain"), problems);
    }
    check_code_ids(collected.definitions.signals, problems);
}

}  // namespace gpumedic::knowledge
