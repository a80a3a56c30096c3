// How bytes are characters: UTF-8, or UTF-16 where a byte order mark says so (PowerShell and some BMC exports write
// it).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace gpumedic::bundle {

enum class Encoding : std::uint8_t { utf8, utf16_le, utf16_be };

struct EncodingMark {
    Encoding encoding{Encoding::utf8};
    std::size_t length{};  // bytes of the byte order mark, 0 where there is none
};

[[nodiscard]] EncodingMark detect_encoding(std::string_view start);

/// UTF-16 to UTF-8, in pieces of any size. What is not a character becomes U+FFFD. Not thread-safe.
class Utf16Decoder {
public:
    /// `order` must be utf16_le or utf16_be.
    explicit Utf16Decoder(Encoding order) : order_(order) {}
    /// Appends to `out`; a character cut at the end of `bytes` waits for the next call.
    void decode(std::string_view bytes, std::string& out);
    /// The text is over: what still waits is not a character.
    void finish(std::string& out);

private:
    void unit(std::uint16_t value, std::string& out);

    Encoding order_;
    std::optional<unsigned char> odd_byte_;
    std::optional<std::uint16_t> high_surrogate_;
};

}  // namespace gpumedic::bundle
