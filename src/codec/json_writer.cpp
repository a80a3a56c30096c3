#include "codec/json_writer.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "base/check.h"
#include "codec/utf8.h"

namespace gpumedic::codec {
namespace {

constexpr std::size_t kIndent = 2;

void append_ascii(std::string& out, char c) {
    switch (c) {
        case '"': out += "\\\""; return;
        case '\\': out += "\\\\"; return;
        case '\n': out += "\\n"; return;
        case '\r': out += "\\r"; return;
        case '\t': out += "\\t"; return;
        case '\b': out += "\\b"; return;
        case '\f': out += "\\f"; return;
        default: break;
    }
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7F) {
        out += fmt::format("\\u{:04x}", static_cast<unsigned>(byte));
    } else {
        out.push_back(c);
    }
}

void append_quoted(std::string& out, std::string_view text) {
    out.push_back('"');
    for (std::size_t i = 0; i < text.size();) {
        const std::size_t length = sequence_length(text, i);
        const std::string_view sequence = text.substr(i, length);
        if (length == 0) {
            out += kReplacement;
        } else if (length == 1) {
            append_ascii(out, text[i]);
        } else if (length == 2 && sequence[0] == '\xC2' && static_cast<unsigned char>(sequence[1]) < 0xA0) {
            // C1 controls: terminals obey them as they obey ESC.
            out += fmt::format("\\u{:04x}", static_cast<unsigned>(static_cast<unsigned char>(sequence[1])));
        } else {
            out += sequence;
        }
        i += length == 0 ? 1 : length;
    }
    out.push_back('"');
}

}  // namespace

void JsonWriter::new_line() {
    if (layout_ == Layout::compact) return;
    out_.push_back('\n');
    out_.append(levels_.size() * kIndent, ' ');
}

void JsonWriter::before_value() {
    if (levels_.empty()) {
        CHECK(out_.empty(), "JSON text can hold one value only");
        return;
    }
    Level& level = levels_.back();
    if (level.object) {
        CHECK(have_key_, "a value in a JSON object needs a key");
        have_key_ = false;
        return;
    }
    if (!level.empty) out_.push_back(',');
    level.empty = false;
    new_line();
}

JsonWriter& JsonWriter::begin_object() {
    before_value();
    out_.push_back('{');
    levels_.push_back({true, true});
    return *this;
}

JsonWriter& JsonWriter::end_object() {
    CHECK(!levels_.empty() && levels_.back().object && !have_key_,
          "no JSON object is open, or its last key has no value");
    const bool empty = levels_.back().empty;
    levels_.pop_back();
    if (!empty) new_line();
    out_.push_back('}');
    return *this;
}

JsonWriter& JsonWriter::begin_array() {
    before_value();
    out_.push_back('[');
    levels_.push_back({false, true});
    return *this;
}

JsonWriter& JsonWriter::end_array() {
    CHECK(!levels_.empty() && !levels_.back().object, "no JSON array is open");
    const bool empty = levels_.back().empty;
    levels_.pop_back();
    if (!empty) new_line();
    out_.push_back(']');
    return *this;
}

JsonWriter& JsonWriter::key(std::string_view name) {
    CHECK(!levels_.empty() && levels_.back().object && !have_key_,
          "a JSON key stands in an object, and its value follows");
    Level& level = levels_.back();
    if (!level.empty) out_.push_back(',');
    level.empty = false;
    new_line();
    append_quoted(out_, name);
    out_ += layout_ == Layout::pretty ? ": " : ":";
    have_key_ = true;
    return *this;
}

JsonWriter& JsonWriter::string(std::string_view text) {
    before_value();
    append_quoted(out_, text);
    return *this;
}

JsonWriter& JsonWriter::number(std::int64_t value) {
    before_value();
    out_ += fmt::format("{}", value);
    return *this;
}

JsonWriter& JsonWriter::number(std::uint64_t value) {
    before_value();
    out_ += fmt::format("{}", value);
    return *this;
}

JsonWriter& JsonWriter::decimal(double value, int decimals) {
    if (!std::isfinite(value)) return null();  // JSON has no word for it
    before_value();
    std::string digits = fmt::format("{:.{}f}", value, decimals < 0 ? 0 : decimals);
    if (digits.find('.') != std::string::npos) {
        digits.erase(digits.find_last_not_of('0') + 1);
        if (digits.back() == '.') digits.pop_back();
    }
    out_ += digits == "-0" ? "0" : digits;
    return *this;
}

JsonWriter& JsonWriter::boolean(bool value) {
    before_value();
    out_ += value ? "true" : "false";
    return *this;
}

JsonWriter& JsonWriter::null() {
    before_value();
    out_ += "null";
    return *this;
}

std::string JsonWriter::take() {
    CHECK(levels_.empty() && !out_.empty(), "the JSON text is not finished");
    if (layout_ == Layout::pretty) out_.push_back('\n');
    return std::exchange(out_, {});
}

}  // namespace gpumedic::codec
