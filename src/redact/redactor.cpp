#include "redact/redactor.h"

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "codec/pattern.h"
#include "redact/forms.h"

namespace gpumedic::redact {
namespace {

constexpr std::string_view kGone = "REDACTED";

bool is_run_character(char c) { return is_alnum(c) || c == '.' || c == '_' || c == '-' || c == ':' || c == '@'; }

std::size_t chunk_length(std::string_view text) {
    return static_cast<std::size_t>(std::find_if_not(text.begin(), text.end(), is_alnum) - text.begin());
}

bool same_ignoring_case(std::string_view text, std::string_view lower) {
    return text.size() == lower.size() && std::equal(text.begin(), text.end(), lower.begin(), [](char a, char b) {
               return (a >= 'A' && a <= 'Z' ? static_cast<char>(a + ('a' - 'A')) : a) == b;
           });
}

}  // namespace

/// "password: x", "token=x", "Authorization: Bearer x": the value goes, whatever it is.
struct Redactor::Secrets {
    codec::LiteralGate gate{{"password", "passwd", "secret", "token", "api_key", "apikey", "bearer "}};
    codec::Pattern pattern = std::move(
        codec::Pattern::compile(
            R"re((?i)(?:"?\b(?:password|passwd|secret|token|api_?key|client-key-data)"?\s*[:=]\s*"?|\bBearer\s+)(?P<v>[^\s",;}]{4,}))re")
            .value());
    std::vector<std::uint32_t> found{};
};

Redactor::Redactor(const Names& names, TokenMap& map) : map_(map), secrets_(std::make_unique<Secrets>()) {
    const auto learn = [this](const std::string& text, Kind kind) {
        by_first_[text.substr(0, chunk_length(text))].push_back({text, kind});
    };
    for (const auto& [text, kind] : names)
        if (!map_.is_token(text)) learn(text, kind);
    // What an earlier bundle named is a name in this one too.
    for (const auto& entry : map_.entries())
        if (entry.kind <= Kind::serial && entry.kind != Kind::email && !names.contains(entry.text))
            learn(entry.text, entry.kind);
    for (auto& [first, all] : by_first_)
        std::ranges::stable_sort(all, [](const auto& a, const auto& b) { return a.text.size() > b.text.size(); });
}

Redactor::~Redactor() = default;

std::string Redactor::line(std::string_view text) {
    if (base::contains(text, "-----BEGIN ") && base::contains(text, "PRIVATE KEY")) in_private_key_ = true;
    if (in_private_key_) {
        in_private_key_ = !base::contains(text, "-----END ");
        return std::string(kGone);
    }
    std::string cleaned;
    secrets_->gate.find(text.substr(0, 64 * 1024), secrets_->found);
    if (!secrets_->found.empty()) {
        auto rest = text;
        for (auto match = secrets_->pattern.match(rest); match && !match->empty();
             match = secrets_->pattern.match(rest)) {
            const auto value = match->front().second;
            cleaned.append(rest.substr(0, static_cast<std::size_t>(value.data() - rest.data()))).append(kGone);
            rest = rest.substr(static_cast<std::size_t>(value.data() - rest.data()) + value.size());
        }
        cleaned.append(rest);
        text = cleaned;
    }
    return replaced(text);
}

/// Columns of tables keep their places: a gap of blanks right behind a token grows or shrinks by what the token is
/// shorter or longer. A gap further on is not touched: in a log it belongs to the message.
std::string Redactor::replaced(std::string_view text) {
    std::string out;
    out.reserve(text.size() + 16);
    char before = ' ';
    std::size_t came = 0;   // bytes of the text since the last blank
    std::size_t begin = 0;  // where they begin in `out`
    while (!text.empty()) {
        const auto run =
            static_cast<std::size_t>(std::find_if_not(text.begin(), text.end(), is_run_character) - text.begin());
        const auto blanks = std::min(text.find_first_not_of(' '), text.size());
        const auto taken = std::max<std::size_t>({run, blanks, 1});
        if (run > 0) {
            take_run(text.substr(0, run), before, out);
        } else if (blanks > 1) {
            const auto column = came + blanks;
            const auto now = out.size() - begin;
            out.append(std::max<std::size_t>(column > now ? column - now : 0, 2), ' ');
            came = 0;
            begin = out.size();
        } else {
            out.append(text.substr(0, taken));
        }
        if (blanks == 0) came += taken;
        if (blanks == 1) {
            came = 0;
            begin = out.size();
        }
        before = text[taken - 1];
        text.remove_prefix(taken);
    }
    return out;
}

void Redactor::take_run(std::string_view run, char before, std::string& out) {
    while (!run.empty()) {
        std::size_t taken = take_form(run, before, out);
        if (taken == 0 && is_alnum(run.front())) taken = take_name(run, out);
        if (taken == 0) {
            taken = std::max<std::size_t>(1, chunk_length(run));
            out.append(run.substr(0, taken));
        }
        before = run[taken - 1];
        run.remove_prefix(taken);
    }
}

std::size_t Redactor::take_form(std::string_view rest, char before, std::string& out) {
    if (!is_alnum(rest.front())) return 0;
    const bool in_version = before == '.' || before == '-' || before == '_';
    const std::pair<Kind, std::size_t> forms[] = {
        {Kind::uuid, uuid_length(rest)},     {Kind::email, email_length(rest)},
        {Kind::mac, mac_length(rest)},       {Kind::ipv6, before == ':' ? 0 : ipv6_length(rest)},
        {Kind::hex_id, hex_id_length(rest)}, {Kind::ipv4, in_version ? 0 : ipv4_length(rest)}};
    for (const auto& [kind, length] : forms) {
        if (length == 0) continue;
        const auto text = rest.substr(0, length);
        out += map_.is_token(text) ? std::string(text) : map_.token(kind, text);
        return length;
    }
    if (const auto length = web_token_length(rest); length > 0) {
        out += kGone;
        return length;
    }
    return 0;
}

std::size_t Redactor::take_name(std::string_view rest, std::string& out) {
    const auto first = by_first_.find(base::lower(rest.substr(0, chunk_length(rest))));
    if (first == by_first_.end()) return 0;
    for (const auto& named : first->second) {
        const auto length = named.text.size();
        if (length > rest.size() || (length < rest.size() && is_alnum(rest[length]))) continue;
        if (!same_ignoring_case(rest.substr(0, length), named.text)) continue;
        out += map_.token(named.kind, named.text);
        return length;
    }
    return 0;
}

}  // namespace gpumedic::redact
