#include "explanation_text.h"

#include <algorithm>

#include "base/text.h"
#include "codec/json_writer.h"
#include "report/layout.h"
#include "report/page.h"
#include "report/words.h"

namespace gpumedic::cli {
namespace {

using codec::JsonWriter;
using model::Localized;
using pipeline::Explanation;
using report::Page;
using report::Style;

using NamedTexts = std::vector<std::pair<std::string, Localized>>;

Localized label_of(std::string_view kind) {
    if (kind == "signal") return {"signal", "신호"};
    if (kind == "fault") return {"fault", "장애"};
    if (kind == "class") return {"class", "분류"};
    if (kind == "action") return {"action", "조치"};
    if (kind == "check") return {"check", "확인 항목"};
    if (kind == "value") return {"value", "값"};
    return {std::string(kind), std::string(kind)};
}

/// Titles of faults name their device; asked in general, there is none.
Localized in_general(const Localized& title) {
    const auto general = [](std::string_view text) {
        std::string out(text);
        for (const std::string_view name : {"device", "vm", "node"})
            out = base::replace_all(out, "{" + std::string(name) + "}", "<" + std::string(name) + ">");
        return out;
    };
    return {general(title.en), general(title.ko)};
}

void add_named(Page& page, const Localized& heading, const NamedTexts& rows) {
    if (rows.empty()) return;
    page.heading(page.say(heading));
    for (const auto& [id, title] : rows) page.item(2, "-", page.say(in_general(title)) + " [" + id + "]");
}

void text(JsonWriter& json, std::string_view key, const Localized& value) {
    json.key(key).begin_object().member("en", value.en).member("ko", value.ko).end_object();
}

void named(JsonWriter& json, std::string_view key, std::string_view id_key, const NamedTexts& rows) {
    json.key(key).begin_array();
    for (const auto& [id, title] : rows) {
        json.begin_object().member(id_key, id);
        text(json, "title", in_general(title));
        json.end_object();
    }
    json.end_array();
}

void fields(JsonWriter& json, const Explanation& value) {
    json.key("fields").begin_object();
    for (const auto& [key, content] : value.fields) json.member(key, content);
    json.end_object();
}

void decoded(JsonWriter& json, const std::vector<model::DecodedValue>& rows) {
    if (rows.empty()) return;
    json.key("decoded").begin_array();
    for (const auto& row : rows) {
        json.begin_object().member("field", row.field).member("value", row.value);
        if (!row.name.empty()) json.member("name", row.name);
        text(json, "text", row.text);
        json.end_object();
    }
    json.end_array();
}

void explanation(JsonWriter& json, const Explanation& value) {
    json.begin_object().member("kind", value.kind).member("id", value.id);
    text(json, "title", in_general(value.title));
    text(json, "meaning", value.meaning);
    if (!value.severity.empty()) json.member("severity", value.severity);
    if (!value.source.empty()) json.member("source", value.source);
    fields(json, value);
    decoded(json, value.decoded);
    named(json, "faults", "fault", value.faults);
    named(json, "actions", "class", value.actions);
    json.end_object();
}

}  // namespace

std::string render_explanation_text(const Explanation& value, const report::TextOptions& options) {
    Page page(options);
    std::string head = page.say(label_of(value.kind)) + " " + value.id;
    if (!value.severity.empty()) head += " (" + value.severity + ")";
    page.item(0, head + ":", page.say(in_general(value.title)), Style::bold);
    page.text(2, page.say(value.meaning));
    std::string read;
    for (const auto& [key, content] : value.fields)
        read.append(read.empty() ? "" : ", ").append(key).append(" = ").append(content);
    if (!read.empty()) page.item(2, page.say(Localized{"Read:", "읽은 값:"}), read, Style::dim);
    for (const auto& decoded : value.decoded) page.text(2, report::decoded_text(decoded, page));
    add_named(page, {"USUAL CAUSES", "흔한 원인"}, value.faults);
    add_named(page, {"WHAT HELPS (the evidence decides)", "도움이 되는 조치 (증거에 따라 다름)"}, value.actions);
    if (!value.source.empty()) {
        page.blank();
        page.item(0, page.say(Localized{"Source:", "출처:"}), value.source, Style::dim);
    }
    return page.take();
}

std::string not_known(std::string_view query, const report::TextOptions& options) {
    const bool korean = options.language == model::Language::ko;
    const std::string shown = report::cut(query, 80);
    return korean ? "카탈로그에 '" + shown + "' 항목이 없습니다. gpumedic catalog list로 목록을 볼 수 있습니다."
                  : "the catalogue knows nothing of '" + shown + "'; gpumedic catalog list shows what it knows";
}

std::string render_explanations_json(const std::vector<Answer>& answers) {
    JsonWriter json;
    json.begin_object().member("schema", "gpumedic.explanation/v1").key("answers").begin_array();
    for (const Answer& answer : answers) {
        json.begin_object().member("query", answer.query).key("explanations").begin_array();
        if (answer.known())
            for (const Explanation& value : answer.explanations) explanation(json, value);
        json.end_array().end_object();
    }
    json.end_array().end_object();
    return json.take();
}

std::string render_json_line(const Answer& answer) {
    static const Explanation kNothing;
    const Explanation& first = answer.known() ? answer.explanations.front() : kNothing;
    JsonWriter json(JsonWriter::Layout::compact);
    json.begin_object().member("line", answer.query).key("signal");
    if (first.kind == "signal") {
        json.string(first.id);
    } else {
        json.null();
    }
    fields(json, first);
    std::vector<model::DecodedValue> words;  // one line carries several signals; each says its part once
    if (answer.known())
        for (const Explanation& value : answer.explanations)
            for (const auto& row : value.decoded)
                if (std::ranges::find(words, row) == words.end()) words.push_back(row);
    decoded(json, words);
    json.end_object();
    return json.take() + "\n";
}

}  // namespace gpumedic::cli
