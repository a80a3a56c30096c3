#include "collect/manifest.h"

#include "base/timestamp.h"
#include "codec/json_writer.h"

namespace gpumedic::collect {
namespace {

std::string moment(std::chrono::microseconds value) {
    return base::format_time({base::Timestamp::Clock::wall, value, std::chrono::minutes{0}, true});
}

void write_file(codec::JsonWriter& json, const FileReport& file) {
    json.begin_object().member("name", file.name).key("bytes").number(file.bytes);
    if (file.outcome != Outcome::ok) json.member("outcome", to_string(file.outcome));
    if (!file.why.empty()) json.member("why", file.why);
    json.end_object();
}

void write_item(codec::JsonWriter& json, const ItemReport& item) {
    json.begin_object().member("name", item.name).member("kind", item.kind);
    json.member(item.kind == "command" ? "command" : "path", item.target);
    json.member("outcome", to_string(item.outcome));
    if (!item.why.empty()) json.member("why", item.why);
    if (!item.pci.empty()) json.member("pci", item.pci);
    if (!item.waits_in.empty()) json.member("waits_in", item.waits_in);
    if (item.exit_code >= 0) json.key("exit_code").number(std::int64_t{item.exit_code});
    json.key("duration_ms").number(std::int64_t{item.duration.count()}).key("bytes").number(item.bytes);
    json.key("files").begin_array();
    for (const auto& file : item.files) write_file(json, file);
    json.end_array().end_object();
}

}  // namespace

std::string render_first_words(const ManifestHead& head, const Options& options) {
    codec::JsonWriter json;
    json.begin_object().member("schema", "gpumedic.collection/v1").member("program", options.program);
    json.member("node", head.node).member("started", moment(options.present));
    if (options.utc_offset) json.key("utc_offset_minutes").number(std::int64_t{options.utc_offset->count()});
    json.end_object();
    return json.take();
}

std::string render_manifest(const ManifestHead& head, const Options& options, const Summary& summary) {
    codec::JsonWriter json;
    json.begin_object().member("schema", "gpumedic.manifest/v1").member("program", options.program);
    json.member("node", head.node).member("boot", head.boot).member("user", head.user).member("root", options.root);
    json.member("started", moment(options.present)).key("duration_ms").number(std::int64_t{summary.duration.count()});
    json.key("boots").number(std::int64_t{options.boots});
    if (options.since) json.member("since", moment(*options.since));
    json.key("max_bytes").number(options.max_bytes).key("timeout_ms").number(std::int64_t{options.timeout.count()});
    for (const auto& [key, patterns] : {std::pair{"only", &options.only}, {"skip", &options.skip}}) {
        if (patterns->empty()) continue;
        json.key(key).begin_array();
        for (const auto& pattern : *patterns) json.string(pattern);
        json.end_array();
    }
    json.key("items").begin_array();
    for (const auto& item : summary.items) write_item(json, item);
    json.end_array().end_object();
    return json.take();
}

}  // namespace gpumedic::collect
