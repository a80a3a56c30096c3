// Schema gpumedic.verification/v1 (docs/schemas/verification.schema.json).
#include "codec/json_writer.h"
#include "report/report.h"

namespace gpumedic::report {
namespace {

void text(codec::JsonWriter& json, std::string_view key, const model::Localized& value) {
    if (value.empty()) return;
    json.key(key).begin_object().member("en", value.en).member("ko", value.ko).end_object();
}

}  // namespace

std::string render_json(const model::Verification& answer) {
    codec::JsonWriter json;
    json.begin_object().member("schema", "gpumedic.verification/v1").member("result", model::to_string(answer.result));
    text(json, "summary", answer.summary);
    if (!answer.node.empty()) json.member("node", answer.node);
    if (!answer.incident.empty()) json.member("incident", answer.incident);
    json.key("rounds").number(answer.rounds);
    json.member("catalogue", answer.catalogue);
    json.key("checks").begin_array();
    for (const auto& check : answer.checks) {
        json.begin_object().member("id", check.id).member("result", model::to_string(check.result));
        text(json, "title", check.title);
        text(json, "expected", check.expected);
        text(json, "seen", check.seen);
        text(json, "why", check.why);
        if (!check.command.empty()) json.member("command", check.command);
        json.end_object();
    }
    json.end_array().end_object();
    return json.take();
}

}  // namespace gpumedic::report
