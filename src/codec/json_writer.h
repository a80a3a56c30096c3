// Writes JSON text. Key order is the caller's order, so output is the same byte for byte for the same values.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gpumedic::codec {

/// Two blanks of indent when `pretty`, one line otherwise. Strings may hold any bytes: invalid UTF-8 becomes U+FFFD.
/// Misuse (a value without key inside an object) is our bug and CHECKs.
class JsonWriter {
public:
    enum class Layout { compact, pretty };
    explicit JsonWriter(Layout layout = Layout::pretty) : layout_(layout) {}

    JsonWriter& begin_object();
    JsonWriter& end_object();
    JsonWriter& begin_array();
    JsonWriter& end_array();
    JsonWriter& key(std::string_view name);
    JsonWriter& string(std::string_view text);
    JsonWriter& number(std::int64_t value);
    JsonWriter& number(std::uint64_t value);
    /// Fixed point with at most `decimals` digits, trailing zeros removed: confidence 0.93, not 0.93000000000000005.
    JsonWriter& decimal(double value, int decimals);
    JsonWriter& boolean(bool value);
    JsonWriter& null();
    /// Shorthand for key(name).string(text).
    JsonWriter& member(std::string_view name, std::string_view text) { return key(name).string(text); }

    /// The finished text (with a final newline when pretty).
    [[nodiscard]] std::string take();

private:
    void before_value();
    void new_line();
    Layout layout_;
    std::string out_;
    struct Level {
        bool object;
        bool empty;
    };
    std::vector<Level> levels_;
    bool have_key_{false};
};

}  // namespace gpumedic::codec
