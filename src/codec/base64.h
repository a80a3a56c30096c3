// Base64 as kubeconfig files hold certificates, and as basic authentication sends passwords (RFC 4648).
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace gpumedic::codec {

/// Line ends and blanks between the letters are passed over; nothing when the text is not base64. Pure.
[[nodiscard]] std::optional<std::string> decode_base64(std::string_view text);
[[nodiscard]] std::string encode_base64(std::string_view bytes);

}  // namespace gpumedic::codec
