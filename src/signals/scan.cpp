#include "signals/scan.h"

#include <algorithm>
#include <array>

#include "base/check.h"
#include "base/text.h"
#include "codec/pattern.h"
#include "knowledge/decode.h"
#include "signals/subject.h"

namespace gpumedic::signals {
namespace {

using model::Record;

constexpr std::size_t kTypes = 32;
constexpr std::size_t kEvidenceBytes = 1024;  // of one line; a whole 256 KiB line helps nobody in a report

std::uint32_t bit_of(model::RecordType type) { return std::uint32_t{1} << static_cast<unsigned>(type); }

/// The lines of listings are text to a pattern that looks in text: whether a listing has a reader of its own must not
/// decide whether a line in it is seen.
constexpr model::RecordType kListingLines[] = {model::RecordType::k8s_node,    model::RecordType::slurm_node,
                                               model::RecordType::slurm_job,   model::RecordType::bmc_event,
                                               model::RecordType::dcgm,        model::RecordType::module,
                                               model::RecordType::package,     model::RecordType::driver,
                                               model::RecordType::iommu_group, model::RecordType::kernel_cmdline};

std::uint32_t types_of(const knowledge::Signal& signal) {
    std::uint32_t types = 0;
    for (const auto type : signal.in) types |= bit_of(type);
    if ((types & bit_of(model::RecordType::text)) != 0 && !signal.pattern.empty())
        for (const auto type : kListingLines) types |= bit_of(type);
    return types;
}

bool number_holds(const knowledge::FieldCondition& condition, std::string_view value, bool wants_at_least) {
    const auto have = base::parse_decimal(value);
    const auto limit = condition.values.empty() ? std::nullopt : base::parse_decimal(condition.values.front());
    if (!have || !limit) return false;
    return wants_at_least ? *have >= *limit : *have <= *limit;
}

/// Less than expected, or not; where the table knows nothing of the value neither holds.
bool meets_expectation(const knowledge::FieldCondition& condition, const Record& record,
                       const knowledge::Catalogue& catalogue) {
    const auto have = base::parse_decimal(record.field(condition.field));
    const auto table = std::ranges::find(catalogue.tables, condition.values.at(0), &knowledge::CodeTable::id);
    const auto by = record.field(condition.values.at(1));
    if (!have || by.empty() || table == catalogue.tables.end()) return false;
    const auto expected = knowledge::expected_number(*table, by);
    if (!expected) return false;
    return condition.test == knowledge::FieldCondition::Test::below ? *have < *expected : *have >= *expected;
}

bool holds(const knowledge::FieldCondition& condition, const Record& record, const knowledge::Catalogue& catalogue) {
    using Test = knowledge::FieldCondition::Test;
    const auto value = record.field(condition.field);
    const bool listed = std::ranges::find(condition.values, value) != condition.values.end();
    switch (condition.test) {
        case Test::any_of: return listed;
        case Test::none_of: return !value.empty() && !listed;
        case Test::at_least: return number_holds(condition, value, true);
        case Test::at_most: return number_holds(condition, value, false);
        case Test::below:
        case Test::reaches: return meets_expectation(condition, record, catalogue);
        case Test::absent: return value.empty();
    }
    return false;
}

/// Cut at a character's start, so that what is printed stays valid.
std::string_view cut_text(std::string_view text, std::size_t bytes) {
    if (text.size() <= bytes) return text;
    while (bytes > 0 && (static_cast<unsigned char>(text[bytes]) & 0xc0) == 0x80) --bytes;
    return text.substr(0, bytes);
}

}  // namespace

struct Scanner::Impl {
    struct Definition {
        const knowledge::Signal* signal{};
        std::uint32_t types{};
        std::optional<codec::Pattern> pattern{};  // compiled at first use
        bool broken{false};
    };

    const knowledge::Catalogue* catalogue;
    std::vector<Definition> definitions;
    std::vector<std::vector<std::uint32_t>> by_literal;           // literal -> definitions
    std::array<std::vector<std::uint32_t>, kTypes> by_condition;  // record type -> definitions without a pattern
    std::uint32_t pattern_types{0};                               // record types that any pattern is looked for in
    codec::LiteralGate gate;
    std::vector<std::uint32_t> found_literals{};
    std::vector<std::uint32_t> candidates{};

    explicit Impl(const knowledge::Catalogue& source) : catalogue(&source), gate(build(source)) {}

    std::vector<std::string> build(const knowledge::Catalogue& source) {
        std::vector<std::string> literals;
        std::unordered_map<std::string_view, std::uint32_t> number_of;
        definitions.reserve(source.signals.size());
        for (const auto& signal : source.signals) {
            Definition definition{&signal};
            definition.types = types_of(signal);
            const auto number = static_cast<std::uint32_t>(definitions.size());
            if (signal.pattern.empty()) {
                for (const auto type : signal.in) by_condition[static_cast<std::size_t>(type)].push_back(number);
            } else {
                CHECK(signal.literal.size() >= 4, "a pattern without literal passed the catalogue compiler");
                const auto [it, fresh] =
                    number_of.try_emplace(signal.literal, static_cast<std::uint32_t>(literals.size()));
                if (fresh) {
                    literals.push_back(signal.literal);
                    by_literal.emplace_back();
                }
                by_literal[it->second].push_back(number);
                pattern_types |= definition.types;
            }
            definitions.push_back(std::move(definition));
        }
        return literals;
    }

    void collect_candidates(const Record& record) {
        candidates.clear();
        const auto type = bit_of(record.type);
        if ((pattern_types & type) != 0) {
            gate.find(record.text, found_literals);
            for (const auto literal : found_literals)
                for (const auto number : by_literal[literal])
                    if ((definitions[number].types & type) != 0) candidates.push_back(number);
        }
        const auto& conditional = by_condition[static_cast<std::size_t>(record.type)];
        candidates.insert(candidates.end(), conditional.begin(), conditional.end());
        std::ranges::sort(candidates);
    }

    std::optional<codec::Captures> match(Definition& definition, std::string_view text) {
        if (definition.signal->pattern.empty()) return codec::Captures{};
        if (definition.broken) return std::nullopt;
        if (!definition.pattern) {
            auto compiled = codec::Pattern::compile(definition.signal->pattern);
            definition.broken = !compiled.has_value();
            if (definition.broken) return std::nullopt;
            definition.pattern.emplace(std::move(*compiled));
        }
        return definition.pattern->match(text);
    }
};

Scanner::Scanner(const knowledge::Catalogue& catalogue) : impl_(std::make_unique<Impl>(catalogue)) {}
Scanner::~Scanner() = default;
Scanner::Scanner(Scanner&&) noexcept = default;
Scanner& Scanner::operator=(Scanner&&) noexcept = default;

namespace {

/// A code that the table does not list still is a signal of its family.
void apply_code(const knowledge::Signal& definition, std::string_view code, model::Signal& signal) {
    const auto row = std::ranges::find(definition.codes, code, &knowledge::Code::code);
    if (row == definition.codes.end()) {
        signal.id = definition.id + ".other";
        return;
    }
    signal.id = definition.id + "." + row->code;
    signal.severity = row->severity;
}

/// A state is shown by fields that may stand on other lines than the one quoted ("Kernel driver in use: ..."): name
/// them.
std::string quoted(const Record& record, const knowledge::Signal& definition) {
    // The message inside a JSON line is what a person looks for; its frame says nothing.
    const bool framed = record.raw.empty() || record.raw.starts_with('{');
    std::string out(cut_text(framed && !record.text.empty() ? record.text : record.raw, kEvidenceBytes));
    std::string shown;
    for (const auto& condition : definition.where) {
        const auto value = record.field(condition.field);
        if (!value.empty() && !base::contains(out, value))
            (((shown += shown.empty() ? "" : ", ") += condition.field) += ": ") += value;
    }
    return shown.empty() ? out : out + " {" + shown + "}";
}

model::Signal make_signal(std::uint32_t source, const Record& record, const knowledge::Signal& definition,
                          const codec::Captures& captures) {
    model::Signal signal;
    signal.id = definition.id;
    signal.severity = definition.severity;
    signal.record = record.type;
    signal.device_kind = definition.device_kind;
    take_record_subject(record, signal.subject);
    for (const auto& [name, value] : captures) {
        if (value.empty()) continue;
        if (!take_subject_name(name, value, signal.subject)) signal.fields.emplace_back(name, value);
    }
    for (const auto& field : record.fields)
        if (field.key != "repeated") signal.fields.emplace_back(field.key, field.value);
    if (!definition.codes.empty()) apply_code(definition, signal.field("code"), signal);
    signal.count = base::parse_number<std::uint64_t>(record.field("repeated")).value_or(1);
    signal.host = record.host;
    signal.first = signal.last = record.time;
    signal.evidence.push_back({source, record.line, record.time, quoted(record, definition)});
    return signal;
}

}  // namespace

std::vector<model::Signal> Scanner::scan(std::uint32_t source, const Record& record) {
    std::vector<model::Signal> signals;
    impl_->collect_candidates(record);
    for (const auto number : impl_->candidates) {
        auto& definition = impl_->definitions[number];
        if (!std::ranges::all_of(definition.signal->where,
                                 [&](const auto& c) { return holds(c, record, *impl_->catalogue); }))
            continue;
        if (const auto captures = impl_->match(definition, record.text))
            signals.push_back(make_signal(source, record, *definition.signal, *captures));
    }
    return signals;
}

}  // namespace gpumedic::signals
