#include "evidence/virt_log/go_quoting.h"

#include <algorithm>
#include <optional>

#include "base/text.h"

namespace gpumedic::evidence {
namespace {

void append_utf8(std::uint32_t code, std::string& out) {
    const auto add = [&out](std::uint32_t byte) { out.push_back(static_cast<char>(byte)); };
    if (code < 0x80) {
        add(code);
    } else if (code < 0x800) {
        add(0xC0 | (code >> 6));
        add(0x80 | (code & 0x3F));
    } else if (code < 0x10000) {
        add(0xE0 | (code >> 12));
        add(0x80 | ((code >> 6) & 0x3F));
        add(0x80 | (code & 0x3F));
    } else {
        add(0xF0 | (code >> 18));
        add(0x80 | ((code >> 12) & 0x3F));
        add(0x80 | ((code >> 6) & 0x3F));
        add(0x80 | (code & 0x3F));
    }
}

/// The digits of a numeric escape; nothing where they are none or name no character.
std::optional<std::uint32_t> code_at(std::string_view text, std::size_t at, std::size_t digits, int number_base) {
    if (at + digits > text.size()) return std::nullopt;
    const auto code = base::parse_number<std::uint32_t>(text.substr(at, digits), number_base);
    if (!code || *code > 0x10FFFF || (*code >= 0xD800 && *code <= 0xDFFF)) return std::nullopt;
    return code;
}

struct Digits {
    std::size_t skip;  // characters before the digits
    std::size_t count;
    int number_base;
};

std::optional<Digits> digits_of(char kind) {
    switch (kind) {
        case 'x': return Digits{2, 2, 16};
        case 'u': return Digits{2, 4, 16};
        case 'U': return Digits{2, 8, 16};
        default:
            if (kind >= '0' && kind <= '7') return Digits{1, 3, 8};
            return std::nullopt;
    }
}

/// The escape at `at` (a backslash); gives the bytes it took. What is no escape of Go stays as it is.
std::size_t append_escape(std::string_view text, std::size_t at, std::string& out) {
    constexpr std::string_view kLetters = "abfnrtv";
    constexpr std::string_view kMeanings = "\a\b\f\n\r\t\v";
    if (at + 1 >= text.size()) {
        out.push_back('\\');
        return 1;
    }
    const char kind = text[at + 1];
    if (kind == '"' || kind == '\\' || kind == '\'') {
        out.push_back(kind);
        return 2;
    }
    if (const auto letter = kLetters.find(kind); letter != std::string_view::npos) {
        out.push_back(kMeanings[letter]);
        return 2;
    }
    if (const auto digits = digits_of(kind)) {
        if (const auto code = code_at(text, at + digits->skip, digits->count, digits->number_base)) {
            append_utf8(*code, out);
            return digits->skip + digits->count;
        }
    }
    out.push_back('\\');
    return 1;
}

/// Where the piece that starts behind an opening quote ends: its closing quote, or the end of the text.
std::size_t closing_quote(std::string_view text, std::size_t at) {
    for (; at < text.size(); ++at) {
        if (text[at] == '\\') {
            ++at;
        } else if (text[at] == '"') {
            return at;
        }
    }
    return text.size();
}

void append_resolved(std::string_view piece, std::string& out) {
    for (std::size_t at = 0; at < piece.size();) {
        if (piece[at] == '\\') {
            at += append_escape(piece, at, out);
        } else {
            out.push_back(piece[at++]);
        }
    }
}

}  // namespace

std::string without_go_quoting(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    std::size_t at = 0;
    while (at < text.size()) {
        const auto open = std::min(text.find('"', at), text.size());
        out.append(text.substr(at, open - at));
        if (open == text.size()) break;
        const auto close = closing_quote(text, open + 1);
        const bool whole_reply = open == 0 || text.substr(0, open).ends_with(": ");
        if (!whole_reply) out.push_back('"');
        append_resolved(text.substr(open + 1, close - open - 1), out);
        if (!whole_reply && close < text.size()) out.push_back('"');
        at = close + 1;
    }
    return out;
}

void to_one_line(std::string& text) {
    std::replace_if(text.begin(), text.end(), [](char c) { return c == '\n' || c == '\r' || c == '\t'; }, ' ');
}

}  // namespace gpumedic::evidence
