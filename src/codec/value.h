// One tree for YAML and JSON, with the place of every node, so that the same code reads both and every mistake can be
// located.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"

namespace gpumedic::codec {

struct Value;

struct Member;

struct Value {
    enum class Kind : std::uint8_t { null, scalar, list, map };
    Kind kind{Kind::null};
    bool quoted{false};  // a quoted scalar ("79" is a string, 79 a number, to those who care); JSON strings are quoted
    std::string scalar{};         // as written, unescaped; true/false/numbers as their text
    std::vector<Value> items{};   // list
    std::vector<Member> members;  // map, in the order of the text (no {}: clang refuses it, Member is incomplete here)
    std::uint32_t line{0};        // 1-based; 0 where the source has no places (JSON)
    std::uint32_t column{0};

    /// The member's value, or nullptr (also when this is no map).
    [[nodiscard]] const Value* find(std::string_view key) const;
    /// Follows keys from map to map: at({"status", "phase"}).
    [[nodiscard]] const Value* at(std::initializer_list<std::string_view> path) const;
    /// Scalar text below the path, or "".
    [[nodiscard]] std::string_view text(std::initializer_list<std::string_view> path) const;
    [[nodiscard]] bool is_scalar() const { return kind == Kind::scalar; }
    [[nodiscard]] bool is_list() const { return kind == Kind::list; }
    [[nodiscard]] bool is_map() const { return kind == Kind::map; }
};

struct Member {
    std::string key;
    Value value;
    std::uint32_t line{0};
    std::uint32_t column{0};
};

/// Hostile input is normal: a document beyond a cap is refused with ErrorCode::too_large.
struct TreeLimits {
    std::size_t bytes = std::size_t{64} << 20;
    std::size_t nodes = 4'000'000;
    std::size_t depth = 200;
};

/// The documents of a YAML stream. Duplicate keys, anchors and aliases are refused (yaml-cpp itself would accept
/// duplicates silently), and so is a scalar or flow collection beyond a few MiB. A document after the first begins with
/// "---". `Error::where` is "line:column", columns count bytes. Bytes that are no text become U+FFFD. Thread-safe.
[[nodiscard]] base::Result<std::vector<Value>> parse_yaml(std::string_view text, const TreeLimits& limits = {});

/// One JSON document (leading and trailing blanks allowed). Duplicate keys: the first counts. Invalid UTF-8 inside
/// strings is replaced by U+FFFD, not refused. Thread-safe.
[[nodiscard]] base::Result<Value> parse_json(std::string_view text, const TreeLimits& limits = {});

}  // namespace gpumedic::codec
