#include "pci_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "base/text.h"

namespace gpumedic::mutate {
namespace {

bool is_hex(char c) { return std::isxdigit(static_cast<unsigned char>(c)) != 0; }
bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; }

std::optional<std::uint32_t> hex(std::string_view text, std::size_t at, std::size_t digits) {
    if (at + digits > text.size()) return std::nullopt;
    return base::parse_number<std::uint32_t>(text.substr(at, digits), 16);
}

/// "bb:dd.f" or, behind a domain, also "bb:dd".
std::size_t read_rest(std::string_view text, std::size_t at, Spelled& spelled) {
    const auto bus = hex(text, at, 2);
    const auto device = hex(text, at + 3, 2);
    if (!bus || !device || text[at + 2] != spelled.separator || *device > 0x1f) return 0;
    spelled.bus = *bus;
    spelled.device = *device;
    const auto end = at + 5;
    const char dot = spelled.separator == ':' ? '.' : '_';
    if (end + 1 < text.size() && text[end] == dot && text[end + 1] >= '0' && text[end + 1] <= '7' &&
        (end + 2 == text.size() || !is_word(text[end + 2]))) {
        spelled.function = static_cast<std::uint32_t>(text[end + 1] - '0');
        return end + 2;
    }
    const bool time_goes_on = text.substr(end).starts_with(':') && end + 1 < text.size() && is_hex(text[end + 1]);
    const bool ends = end == text.size() || (!is_word(text[end]) && !time_goes_on);
    return spelled.domain_digits > 0 && spelled.separator == ':' && ends ? end : 0;
}

/// Where the address at `at` ends; 0 where there is none.
std::size_t read_address(std::string_view text, std::size_t at, Spelled& spelled) {
    if (at > 0 && (is_hex(text[at - 1]) || (text[at - 1] == ':' && !text.substr(0, at).ends_with("PCI:")))) return 0;
    for (const std::size_t digits : {std::size_t{8}, std::size_t{4}}) {
        const auto domain = hex(text, at, digits);
        if (!domain || at + digits >= text.size()) continue;
        const char separator = text[at + digits];
        if (separator != ':' && separator != '_') continue;
        spelled = {.domain_digits = digits, .domain = *domain, .separator = separator};
        if (const auto end = read_rest(text, at + digits + 1, spelled)) return end;
    }
    if (at > 0 && is_word(text[at - 1])) return 0;
    spelled = {};
    return read_rest(text, at, spelled);
}

std::string spell(const Spelled& s) {
    std::string out;
    if (s.domain_digits > 0) out = fmt::format("{:0{}x}{}", s.domain, s.domain_digits, s.separator);
    out += fmt::format("{:02x}{}{:02x}", s.bus, s.separator, s.device);
    if (s.function) out += fmt::format("{}{}", s.separator == ':' ? '.' : '_', *s.function);
    if (s.upper)
        std::ranges::transform(out, out.begin(), [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    return out;
}

}  // namespace

std::string respelled(std::string_view text, const std::function<void(Spelled&)>& change) {
    std::string out;
    for (std::size_t at = 0; at < text.size();) {
        Spelled spelled;
        const auto end = is_hex(text[at]) ? read_address(text, at, spelled) : 0;
        if (end == 0) {
            out += text[at++];
            continue;
        }
        const auto seen = text.substr(at, end - at);
        spelled.upper = std::ranges::any_of(seen, [](unsigned char c) { return std::isupper(c) != 0; });
        change(spelled);
        out += spell(spelled);
        at = end;
    }
    return out;
}

}  // namespace gpumedic::mutate
