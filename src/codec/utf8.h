// UTF-8 at the edge of the codecs. For use inside codec/ only.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace gpumedic::codec {

inline constexpr std::string_view kReplacement = "\xEF\xBF\xBD";  // U+FFFD
inline constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

/// Bytes of the well-formed UTF-8 sequence at `position` (1 to 4), or 0 where there is none: overlong forms,
/// surrogates, and values above U+10FFFF are not well-formed. `position` must be inside the text.
[[nodiscard]] std::size_t sequence_length(std::string_view text, std::size_t position);

enum class Controls {
    kept,      // JSON: the parser itself refuses them, with their place
    replaced,  // YAML: C0 controls (except tab and line breaks) and DEL become U+FFFD
};

[[nodiscard]] bool is_well_formed(std::string_view text, Controls controls);

/// Each byte that belongs to no well-formed sequence becomes U+FFFD.
[[nodiscard]] std::string make_well_formed(std::string_view text, Controls controls);

}  // namespace gpumedic::codec
