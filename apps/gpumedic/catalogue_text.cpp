#include "catalogue_text.h"

#include <algorithm>

#include "codec/json_writer.h"
#include "report/layout.h"
#include "report/page.h"

namespace gpumedic::cli {
namespace {

using codec::JsonWriter;
using knowledge::Catalogue;
using model::Localized;
using report::Page;
using report::Style;

bool wanted(std::string_view asked, std::string_view kinds) { return asked.empty() || asked == kinds; }

Localized same(std::string_view text) { return {std::string(text), std::string(text)}; }

void add_row(std::vector<Row>& rows, std::string_view key, const Localized& text) {
    if (!text.empty()) rows.push_back({key, text});
}

std::string joined(const std::vector<std::string>& words) {
    std::string out;
    for (const std::string& word : words) out += (out.empty() ? "" : ", ") + word;
    return out;
}

void add_condition(std::string& out, std::string_view word, const std::vector<std::string>& names) {
    if (names.empty()) return;
    out += (out.empty() ? "" : "; ") + std::string(word) + " of " + joined(names);
}

void signal_rows(std::vector<Row>& rows, const knowledge::Signal& signal, const knowledge::Code* code,
                 std::string_view id) {
    rows.push_back({"signal", same(id)});
    add_row(rows, "title", code != nullptr ? code->title : signal.title);
    const bool own = code != nullptr && !code->meaning.empty();
    add_row(rows, "meaning", own ? code->meaning : signal.meaning);
    add_row(rows, "severity", same(model::to_string(code != nullptr ? code->severity : signal.severity)));
    std::string types;
    for (const model::RecordType type : signal.in)
        types += (types.empty() ? "" : ", ") + std::string(model::to_string(type));
    add_row(rows, "in", same(types));
    add_row(rows, "pattern", same(signal.pattern));
    for (const knowledge::FieldCondition& condition : signal.where)
        add_row(rows, "where", same(condition.field + ": " + joined(condition.values)));
    if (code == nullptr)
        for (const knowledge::Code& each : signal.codes)
            add_row(rows, "code", {each.code + ": " + each.title.en, each.code + ": " + each.title.ko});
    for (const knowledge::Example& example : signal.match) add_row(rows, "example", same(example.line));
    add_row(rows, "obtain", signal.obtain);
    add_row(rows, "command", same(signal.obtain_command));
    add_row(rows, "source", same(code != nullptr && !code->source.empty() ? code->source : signal.source));
    add_row(rows, "file", same(signal.file));
}

void fault_rows(std::vector<Row>& rows, const knowledge::Fault& fault) {
    rows.push_back({"fault", same(fault.id)});
    add_row(rows, "class", same(fault.class_));
    add_row(rows, "title", fault.title);
    add_row(rows, "cause", fault.cause);
    add_row(rows, "severity", same(model::to_string(fault.severity)));
    for (const knowledge::Effect& effect : fault.effects)
        add_row(rows, "effect", same(effect.fault.empty() ? joined(effect.signals) : "fault " + effect.fault));
    for (const knowledge::Opposition& opposition : fault.contradicted_by)
        add_row(rows, "against", same(joined(opposition.signals)));
    for (const knowledge::ChainStep& step : fault.chain) add_row(rows, "chain", step.text);
    for (const knowledge::PlanRule& rule : fault.plan) {
        std::string when;
        add_condition(when, "any", rule.when.any);
        add_condition(when, "all", rule.when.all);
        add_condition(when, "none", rule.when.none);
        add_row(rows, "plan", same(rule.action + (when.empty() ? "" : ", when " + when)));
    }
    for (const Localized& text : fault.must_not) add_row(rows, "must not", text);
    add_row(rows, "checks", same(joined(fault.checks)));
    add_row(rows, "source", same(fault.source));
    add_row(rows, "file", same(fault.file));
}

void action_rows(std::vector<Row>& rows, const knowledge::Action& action) {
    rows.push_back({"action", same(action.id)});
    add_row(rows, "class", same(action.class_));
    add_row(rows, "title", action.title);
    for (const knowledge::Step& step : action.steps) {
        add_row(rows, "step", step.do_);
        add_row(rows, "command", same(step.command));
        add_row(rows, "risk", step.risk);
    }
    for (const Localized& text : action.must_not) add_row(rows, "must not", text);
    add_row(rows, "source", same(action.source));
    add_row(rows, "file", same(action.file));
}

}  // namespace

std::vector<CatalogueEntry> entries_of(const Catalogue& catalogue, std::string_view kind) {
    std::vector<CatalogueEntry> out;
    if (wanted(kind, "signals")) {
        for (const knowledge::Signal& signal : catalogue.signals) {
            out.push_back({"signal", signal.id, signal.title});
            for (const knowledge::Code& code : signal.codes)
                out.push_back({"signal", signal.id + "." + code.code, code.title});
        }
    }
    if (wanted(kind, "faults"))
        for (const knowledge::Fault& fault : catalogue.faults) out.push_back({"fault", fault.id, fault.title});
    if (wanted(kind, "classes"))
        for (const knowledge::FaultClass& each : catalogue.classes) out.push_back({"class", each.id, each.meaning});
    if (wanted(kind, "actions"))
        for (const knowledge::Action& action : catalogue.actions) out.push_back({"action", action.id, action.title});
    if (wanted(kind, "checks"))
        for (const knowledge::Check& check : catalogue.checks) out.push_back({"check", check.id, check.title});
    if (wanted(kind, "tables"))
        for (const knowledge::CodeTable& table : catalogue.tables) out.push_back({"table", table.id, table.title});
    return out;
}

std::string render_list_text(const std::vector<CatalogueEntry>& entries, const report::TextOptions& options) {
    constexpr std::size_t kKindColumns = 8;
    constexpr std::size_t kMaxIdColumns = 44;
    std::size_t width = 0;
    for (const CatalogueEntry& entry : entries) width = std::max(width, std::min(entry.id.size(), kMaxIdColumns));
    Page page(options);
    for (const CatalogueEntry& entry : entries)
        page.one_line(0, report::pad(std::string(entry.kind), kKindColumns) + report::pad(entry.id, width) + "  " +
                             page.say(entry.title));
    return page.take();
}

std::string render_list_json(const std::vector<CatalogueEntry>& entries, const Catalogue& catalogue) {
    JsonWriter json;
    json.begin_object()
        .member("schema", "gpumedic.catalogue/v1")
        .member("version", catalogue.version)
        .key("entries")
        .begin_array();
    for (const CatalogueEntry& entry : entries) {
        json.begin_object().member("kind", entry.kind).member("id", entry.id).key("title").begin_object();
        json.member("en", entry.title.en).member("ko", entry.title.ko).end_object().end_object();
    }
    json.end_array().end_object();
    return json.take();
}

std::vector<Row> definition_rows(const knowledge::Index& index, std::string_view id) {
    std::vector<Row> rows;
    if (const auto* signal = index.signal(id)) signal_rows(rows, *signal, index.code_of(id), id);
    if (const auto* fault = index.fault(id)) fault_rows(rows, *fault);
    if (const auto* action = index.action(id)) action_rows(rows, *action);
    if (const auto* each = index.fault_class(id)) {
        rows.push_back({"class", same(each->id)});
        add_row(rows, "meaning", each->meaning);
    }
    if (const auto* check = index.check(id)) {
        rows.push_back({"check", same(check->id)});
        add_row(rows, "title", check->title);
        add_row(rows, "command", same(check->command));
        add_row(rows, "expect", check->expect);
        add_row(rows, "source", same(check->source));
    }
    if (const auto* table = index.table(id)) {
        rows.push_back({"table", same(table->id)});
        add_row(rows, "title", table->title);
        for (const auto& row : table->rows) {
            const std::string head = joined(row.is) + (row.name.empty() ? "" : " " + row.name) + ": ";
            add_row(rows, "row", {head + row.text.en, head + row.text.ko});
        }
        add_row(rows, "source", same(table->source));
    }
    return rows;
}

std::string render_rows_text(const std::vector<Row>& rows, const report::TextOptions& options) {
    constexpr std::size_t kKeyColumns = 9;
    Page page(options);
    for (const Row& row : rows)
        page.item(0, report::pad(std::string(row.key), kKeyColumns), page.say(row.text), Style::dim);
    return page.take();
}

std::string render_rows_json(const std::vector<Row>& rows) {
    JsonWriter json;
    json.begin_object().member("schema", "gpumedic.definition/v1").key("rows").begin_array();
    for (const Row& row : rows) {
        json.begin_object().member("key", row.key).key("text").begin_object();
        json.member("en", row.text.en).member("ko", row.text.ko).end_object().end_object();
    }
    json.end_array().end_object();
    return json.take();
}

}  // namespace gpumedic::cli
