#include "knowledge/map_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/text.h"
#include "knowledge/suggest.h"

namespace gpumedic::knowledge {
namespace {

using Kind = codec::Value::Kind;

std::string_view name_of(Kind kind) {
    switch (kind) {
        case Kind::null: return "nothing";
        case Kind::scalar: return "a text";
        case Kind::list: return "a list";
        case Kind::map: return "a map";
    }
    return "something else";
}

void refuse_kind(const codec::Value& node, Scene scene, std::string_view what, std::string_view wanted) {
    scene.problems->error(Mistake::wrong_kind, place_of(*scene.document, node),
                          fmt::format("{} must be {}, not {}", what, wanted, name_of(node.kind)));
}

}  // namespace

MapView::MapView(const codec::Value& node, Scene scene, std::string_view what)
    : node_(&node), scene_(scene), what_(what) {
    if (!node.is_map()) refuse_kind(node, scene, what, "a map");
}

const codec::Value* MapView::get(std::string_view key, Need need) {
    asked_.push_back(key);
    if (!node_->is_map()) return nullptr;
    const codec::Value* value = node_->find(key);
    if (value == nullptr) {
        if (need == Need::required) {
            scene_.problems->error(Mistake::missing_key, place(), fmt::format("{} has no '{}'", what_, key),
                                   fmt::format("add '{}:'; the form is in docs/catalogue.md", key));
        }
        return nullptr;
    }
    if (value->kind == Kind::null) {
        scene_.problems->error(Mistake::missing_key, place_at(key), fmt::format("'{}' of {} has no value", key, what_),
                               "write a value, or leave the key out where it is optional");
        return nullptr;
    }
    return value;
}

std::string MapView::text(std::string_view key, Need need) {
    const codec::Value* value = get(key, need);
    if (value == nullptr) return {};
    std::string written = read_text(*value, scene_, fmt::format("'{}' of {}", key, what_));
    if (value->is_scalar() && base::trim(written).empty()) {
        scene_.problems->error(Mistake::missing_key, place_at(key), fmt::format("'{}' of {} is empty", key, what_),
                               "write a value, or leave the key out where it is optional");
    }
    return written;
}

std::string MapView::prose(std::string_view key, Need need) { return std::string(base::trim(text(key, need))); }

std::string MapView::id(std::string_view key, Need need) {
    std::string written = text(key, need);
    if (!written.empty() && !is_id(written)) {
        scene_.problems->error(Mistake::bad_id, place_at(key), fmt::format("'{}' is no id", written),
                               "an id is lower-case words of letters, digits and '_', joined by '.'");
    }
    return written;
}

Localized MapView::localized(std::string_view key, Need need) {
    const codec::Value* value = get(key, need);
    return value == nullptr ? Localized{} : read_localized(*value, scene_, fmt::format("'{}' of {}", key, what_));
}

const codec::Value* MapView::list_at(std::string_view key, Need need) {
    const codec::Value* value = get(key, need);
    if (value == nullptr) return nullptr;
    if (!value->is_list()) {
        refuse_kind(*value, scene_, fmt::format("'{}' of {}", key, what_), "a list");
        return nullptr;
    }
    if (value->items.empty() && need == Need::required) {
        scene_.problems->error(Mistake::missing_key, place_at(key), fmt::format("'{}' of {} is empty", key, what_));
    }
    return value;
}

std::vector<std::string> MapView::texts(std::string_view key, Need need) {
    std::vector<std::string> result;
    each(key, need, [&](const codec::Value& item) {
        std::string written = read_text(item, scene_, fmt::format("an item of '{}' of {}", key, what_));
        if (!written.empty()) result.push_back(std::move(written));
    });
    return result;
}

std::vector<Localized> MapView::localized_list(std::string_view key) {
    std::vector<Localized> result;
    each(key, Need::optional, [&](const codec::Value& item) {
        result.push_back(read_localized(item, scene_, fmt::format("an item of '{}' of {}", key, what_)));
    });
    return result;
}

bool MapView::flag(std::string_view key) {
    static constexpr std::array<std::pair<std::string_view, bool>, 2> kWords{{{"true", true}, {"false", false}}};
    return word<bool>(key, Need::optional, kWords, false);
}

model::Severity MapView::severity(std::string_view key, Need need, model::Severity otherwise) {
    using model::Severity;
    static constexpr std::array<std::pair<std::string_view, Severity>, 4> kWords{{{"info", Severity::info},
                                                                                  {"warning", Severity::warning},
                                                                                  {"error", Severity::error},
                                                                                  {"fatal", Severity::fatal}}};
    return word<Severity>(key, need, kWords, otherwise);
}

void MapView::refuse_word(std::string_view key, std::string_view written, const std::vector<std::string_view>& known) {
    scene_.problems->error(Mistake::unknown_word, place_at(key), fmt::format("'{}' is no {}", written, key),
                           suggest(written, known));
}

void MapView::refuse_others() {
    for (const auto& member : node_->members) {
        if (std::find(asked_.begin(), asked_.end(), member.key) != asked_.end()) continue;
        std::string help = suggest(member.key, asked_);
        // {en: one, two} is three keys to YAML: the commonest slip in a catalogue's texts.
        if (member.value.kind == Kind::null) help = "quote a text that holds a comma: {en: 'one, two', ko: ...}";
        scene_.problems->error(Mistake::unknown_key, place_of(*scene_.document, member.line, member.column),
                               fmt::format("{} has no key '{}'", what_, member.key), std::move(help));
    }
}

Place MapView::place_at(std::string_view key) const {
    for (const auto& member : node_->members) {
        if (member.key != key) continue;
        // A missing value has no place of its own: show the key.
        if (member.value.kind == Kind::null || member.value.line == 0) {
            return place_of(*scene_.document, member.line, member.column);
        }
        return place_of(*scene_.document, member.value);
    }
    return place();
}

std::string read_text(const codec::Value& node, Scene scene, std::string_view what) {
    if (!node.is_scalar()) {
        refuse_kind(node, scene, what, "a text");
        return {};
    }
    return node.scalar;
}

Localized read_localized(const codec::Value& node, Scene scene, std::string_view what) {
    const Place place = place_of(*scene.document, node);
    if (!node.is_map()) {
        refuse_kind(node, scene, what, "{en: ..., ko: ...}");
        return {};
    }
    MapView view(node, scene, what);
    const auto part = [&](std::string_view language) -> std::string {
        const codec::Value* value = view.get(language, Need::optional);
        if (value == nullptr && node.find(language) != nullptr) return {};  // without a value: reported by get()
        const std::string written = value == nullptr ? std::string{} : read_text(*value, scene, what);
        std::string trimmed(base::trim(written));
        if (trimmed.empty()) {
            scene.problems->error(Mistake::one_language, place, fmt::format("{} has no '{}' text", what, language),
                                  "every text that a person reads is {en: ..., ko: ...}");
        }
        return trimmed;
    };
    Localized result;
    result.en = part("en");
    result.ko = part("ko");
    view.refuse_others();
    if (!result.ko.empty() && !has_hangul(result.ko)) {
        scene.problems->error(Mistake::no_hangul, view.place_at("ko"), fmt::format("'ko' of {} holds no Hangul", what),
                              "write the Korean text; product names may stay in Latin letters");
    }
    return result;
}

std::vector<std::string> read_one_or_more(const codec::Value& node, Scene scene, std::string_view what) {
    std::vector<std::string> result;
    if (!node.is_list()) {
        std::string written = read_text(node, scene, what);
        if (node.is_scalar()) result.push_back(std::move(written));
        return result;
    }
    for (const auto& item : node.items) {
        std::string written = read_text(item, scene, what);
        if (item.is_scalar()) result.push_back(std::move(written));
    }
    return result;
}

bool is_id(std::string_view text) {
    if (text.empty() || text.size() > 100 || text.front() < 'a' || text.front() > 'z') return false;
    char before = '.';
    for (const char c : text) {
        const bool word = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
        if (!word && (c != '.' || before == '.')) return false;
        before = c;
    }
    return before != '.';
}

bool has_hangul(std::string_view utf8) {
    // Syllables U+AC00..U+D7A3 are EA B0 80 .. ED 9E A3 in UTF-8. Lone jamo (U+3131..) make no Korean text.
    for (std::size_t i = 0; i + 2 < utf8.size(); ++i) {
        const std::string_view three = utf8.substr(i, 3);
        if (three >= "\xEA\xB0\x80" && three <= "\xED\x9E\xA3") return true;
    }
    return false;
}

std::optional<std::chrono::seconds> parse_span(std::string_view text) {
    using std::chrono::seconds;
    if (text.size() < 2) return std::nullopt;
    const auto count = base::parse_number<std::uint32_t>(text.substr(0, text.size() - 1));
    if (!count || *count == 0) return std::nullopt;
    std::uint64_t unit = 0;
    switch (text.back()) {
        case 's': unit = 1; break;
        case 'm': unit = 60; break;
        case 'h': unit = 3600; break;
        case 'd': unit = 86400; break;
        default: return std::nullopt;
    }
    constexpr std::uint64_t kYear = 366ULL * 86400;
    const std::uint64_t total = *count * unit;
    if (total > kYear) return std::nullopt;
    return seconds(total);
}

}  // namespace gpumedic::knowledge
