#include "codec/base64.h"

#include <algorithm>
#include <cstdint>

namespace gpumedic::codec {
namespace {

constexpr std::string_view kAlphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

}  // namespace

std::optional<std::string> decode_base64(std::string_view text) {
    std::string bytes;
    std::uint32_t bits = 0;
    int have = 0;
    std::size_t letters = 0;
    std::size_t padding = 0;
    for (const char c : text) {
        if (c == '\n' || c == '\r' || c == ' ' || c == '\t') continue;
        if (c == '=') {
            ++padding;
            continue;
        }
        const auto value = kAlphabet.find(c);
        if (value == std::string_view::npos || padding > 0) return std::nullopt;
        bits = bits << 6U | static_cast<std::uint32_t>(value);
        have += 6;
        ++letters;
        if (have < 8) continue;
        have -= 8;
        bytes += static_cast<char>(bits >> static_cast<unsigned>(have) & 0xffU);
    }
    if (letters % 4 == 1 || padding > 2 || (padding > 0 && (letters + padding) % 4 != 0)) return std::nullopt;
    return bytes;
}

std::string encode_base64(std::string_view bytes) {
    std::string text;
    for (std::size_t at = 0; at < bytes.size(); at += 3) {
        std::uint32_t bits = 0;
        const std::size_t count = std::min<std::size_t>(3, bytes.size() - at);
        for (std::size_t i = 0; i < 3; ++i) {
            bits = bits << 8U | (i < count ? static_cast<unsigned char>(bytes[at + i]) : 0U);
        }
        for (std::size_t i = 0; i < 4; ++i) {
            text += i <= count ? kAlphabet[bits >> (18U - 6U * i) & 0x3fU] : '=';
        }
    }
    return text;
}

}  // namespace gpumedic::codec
