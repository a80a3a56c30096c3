#include "adapters/kube/json_layout.h"

#include <fmt/format.h>

#include <algorithm>

#include "adapters/kube/item_stream.h"

namespace gpumedic::adapters::kube {
namespace {

constexpr int kMaxIndent = 64;

bool is_blank(char byte) { return byte == ' ' || byte == '\n' || byte == '\r' || byte == '\t'; }

void new_line(std::string& target, int level) {
    target += '\n';
    target.append(static_cast<std::size_t>(std::clamp(level, 0, kMaxIndent)) * 4, ' ');
}

}  // namespace

void append_laid_out(std::string& target, std::string_view json, int level) {
    bool in_string = false;
    bool opened = false;  // the byte before was an opening bracket
    for (std::size_t at = 0; at < json.size(); ++at) {
        const char byte = json[at];
        if (in_string) {
            target += byte;
            if (byte == '\\' && at + 1 < json.size()) target += json[++at];
            in_string = byte != '"';
            continue;
        }
        if (is_blank(byte)) continue;
        const bool closes = byte == '}' || byte == ']';
        if (closes) --level;
        if (opened != closes && (opened || closes)) new_line(target, level);
        opened = byte == '{' || byte == '[';
        if (opened) ++level;
        target += byte;
        if (byte == ',') new_line(target, level);
        if (byte == ':') target += ' ';
        in_string = byte == '"';
    }
}

std::string with_kind(std::string_view object, std::string_view api_version, std::string_view kind) {
    if (!object.starts_with('{') || member_text(object, "kind")) return std::string(object);
    const auto rest = object.substr(1);
    const bool empty = rest.find_first_not_of(" \n\r\t}") == std::string_view::npos;
    return fmt::format("{{\"apiVersion\":\"{}\",\"kind\":\"{}\"{}{}", api_version, kind, empty ? "" : ",", rest);
}

}  // namespace gpumedic::adapters::kube
