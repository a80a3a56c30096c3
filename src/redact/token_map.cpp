#include "redact/token_map.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "codec/json_writer.h"
#include "codec/value.h"

namespace gpumedic::redact {
namespace {

constexpr std::array<std::string_view, kKinds> kNames{"host",  "domain", "vm",   "namespace", "pod",  "job",  "user",
                                                      "email", "serial", "uuid", "hex_id",    "ipv4", "ipv6", "mac"};

/// The same number of digits, so that a serial stays one in every form that is fixed in width.
std::string numbered_serial(std::string_view text, std::size_t number) {
    const auto digits = std::to_string(number);
    const auto width = std::max(text.size(), digits.size());
    return std::string(width - digits.size(), '0') + digits;
}

std::string numbered_mac(std::string_view text, std::size_t number) {
    const char separator = text.find('-') != std::string_view::npos ? '-' : ':';
    const std::size_t pairs = (text.size() + 1) / 3;
    std::string out;
    for (std::size_t i = 0; i < pairs; ++i) {
        const auto value =
            i == 0 ? 2U : static_cast<unsigned>(i + 4 < pairs ? 0 : (number >> (8 * (pairs - 1 - i))) & 0xFFU);
        out += fmt::format("{}{:02x}", i == 0 ? "" : std::string(1, separator), value);
    }
    return out;
}

std::string make_token(Kind kind, std::string_view text, std::size_t number) {
    switch (kind) {
        case Kind::domain: return number == 1 ? "example.invalid" : fmt::format("d{}.example.invalid", number);
        case Kind::email: return fmt::format("user-{}@example.invalid", number);
        case Kind::serial: return numbered_serial(text, number);
        case Kind::uuid: return fmt::format("00000000-0000-4000-8000-{:012x}", number);
        case Kind::hex_id: return fmt::format("{:032x}", number);
        // 240.0.0.0/4 is nobody's, and there are enough of them.
        case Kind::ipv4:
            return fmt::format("240.{}.{}.{}", (number >> 16) & 0xFFU, (number >> 8) & 0xFFU, number & 0xFFU);
        case Kind::ipv6: return fmt::format("2001:db8::{:x}:{:x}", (number >> 16) & 0xFFFFU, number & 0xFFFFU);
        case Kind::mac: return numbered_mac(text, number);
        case Kind::host:
        case Kind::vm:
        case Kind::pod:
        case Kind::job:
        case Kind::user:
        case Kind::namespace_: break;
    }
    return fmt::format("{}-{}", to_string(kind), number);
}

}  // namespace

std::string_view to_string(Kind kind) { return kNames[static_cast<std::size_t>(kind)]; }

const std::string& TokenMap::token(Kind kind, std::string_view text) {
    auto& tokens = tokens_[static_cast<std::size_t>(kind)];
    const auto key = base::lower(text);
    if (const auto found = tokens.find(key); found != tokens.end()) return found->second;
    auto number = tokens.size() + 1;
    auto token = make_token(kind, key, number);
    while (used_.contains(token)) token = make_token(kind, key, ++number);
    used_.emplace(token, kind);
    return tokens.emplace(key, std::move(token)).first->second;
}

std::vector<TokenMap::Entry> TokenMap::entries() const {
    std::vector<Entry> all;
    for (std::size_t i = 0; i < kKinds; ++i)
        for (const auto& [text, token] : tokens_[i]) all.push_back({static_cast<Kind>(i), text, token});
    return all;
}

bool TokenMap::is_token(std::string_view text) const { return used_.contains(text); }

std::string TokenMap::render() const {
    codec::JsonWriter json;
    json.begin_object().member("schema", "gpumedic.redaction_map/v1").key("tokens").begin_array();
    for (const auto& [kind, text, token] : entries())
        json.begin_object().member("kind", to_string(kind)).member("token", token).member("text", text).end_object();
    json.end_array().end_object();
    return json.take();
}

base::Result<TokenMap> TokenMap::parse(std::string_view json, const std::string& path) {
    const auto tree = codec::parse_json(json);
    const auto* list = tree ? tree->find("tokens") : nullptr;
    if (list == nullptr || tree->text({"schema"}) != "gpumedic.redaction_map/v1")
        return base::fail(base::ErrorCode::malformed, "is no map of a redaction", path,
                          "gpumedic redact --map FILE writes one; name another file to begin anew");
    TokenMap map;
    for (const auto& item : list->items) {
        const auto kind = std::find(kNames.begin(), kNames.end(), item.text({"kind"}));
        const auto token = std::string(item.text({"token"}));
        if (kind == kNames.end() || token.empty()) continue;
        const auto index = static_cast<std::size_t>(kind - kNames.begin());
        map.tokens_[index][base::lower(item.text({"text"}))] = token;
        map.used_.emplace(token, static_cast<Kind>(index));
    }
    return map;
}

}  // namespace gpumedic::redact
