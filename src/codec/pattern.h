// Patterns of the catalogue. RE2 ends here: linear time on any input, no look-around, no back-references.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"

namespace gpumedic::codec {

/// Named captures of one match, in the order of the groups; groups that did not take part are left out.
/// The names are views into the Pattern, the values into the text.
using Captures = std::vector<std::pair<std::string_view, std::string_view>>;

/// A compiled expression, found anywhere in a text unless it is anchored. Thread-safe after construction.
class Pattern {
public:
    /// Refuses bad syntax, with RE2's reason.
    [[nodiscard]] static base::Result<Pattern> compile(std::string_view expression);
    ~Pattern();
    Pattern(Pattern&&) noexcept;
    Pattern& operator=(Pattern&&) noexcept;
    [[nodiscard]] std::optional<Captures> match(std::string_view text) const;
    [[nodiscard]] std::vector<std::string> group_names() const;

private:
    struct Impl;
    explicit Pattern(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

/// The longest piece of plain text that every match of the expression must contain, in lower case; empty where there is
/// none of at least four bytes. It looks at the top level of the expression and into groups that are not optional and
/// hold no alternatives; character classes, escapes such as \d, and quantified characters end a piece. "(?i)" is
/// allowed in front.
[[nodiscard]] std::string required_literal(std::string_view expression);

/// Finds which of many literals occur in a text, ignoring ASCII case, in about one pass over the text whatever their
/// number. Built once, then read-only and thread-safe.
class LiteralGate {
public:
    /// Literal `i` is reported as `i`. Each is at least four bytes, in lower case.
    explicit LiteralGate(const std::vector<std::string>& literals);
    ~LiteralGate();
    LiteralGate(LiteralGate&&) noexcept;
    LiteralGate& operator=(LiteralGate&&) noexcept;
    /// Appends each literal's number at most once, in ascending order, to `found` (which is cleared first).
    void find(std::string_view text, std::vector<std::uint32_t>& found) const;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace gpumedic::codec
