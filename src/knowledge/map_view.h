// The schema walker: a definition's keys are asked for one by one, and what was never asked for is an unknown key.
// Every mistake is reported and reading goes on with an empty value, so that one load names all mistakes. Private to
// the module.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "knowledge/catalogue.h"
#include "knowledge/problem_list.h"

namespace gpumedic::knowledge {

/// What reading needs beside the tree. Copied freely.
struct Scene {
    const Document* document;
    ProblemList* problems;
};

enum class Need : std::uint8_t { optional, required };

template <class E>
using Words = std::span<const std::pair<std::string_view, E>>;

class MapView {
public:
    /// `what` names the thing in messages: "signal", "step of an action". A node that is no map is reported once here
    /// and then behaves as an empty map that lacks nothing.
    MapView(const codec::Value& node, Scene scene, std::string_view what);

    /// The member's value; nullptr where it is missing (reported when required) or has no value (reported).
    [[nodiscard]] const codec::Value* get(std::string_view key, Need need);
    [[nodiscard]] std::string text(std::string_view key, Need need);   // as written
    [[nodiscard]] std::string prose(std::string_view key, Need need);  // without blanks and line ends around it
    [[nodiscard]] std::string id(std::string_view key, Need need);     // lower-case words joined by '_' and '.'
    [[nodiscard]] Localized localized(std::string_view key, Need need);
    [[nodiscard]] std::vector<std::string> texts(std::string_view key, Need need);
    [[nodiscard]] std::vector<Localized> localized_list(std::string_view key);
    [[nodiscard]] bool flag(std::string_view key);
    [[nodiscard]] model::Severity severity(std::string_view key, Need need, model::Severity otherwise);

    template <class E>
    [[nodiscard]] E word(std::string_view key, Need need, Words<E> words, E otherwise) {
        const std::string written = text(key, need);
        if (written.empty()) return otherwise;
        std::vector<std::string_view> known;
        for (const auto& [name, value] : words) {
            if (name == written) return value;
            known.push_back(name);
        }
        refuse_word(key, written, known);
        return otherwise;
    }

    /// Calls `read(item)` for every item of the list below `key`.
    template <class F>
    void each(std::string_view key, Need need, F read) {
        const codec::Value* list = list_at(key, need);
        if (list == nullptr) return;
        for (const auto& item : list->items) read(item);
    }

    /// Reports every key that was not asked for; call it last.
    void refuse_others();

    [[nodiscard]] const codec::Value& node() const { return *node_; }
    [[nodiscard]] Scene scene() const { return scene_; }
    [[nodiscard]] Place place() const { return place_of(*scene_.document, *node_); }
    [[nodiscard]] Place place_at(std::string_view key) const;

private:
    [[nodiscard]] const codec::Value* list_at(std::string_view key, Need need);
    void refuse_word(std::string_view key, std::string_view written, const std::vector<std::string_view>& known);

    const codec::Value* node_;
    Scene scene_;
    std::string what_;
    std::vector<std::string_view> asked_;
};

/// A scalar's text as written; reports anything else and gives "".
[[nodiscard]] std::string read_text(const codec::Value& node, Scene scene, std::string_view what);
/// {en, ko}; both must be there, and Korean text must be Korean.
[[nodiscard]] Localized read_localized(const codec::Value& node, Scene scene, std::string_view what);
/// A scalar or a list of scalars.
[[nodiscard]] std::vector<std::string> read_one_or_more(const codec::Value& node, Scene scene, std::string_view what);

/// "xid", "pci.config_all_ones": words of [a-z0-9_] joined by dots, beginning with a letter.
[[nodiscard]] bool is_id(std::string_view text);
[[nodiscard]] bool has_hangul(std::string_view utf8);
/// "30s", "10m", "2h", "1d"; at most a year.
[[nodiscard]] std::optional<std::chrono::seconds> parse_span(std::string_view text);

}  // namespace gpumedic::knowledge
