#include "codec/utf8.h"

namespace gpumedic::codec {
namespace {

unsigned byte_at(std::string_view text, std::size_t position) { return static_cast<unsigned char>(text[position]); }

bool is_replaced_control(unsigned byte, Controls controls) {
    if (controls == Controls::kept) return false;
    return (byte < 0x20 && byte != '\t' && byte != '\n' && byte != '\r') || byte == 0x7F;
}

}  // namespace

std::size_t sequence_length(std::string_view text, std::size_t position) {
    const unsigned first = byte_at(text, position);
    if (first < 0x80) return 1;
    if (first < 0xC2 || first > 0xF4) return 0;
    const std::size_t length = first < 0xE0 ? 2 : (first < 0xF0 ? 3 : 4);
    if (text.size() - position < length) return 0;
    // The second byte's range is what excludes overlong forms, surrogates, and values beyond Unicode.
    const unsigned second = byte_at(text, position + 1);
    const unsigned lowest = first == 0xE0 ? 0xA0U : (first == 0xF0 ? 0x90U : 0x80U);
    const unsigned highest = first == 0xED ? 0x9FU : (first == 0xF4 ? 0x8FU : 0xBFU);
    if (second < lowest || second > highest) return 0;
    for (std::size_t i = 2; i < length; ++i) {
        if ((byte_at(text, position + i) & 0xC0U) != 0x80U) return 0;
    }
    return length;
}

bool is_well_formed(std::string_view text, Controls controls) {
    for (std::size_t i = 0; i < text.size();) {
        const std::size_t length = sequence_length(text, i);
        if (length == 0 || is_replaced_control(byte_at(text, i), controls)) return false;
        i += length;
    }
    return true;
}

std::string make_well_formed(std::string_view text, Controls controls) {
    std::string out;
    out.reserve(text.size());
    for (std::size_t i = 0; i < text.size();) {
        const std::size_t length = sequence_length(text, i);
        if (length == 0 || is_replaced_control(byte_at(text, i), controls)) {
            out += kReplacement;
            ++i;
            continue;
        }
        out.append(text.substr(i, length));
        i += length;
    }
    return out;
}

}  // namespace gpumedic::codec
