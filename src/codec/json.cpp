#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <nlohmann/json.hpp>
#include <utility>

#include "codec/tree_builder.h"
#include "codec/utf8.h"
#include "codec/value.h"

namespace gpumedic::codec {
namespace {

using Sax = nlohmann::json_sax<nlohmann::json>;
using Quoting = TreeBuilder::Quoting;

Place place_at(std::string_view text, std::size_t offset) {
    const std::string_view before = text.substr(0, std::min(offset, text.size()));
    const std::size_t line_start = before.rfind('\n');
    const std::size_t column = line_start == std::string_view::npos ? before.size() : before.size() - line_start - 1;
    return {static_cast<std::uint32_t>(std::count(before.begin(), before.end(), '\n')) + 1,
            static_cast<std::uint32_t>(std::max<std::size_t>(column, 1))};
}

/// Every event answers whether the parser is to go on: not after a refusal.
class Handler final : public Sax {
public:
    Handler(TreeBuilder& builder, std::string_view text) : builder_(builder), text_(text) {}

    bool null() override {
        builder_.null({});
        return go_on();
    }
    bool boolean(bool value) override { return plain(value ? "true" : "false"); }
    bool number_integer(number_integer_t value) override { return plain(fmt::format("{}", value)); }
    bool number_unsigned(number_unsigned_t value) override { return plain(fmt::format("{}", value)); }
    bool number_float(number_float_t /*value*/, const string_t& written) override { return plain(written); }
    bool string(string_t& value) override {
        builder_.scalar({}, std::move(value), Quoting::quoted);
        return go_on();
    }
    bool binary(binary_t& /*value*/) override { return false; }
    bool start_object(std::size_t /*elements*/) override {
        builder_.begin_map({});
        return go_on();
    }
    bool key(string_t& value) override {
        builder_.key({}, std::move(value));
        return go_on();
    }
    bool end_object() override { return end_array(); }
    bool start_array(std::size_t /*elements*/) override {
        builder_.begin_list({});
        return go_on();
    }
    bool end_array() override {
        builder_.end();
        return go_on();
    }
    bool parse_error(std::size_t position, const std::string& last_token,
                     const nlohmann::detail::exception& error) override {
        if (error.id == kNumberOverflow) {
            builder_.refuse(base::ErrorCode::malformed,
                            fmt::format("the number {} is out of range", shortened(last_token)),
                            place_at(text_, position));
        } else {
            builder_.refuse(base::ErrorCode::malformed, fmt::format("not valid JSON near '{}'", shortened(last_token)),
                            place_at(text_, position));
        }
        return false;
    }

private:
    static constexpr int kNumberOverflow = 406;
    static std::string shortened(std::string_view token) {
        return make_well_formed(token.substr(0, 40), Controls::replaced);
    }
    bool plain(std::string text) {
        builder_.scalar({}, std::move(text), Quoting::plain);
        return go_on();
    }
    [[nodiscard]] bool go_on() const { return !builder_.error(); }

    TreeBuilder& builder_;
    std::string_view text_;
};

base::Result<Value> parse_well_formed(std::string_view text, const TreeLimits& limits) {
    TreeBuilder builder(limits, TreeBuilder::Duplicates::first_counts);
    Handler handler(builder, text);
    bool done = false;
    try {
        done = nlohmann::json::sax_parse(text.begin(), text.end(), &handler);
    } catch (const std::exception& error) {
        builder.refuse(base::ErrorCode::malformed, fmt::format("not readable as JSON: {}", error.what()), Place{});
    }
    if (builder.error()) return tl::make_unexpected(*builder.error());
    if (!done) return base::fail(base::ErrorCode::malformed, "not valid JSON");
    return builder.take();
}

}  // namespace

base::Result<Value> parse_json(std::string_view text, const TreeLimits& limits) {
    if (text.size() > limits.bytes) {
        return base::fail(base::ErrorCode::too_large,
                          fmt::format("{} bytes, more than the cap of {}", text.size(), limits.bytes));
    }
    if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
    if (is_well_formed(text, Controls::kept)) return parse_well_formed(text, limits);
    const std::string repaired = make_well_formed(text, Controls::kept);
    return parse_well_formed(repaired, limits);
}

}  // namespace gpumedic::codec
