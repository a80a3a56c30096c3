#include "evidence/virt_log/container_line.h"

#include "base/text.h"
#include "codec/value.h"

namespace gpumedic::evidence {
namespace {

constexpr codec::TreeLimits kLimits{.bytes = std::size_t{1} << 20, .nodes = 1000, .depth = 8};
constexpr std::size_t kMaxPrefix = 300;

void strip_pod_prefix(ContainerLine& line) {
    if (!line.payload.starts_with("[pod/")) return;
    const auto end = line.payload.substr(0, kMaxPrefix).find("] ");
    if (end != std::string_view::npos) line.payload.remove_prefix(end + 2);
}

/// "2025-10-10T13:26:03.480551123Z " where no program of known form wrote it: QEMU begins its own lines with such a
/// time.
void strip_time(ContainerLine& line) {
    const auto time = base::parse_iso_time(line.payload, {});
    if (!time || line.payload[10] != 'T' || !time->time.zone) return;
    const auto rest = line.payload.substr(time->length);
    if (!rest.starts_with(' ') || rest.starts_with(" qemu-")) return;
    line.time = time->time;
    line.payload = rest.substr(1);
}

void strip_stream(ContainerLine& line) {
    const auto text = line.payload;
    const bool error = text.starts_with("stderr ");
    if (!error && !text.starts_with("stdout ")) return;
    const auto tag = text.substr(7);
    if (tag.size() < 2 || (tag[0] != 'F' && tag[0] != 'P') || tag[1] != ' ') return;
    line.stream = error ? Stream::standard_error : Stream::standard_output;
    line.part = tag[0] == 'P' ? LinePart::partial : LinePart::whole;
    line.payload = tag.substr(2);
}

void strip_docker(ContainerLine& line, std::string& storage) {
    if (!line.payload.starts_with("{\"log\":")) return;
    const auto value = codec::parse_json(line.payload, kLimits);
    if (!value) return;
    const auto* const log = value->find("log");
    if (log == nullptr || !log->is_scalar() || value->find("stream") == nullptr) return;
    if (const auto time = base::parse_iso_time(value->text({"time"}), {})) line.time = time->time;
    line.stream = value->text({"stream"}) == "stderr" ? Stream::standard_error : Stream::standard_output;
    storage = log->scalar;
    line.payload = storage;
    // Docker cuts at 16 KiB; only the last piece ends with the newline.
    if (line.payload.ends_with('\n')) {
        line.payload.remove_suffix(1);
    } else {
        line.part = LinePart::partial;
    }
}

/// "compute {"component":..." as log collectors print it.
void strip_word_before_json(ContainerLine& line) {
    if (line.payload.starts_with('{')) return;
    const auto start = line.payload.substr(0, kMaxPrefix).find("{\"component\":\"");
    if (start != std::string_view::npos) line.payload.remove_prefix(start);
}

}  // namespace

ContainerLine parse_container_line(std::string_view line, std::string& storage) {
    ContainerLine result;
    result.payload = line;
    strip_pod_prefix(result);
    strip_time(result);
    strip_pod_prefix(result);
    strip_stream(result);
    strip_docker(result, storage);
    if (result.stream == Stream::none) strip_word_before_json(result);
    return result;
}

}  // namespace gpumedic::evidence
