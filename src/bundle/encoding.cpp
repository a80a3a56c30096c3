#include "bundle/encoding.h"

namespace gpumedic::bundle {
namespace {

constexpr std::uint32_t kReplacement = 0xFFFD;

void append_utf8(std::uint32_t code, std::string& out) {
    const auto put = [&out](std::uint32_t byte) { out.push_back(static_cast<char>(static_cast<unsigned char>(byte))); };
    if (code < 0x80) {
        put(code);
    } else if (code < 0x800) {
        put(0xC0 | (code >> 6));
        put(0x80 | (code & 0x3F));
    } else if (code < 0x10000) {
        put(0xE0 | (code >> 12));
        put(0x80 | ((code >> 6) & 0x3F));
        put(0x80 | (code & 0x3F));
    } else {
        put(0xF0 | (code >> 18));
        put(0x80 | ((code >> 12) & 0x3F));
        put(0x80 | ((code >> 6) & 0x3F));
        put(0x80 | (code & 0x3F));
    }
}

}  // namespace

EncodingMark detect_encoding(std::string_view start) {
    if (start.starts_with("\xEF\xBB\xBF")) return {Encoding::utf8, 3};
    if (start.starts_with("\xFF\xFE")) return {Encoding::utf16_le, 2};
    if (start.starts_with("\xFE\xFF")) return {Encoding::utf16_be, 2};
    return {};
}

void Utf16Decoder::decode(std::string_view bytes, std::string& out) {
    for (const char each : bytes) {
        const auto byte = static_cast<unsigned char>(each);
        if (!odd_byte_) {
            odd_byte_ = byte;
            continue;
        }
        const unsigned first = *odd_byte_;
        odd_byte_.reset();
        const unsigned value = order_ == Encoding::utf16_le ? (first | (unsigned{byte} << 8)) : ((first << 8) | byte);
        unit(static_cast<std::uint16_t>(value), out);
    }
}

void Utf16Decoder::unit(std::uint16_t value, std::string& out) {
    const bool is_high = value >= 0xD800 && value < 0xDC00;
    const bool is_low = value >= 0xDC00 && value < 0xE000;
    if (high_surrogate_) {
        const std::uint32_t high = *high_surrogate_;
        high_surrogate_.reset();
        if (is_low) {
            append_utf8(0x10000 + ((high - 0xD800) << 10) + (std::uint32_t{value} - 0xDC00), out);
            return;
        }
        append_utf8(kReplacement, out);
    }
    if (is_high) {
        high_surrogate_ = value;
    } else {
        append_utf8(is_low ? kReplacement : std::uint32_t{value}, out);
    }
}

void Utf16Decoder::finish(std::string& out) {
    if (high_surrogate_) append_utf8(kReplacement, out);
    if (odd_byte_) append_utf8(kReplacement, out);
    high_surrogate_.reset();
    odd_byte_.reset();
}

}  // namespace gpumedic::bundle
