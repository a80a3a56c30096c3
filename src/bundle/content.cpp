#include "bundle/content.h"

#include <algorithm>
#include <array>

#include "base/text.h"
#include "bundle/encoding.h"

namespace gpumedic::bundle {
namespace {

using namespace std::string_view_literals;

constexpr std::size_t kMinReadableBytes = 16;
constexpr std::size_t kMaxStrangePercent = 30;    // bytes that no text has
constexpr std::size_t kLegacyControlPercent = 2;  // up to here, bytes beyond ASCII may be a legacy encoding

struct Magic {
    std::string_view bytes;
    std::size_t offset;
    ContentKind kind;
    std::string_view note;
};

constexpr std::array kMagics{
    Magic{"\x1F\x8B"sv, 0, ContentKind::packed, ""},  // gzip
    Magic{"\xFD"
          "7zXZ\0"sv,
          0, ContentKind::packed, ""},
    Magic{"\x28\xB5\x2F\xFD"sv, 0, ContentKind::packed, ""},  // zstd
    Magic{"PK\x03\x04"sv, 0, ContentKind::packed, ""},
    Magic{"PK\x05\x06"sv, 0, ContentKind::packed, ""},
    Magic{"BZh"sv, 0, ContentKind::packed, ""},
    Magic{"\x04\x22\x4D\x18"sv, 0, ContentKind::packed, ""},  // lz4
    Magic{"ustar"sv, 257, ContentKind::packed, ""},
    Magic{"7z\xBC\xAF\x27\x1C"sv, 0, ContentKind::closed, "compressed: unpack it first (7z)"},
    Magic{"LPKSHHRH"sv, 0, ContentKind::closed,
          "a systemd journal file inside of an archive or a stream: unpack it, and name the file"},
};

}  // namespace

bool is_control_byte(char byte) {
    const auto value = static_cast<unsigned char>(byte);
    if (value == 0x7F) return true;
    return value < 0x20 && (value < 0x08 || value > 0x0D) && value != 0x1B;
}

std::size_t utf8_length(std::string_view text) {
    if (text.empty()) return 0;
    const auto at = [text](std::size_t i) { return static_cast<unsigned>(static_cast<unsigned char>(text[i])); };
    const unsigned first = at(0);
    if (first < 0x80) return 1;
    const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
    if (first < 0xC2 || first > 0xF4 || text.size() < length) return 0;
    for (std::size_t i = 1; i < length; ++i)
        if ((at(i) & 0xC0) != 0x80) return 0;
    // Overlong forms, surrogates, and what lies beyond U+10FFFF.
    if (first == 0xE0 && at(1) < 0xA0) return 0;
    if (first == 0xED && at(1) > 0x9F) return 0;
    if (first == 0xF0 && at(1) < 0x90) return 0;
    if (first == 0xF4 && at(1) > 0x8F) return 0;
    return length;
}

Content classify_content(std::string_view head) {
    if (head.empty()) return {ContentKind::empty, {}};
    for (const auto& magic : kMagics)
        if (head.size() > magic.offset && head.substr(magic.offset).starts_with(magic.bytes))
            return {magic.kind, magic.note};
    if (detect_encoding(head).encoding != Encoding::utf8) return {ContentKind::text, {}};
    head = head.substr(0, kContentHeadBytes);
    std::size_t seen = 0;
    std::size_t controls = 0;
    std::size_t high = 0;
    for (std::size_t i = 0; i < head.size();) {
        const char byte = head[i];
        const std::size_t length = utf8_length(head.substr(i));
        i += std::max<std::size_t>(length, 1);
        if (byte == '\0') continue;
        ++seen;
        const auto value = static_cast<unsigned char>(byte);
        // No legacy text encoding of two bytes per character uses 0x80..0xA0 much, nor 0xFF at all.
        if (is_control_byte(byte) || (length == 0 && (value <= 0xA0 || value == 0xFF))) {
            ++controls;
        } else if (length == 0) {
            ++high;
        }
    }
    const bool strange =
        controls * 100 > seen * kLegacyControlPercent && (controls + high) * 100 > seen * kMaxStrangePercent;
    if (seen == 0 || strange) return {ContentKind::binary, "not text"};
    return {ContentKind::text, {}};
}

bool is_readable_line(std::string_view line) {
    return base::trim(line).size() >= kMinReadableBytes && std::none_of(line.begin(), line.end(), is_control_byte) &&
           base::is_valid_utf8(line);
}

}  // namespace gpumedic::bundle
