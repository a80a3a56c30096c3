// Schema gpumedic.diagnosis/v1. Absent values are left out; lists are always there, so that a reader need not ask.
#include <string_view>
#include <vector>

#include "base/timestamp.h"
#include "codec/json_writer.h"
#include "report/report.h"
#include "report/words.h"

namespace gpumedic::report {
namespace {

using codec::JsonWriter;
using model::Localized;

constexpr int kConfidenceDigits = 3;

void text(JsonWriter& json, std::string_view key, const Localized& value) {
    json.key(key).begin_object().member("en", value.en).member("ko", value.ko).end_object();
}
void text_if(JsonWriter& json, std::string_view key, const Localized& value) {
    if (!value.empty()) text(json, key, value);
}
void string_if(JsonWriter& json, std::string_view key, std::string_view value) {
    if (!value.empty()) json.member(key, value);
}
void number_if(JsonWriter& json, std::string_view key, const std::optional<int>& value) {
    if (value) json.key(key).number(std::int64_t{*value});
}
void time_if(JsonWriter& json, std::string_view key, const std::optional<base::Timestamp>& value) {
    if (value) json.member(key, base::format_time(*value));
}
void confidence(JsonWriter& json, double value) {
    json.key("confidence").decimal(sane_confidence(value), kConfidenceDigits);
}

/// `each` writes one element.
template <class T, class Each>
void list(JsonWriter& json, std::string_view key, const std::vector<T>& values, Each each) {
    json.key(key).begin_array();
    for (const T& value : values) each(json, value);
    json.end_array();
}
void strings(JsonWriter& json, std::string_view key, const std::vector<std::string>& values) {
    list(json, key, values, [](JsonWriter& out, const std::string& value) { out.string(value); });
}

void device(JsonWriter& json, const model::Device& value) {
    json.begin_object().member("kind", value.kind);
    string_if(json, "pci", value.pci);
    string_if(json, "uuid", value.uuid);
    number_if(json, "index", value.index);
    number_if(json, "link", value.link);
    number_if(json, "nvswitch", value.nvswitch);
    string_if(json, "iommu_group", value.iommu_group);
    json.member("role", value.role == model::Device::Role::root ? "root" : "victim");
    json.member("joined", model::to_string(value.joined));
    if (!value.holder.empty()) {
        json.key("holder").begin_object();
        string_if(json, "vm", value.holder.vm);
        string_if(json, "namespace", value.holder.namespace_);
        string_if(json, "pod", value.holder.pod);
        json.end_object();
    }
    json.end_object();
}

void decoded(JsonWriter& json, const model::DecodedValue& value) {
    json.begin_object().member("field", value.field).member("value", value.value);
    string_if(json, "name", value.name);
    text(json, "text", value.text);
    json.end_object();
}

void evidence(JsonWriter& json, const model::EvidenceItem& value) {
    json.begin_object().member("source", value.source);
    if (value.line > 0) json.key("line").number(value.line);
    time_if(json, "time", value.time);
    json.member("text", value.text).member("signal", value.signal);
    text_if(json, "title", value.title);
    json.key("count").number(value.count);
    if (!value.decoded.empty()) list(json, "decoded", value.decoded, decoded);
    json.end_object();
}

void chain_link(JsonWriter& json, const model::ChainLink& value) {
    json.begin_object();
    text(json, "from", value.from);
    text(json, "to", value.to);
    json.member("how", model::to_string(value.how));
    list(json, "evidence", value.evidence,
         [](JsonWriter& out, std::size_t number) { out.number(std::uint64_t{number}); });
    json.end_object();
}

void missing(JsonWriter& json, const model::MissingEvidence& value) {
    json.begin_object();
    text(json, "what", value.what);
    string_if(json, "command", value.command);
    json.end_object();
}

void alternative(JsonWriter& json, const model::Alternative& value) {
    json.begin_object().member("fault", value.fault).member("class", value.class_);
    text_if(json, "title", value.title);
    confidence(json, value.confidence);
    text_if(json, "why_less", value.why_less);
    json.end_object();
}

void step(JsonWriter& json, const model::PlanStep& value) {
    json.begin_object();
    text(json, "do", value.do_);
    text_if(json, "why", value.why);
    string_if(json, "command", value.command);
    text_if(json, "risk", value.risk);
    json.end_object();
}

void alternative_action(JsonWriter& json, const model::AlternativeAction& value) {
    json.begin_object().member("class", value.class_);
    text_if(json, "title", value.title);
    list(json, "steps", value.steps, step);
    text_if(json, "when", value.when);
    json.end_object();
}

void action(JsonWriter& json, const model::ActionPlan& value) {
    json.key("action").begin_object().member("class", value.class_);
    text_if(json, "title", value.title);
    list(json, "steps", value.steps, step);
    list(json, "must_not", value.must_not, [](JsonWriter& out, const Localized& words) {
        out.begin_object().member("en", words.en).member("ko", words.ko).end_object();
    });
    text_if(json, "why_not_less", value.why_not_less);
    list(json, "alternatives", value.alternatives, alternative_action);
    json.end_object();
}

void blast_radius(JsonWriter& json, const model::BlastRadius& value) {
    json.key("blast_radius").begin_object();
    strings(json, "vms", value.vms);
    strings(json, "jobs", value.jobs);
    strings(json, "peers", value.peers);
    text_if(json, "scheduling", value.scheduling);
    json.end_object();
}

void verification(JsonWriter& json, const model::VerificationStep& value) {
    json.begin_object();
    text(json, "check", value.check);
    string_if(json, "command", value.command);
    text_if(json, "expect", value.expect);
    json.end_object();
}

void incident(JsonWriter& json, const model::Incident& value) {
    json.begin_object().member("id", value.id).member("fault", value.fault).member("class", value.class_);
    text(json, "title", value.title);
    json.member("severity", model::to_string(value.severity)).member("state", model::to_string(value.state));
    confidence(json, value.confidence);
    string_if(json, "node", value.node);
    string_if(json, "boot", value.boot);
    json.key("boots").number(value.boots).member("strategy", value.strategy);
    time_if(json, "first_seen", value.first_seen);
    time_if(json, "last_seen", value.last_seen);
    list(json, "devices", value.devices, device);
    text(json, "cause", value.cause);
    list(json, "chain", value.chain, chain_link);
    list(json, "evidence", value.evidence, evidence);
    list(json, "against", value.against, evidence);
    list(json, "missing", value.missing, missing);
    list(json, "alternatives", value.alternatives, alternative);
    blast_radius(json, value.blast_radius);
    action(json, value.action);
    list(json, "verification", value.verification, verification);
    json.end_object();
}

void benign(JsonWriter& json, const model::BenignFinding& value) {
    json.begin_object().member("signal", value.signal);
    text_if(json, "title", value.title);
    text(json, "why", value.why);
    list(json, "evidence", value.evidence, evidence);
    json.end_object();
}

void source(JsonWriter& json, const model::Source& value) {
    json.begin_object().member("name", value.name).member("kind", value.kind).member("outcome", value.outcome);
    string_if(json, "note", value.note);
    json.key("records").number(value.records).key("malformed").number(value.malformed);
    strings(json, "malformed_at", value.malformed_at);
    json.member("vantage", model::to_string(value.vantage)).key("speaks_of_gpus").boolean(value.speaks_of_gpus);
    json.end_object();
}

void node(JsonWriter& json, const model::NodeVerdict& value) {
    json.begin_object().member("node", value.node).member("verdict", model::to_string(value.verdict)).end_object();
}

}  // namespace

std::string render_json(const model::Diagnosis& diagnosis) {
    JsonWriter json;
    json.begin_object().member("schema", "gpumedic.diagnosis/v1");
    json.member("verdict", model::to_string(diagnosis.verdict));
    text(json, "summary", diagnosis.summary);
    json.member("catalogue", diagnosis.catalogue);
    if (diagnosis.nodes.size() > 1) list(json, "nodes", diagnosis.nodes, node);
    list(json, "incidents", diagnosis.incidents, incident);
    list(json, "benign", diagnosis.benign, benign);
    list(json, "unexplained", diagnosis.unexplained, evidence);
    list(json, "missing", diagnosis.missing, missing);
    list(json, "sources", diagnosis.sources, source);
    json.key("stats").begin_object();
    for (const auto& [name, value] : diagnosis.stats) json.key(name).number(value);
    json.end_object().end_object();
    return json.take();
}

}  // namespace gpumedic::report
