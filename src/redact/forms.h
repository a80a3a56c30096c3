// Things that are known by their form alone. Pure; each gives how many bytes at the text's start are one, 0 for none.
// What stands before is the caller's business; what follows is looked at here.
#pragma once

#include <cstddef>
#include <string_view>

namespace gpumedic::redact {

[[nodiscard]] bool is_alnum(char c);

/// 8-4-4-4-12 hex digits.
[[nodiscard]] std::size_t uuid_length(std::string_view text);
/// 32 hex digits, no more.
[[nodiscard]] std::size_t hex_id_length(std::string_view text);
/// 6, 8 or 20 pairs of hex digits with ":" or "-" between them (MAC, EUI-64, InfiniBand).
[[nodiscard]] std::size_t mac_length(std::string_view text);
/// Four decimal numbers up to 255 without leading zeros; not of this host (127., 0.), no mask, no longer version.
[[nodiscard]] std::size_t ipv4_length(std::string_view text);
/// Global, local and multicast addresses, full or shortened; PCI addresses and C++ names are none.
[[nodiscard]] std::size_t ipv6_length(std::string_view text);
/// name@domain.tld
[[nodiscard]] std::size_t email_length(std::string_view text);
/// A JSON web token ("eyJ...").
[[nodiscard]] std::size_t web_token_length(std::string_view text);

}  // namespace gpumedic::redact
