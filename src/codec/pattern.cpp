#include "codec/pattern.h"

#include <re2/re2.h>

#include <algorithm>
#include <array>

namespace gpumedic::codec {
namespace {

constexpr std::int64_t kMaxMemory = std::int64_t{8} << 20;
/// More named groups than any definition needs; keeps a match free of allocations for its submatches.
constexpr std::size_t kMaxGroups = 64;

using Groups = std::vector<std::pair<std::size_t, std::string>>;  // number and name, in ascending order of number

bool has_group(const Groups& groups, std::string_view name) {
    return std::any_of(groups.begin(), groups.end(), [&](const auto& group) { return group.second == name; });
}

RE2::Options options() {
    RE2::Options options;
    // Logs carry arbitrary bytes. As Latin-1 every byte is a character, so "." passes over broken UTF-8; well-formed
    // UTF-8 in a pattern still matches itself, byte for byte. The price: a quantifier or a class sees single bytes of a
    // Korean letter.
    options.set_encoding(RE2::Options::EncodingLatin1);
    options.set_log_errors(false);
    options.set_max_mem(kMaxMemory);
    return options;
}

}  // namespace

struct Pattern::Impl {
    explicit Impl(std::string_view expression)
        : regex(re2::StringPiece(expression.data(), expression.size()), options()) {}

    RE2 regex;
    Groups groups{};
};

Pattern::Pattern(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Pattern::~Pattern() = default;
Pattern::Pattern(Pattern&&) noexcept = default;
Pattern& Pattern::operator=(Pattern&&) noexcept = default;

base::Result<Pattern> Pattern::compile(std::string_view expression) {
    auto impl = std::make_unique<Impl>(expression);
    if (!impl->regex.ok()) {
        return base::fail(base::ErrorCode::malformed, "bad pattern: " + impl->regex.error(), {},
                          "the syntax is RE2's: no look-around and no back-references");
    }
    for (const auto& [number, name] : impl->regex.CapturingGroupNames()) {
        if (has_group(impl->groups, name)) {
            return base::fail(base::ErrorCode::malformed, "bad pattern: two groups have the name '" + name + "'");
        }
        impl->groups.emplace_back(static_cast<std::size_t>(number), name);
    }
    if (!impl->groups.empty() && impl->groups.back().first >= kMaxGroups) {
        return base::fail(base::ErrorCode::too_large, "bad pattern: too many groups", {},
                          "write groups without a name as (?:...)");
    }
    return Pattern(std::move(impl));
}

std::optional<Captures> Pattern::match(std::string_view text) const {
    std::array<re2::StringPiece, kMaxGroups> submatches;
    const std::size_t count = impl_->groups.empty() ? 0 : impl_->groups.back().first + 1;
    const re2::StringPiece subject(text.data(), text.size());
    if (!impl_->regex.Match(subject, 0, subject.size(), RE2::UNANCHORED, submatches.data(), static_cast<int>(count))) {
        return std::nullopt;
    }
    Captures captures;
    captures.reserve(impl_->groups.size());
    for (const auto& [number, name] : impl_->groups) {
        const re2::StringPiece& piece = submatches[number];
        if (piece.data() == nullptr) continue;
        captures.emplace_back(std::string_view{name}, std::string_view{piece.data(), piece.size()});
    }
    return captures;
}

std::vector<std::string> Pattern::group_names() const {
    std::vector<std::string> names;
    names.reserve(impl_->groups.size());
    for (const auto& group : impl_->groups) names.push_back(group.second);
    return names;
}

}  // namespace gpumedic::codec
