#include "redact/forms.h"

#include <algorithm>

namespace gpumedic::redact {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_hex(char c) { return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }

std::size_t hex_run(std::string_view text) {
    return static_cast<std::size_t>(std::find_if_not(text.begin(), text.end(), is_hex) - text.begin());
}

bool ends_at(std::string_view text, std::size_t at) { return at >= text.size() || !is_alnum(text[at]); }

}  // namespace

bool is_alnum(char c) { return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

std::size_t uuid_length(std::string_view text) {
    constexpr std::size_t kGroups[] = {8, 4, 4, 4, 12};
    std::size_t at = 0;
    for (const auto group : kGroups) {
        if (at > 0) {
            if (at >= text.size() || text[at] != '-') return 0;
            ++at;
        }
        if (hex_run(text.substr(at, group)) != group) return 0;
        at += group;
    }
    return ends_at(text, at) ? at : 0;
}

std::size_t hex_id_length(std::string_view text) {
    constexpr std::size_t kDigits = 32;
    return hex_run(text.substr(0, kDigits)) == kDigits && ends_at(text, kDigits) ? kDigits : 0;
}

std::size_t mac_length(std::string_view text) {
    if (text.size() < 17 || (text[2] != ':' && text[2] != '-')) return 0;
    const char separator = text[2];
    std::size_t pairs = 0;
    std::size_t at = 0;
    while (at + 2 <= text.size() && is_hex(text[at]) && is_hex(text[at + 1])) {
        ++pairs;
        at += 2;
        if (at + 2 >= text.size() || text[at] != separator || !is_hex(text[at + 1])) break;
        ++at;
    }
    if ((pairs != 6 && pairs != 8 && pairs != 20) || !ends_at(text, at)) return 0;
    return at;
}

std::size_t ipv4_length(std::string_view text) {
    std::size_t at = 0;
    for (int part = 0; part < 4; ++part) {
        if (part > 0) {
            if (at >= text.size() || text[at] != '.') return 0;
            ++at;
        }
        const auto begin = at;
        int value = 0;
        while (at < text.size() && is_digit(text[at]) && at - begin < 3) value = value * 10 + (text[at++] - '0');
        const auto digits = at - begin;
        if (digits == 0 || value > 255 || (digits > 1 && text[begin] == '0')) return 0;
        if (part == 0 && (value == 0 || value == 127 || value == 255)) return 0;
    }
    if (!ends_at(text, at)) return 0;
    const bool goes_on = at + 1 < text.size() && text[at] == '.' && is_digit(text[at + 1]);
    return goes_on ? 0 : at;
}

std::size_t ipv6_length(std::string_view text) {
    const auto first = hex_run(text.substr(0, 5));
    const bool is_routed = first == 4 && (text[0] == '2' || text[0] == '3' || text[0] == 'f' || text[0] == 'F');
    if (!is_routed || text.size() < 6 || text[4] != ':') return 0;
    std::size_t at = 0;
    std::size_t groups = 0;
    bool shortened = false;
    while (groups < 8) {
        const auto digits = hex_run(text.substr(at, 5));
        if (digits > 4) return 0;
        if (digits > 0) ++groups;
        at += digits;
        if (at >= text.size() || text[at] != ':') break;
        const bool twice = at + 1 < text.size() && text[at + 1] == ':';
        if (twice && shortened) break;
        if (!twice && (at + 1 >= text.size() || !is_hex(text[at + 1]))) break;  // a colon of the sentence
        shortened = shortened || twice;
        at += twice ? 2 : 1;
    }
    if ((groups != 8 && !shortened) || !ends_at(text, at)) return 0;
    return at;
}

std::size_t email_length(std::string_view text) {
    const auto is_part = [](char c) { return is_alnum(c) || c == '.' || c == '-' || c == '_'; };
    const auto at = static_cast<std::size_t>(std::find_if_not(text.begin(), text.end(), is_part) - text.begin());
    if (at == 0 || at >= text.size() || text[at] != '@') return 0;
    const auto domain = text.substr(at + 1);
    auto length = static_cast<std::size_t>(std::find_if_not(domain.begin(), domain.end(), is_part) - domain.begin());
    while (length > 0 && !is_alnum(domain[length - 1])) --length;
    const auto dot = domain.substr(0, length).rfind('.');
    if (dot == std::string_view::npos || dot == 0 || length - dot < 3) return 0;
    const auto top = domain.substr(dot + 1, length - dot - 1);
    const bool is_word = std::none_of(top.begin(), top.end(), [](char c) { return !is_alnum(c) || is_digit(c); });
    return is_word ? at + 1 + length : 0;
}

std::size_t web_token_length(std::string_view text) {
    if (!text.starts_with("eyJ")) return 0;
    const auto is_part = [](char c) { return is_alnum(c) || c == '.' || c == '-' || c == '_'; };
    const auto length = static_cast<std::size_t>(std::find_if_not(text.begin(), text.end(), is_part) - text.begin());
    constexpr std::size_t kShortest = 40;
    return length >= kShortest ? length : 0;
}

}  // namespace gpumedic::redact
