// Which token stands for what. The file of it is the only way back, so it stays where it was made.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace gpumedic::redact {

enum class Kind : std::uint8_t {
    host,
    domain,
    vm,
    namespace_,
    pod,
    job,
    user,
    email,
    serial,
    uuid,
    hex_id,  // 32 hex digits: machine ids, boot ids
    ipv4,
    ipv6,
    mac,  // and EUI-64
};
inline constexpr std::size_t kKinds = 14;
[[nodiscard]] std::string_view to_string(Kind kind);

/// Not thread-safe.
class TokenMap {
public:
    /// The token of a text, made now if it is new. Case does not count. Tokens keep the form that readers need: a UUID
    /// stays a UUID, an address an address (of ranges that are set aside for documentation or of nobody).
    [[nodiscard]] const std::string& token(Kind kind, std::string_view text);
    struct Entry {
        Kind kind{};
        std::string text{};  // lower case
        std::string token{};
    };
    [[nodiscard]] std::vector<Entry> entries() const;
    [[nodiscard]] bool is_token(std::string_view text) const;

    /// JSON, schema gpumedic.redaction_map/v1.
    [[nodiscard]] std::string render() const;
    [[nodiscard]] static base::Result<TokenMap> parse(std::string_view json, const std::string& path);

private:
    std::array<std::map<std::string, std::string, std::less<>>, kKinds> tokens_{};
    std::map<std::string, Kind, std::less<>> used_{};  // tokens
};

}  // namespace gpumedic::redact
