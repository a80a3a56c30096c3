// The text of one JSON or YAML document, and where in it a record is shown.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "evidence/kubectl/draft.h"

namespace gpumedic::evidence::kubectl {

/// Follows a JSON document through its lines and cuts a list ("items": [...], or a bare array) into its items, so that
/// a list of any length is read with the memory of one object. Not thread-safe.
class JsonParts {
public:
    enum class Role : std::uint8_t {
        document,  // of an object that is no list, or of a list before its items
        frame,     // around and between the items
        item,
        item_end  // the last piece of an item
    };
    using Sink = std::function<void(std::string_view piece, Role role)>;

    /// Calls `sink` with the pieces of one line, in order.
    void line(std::string_view text, const Sink& sink);
    [[nodiscard]] bool closed() const { return seen_ && depth_ == 0; }
    [[nodiscard]] bool is_list() const { return list_depth_ > 0; }

private:
    [[nodiscard]] bool string_byte(char byte);
    [[nodiscard]] bool opens_list(char byte) const;

    std::uint64_t depth_{0};
    std::uint64_t list_depth_{0};  // depth within the list's array; 0 while no list was seen
    std::string last_string_{};    // the last one at depth 1, cut: a key
    bool is_array_{false};
    bool in_item_{false};
    bool in_string_{false};
    bool escaped_{false};
    bool seen_{false};
};

/// Not thread-safe.
class Document {
public:
    void clear();
    void add(std::string_view line, std::uint64_t number);
    [[nodiscard]] bool empty() const { return starts_.empty(); }
    [[nodiscard]] const std::string& text() const { return text_; }
    [[nodiscard]] std::uint64_t first_line() const { return first_line_; }
    [[nodiscard]] std::size_t line_count() const { return starts_.size(); }
    /// `index` counts from 0.
    [[nodiscard]] std::string_view line(std::size_t index) const;

    /// Fills line and raw. With `draft.line` (1-based in this document) that line; else the anchor is looked for behind
    /// the place of the draft before, so drafts come in the order of the text; else the first line. A very long line is
    /// cut around the place.
    void locate(Draft& draft);

    static constexpr std::size_t kMaxBytes = std::size_t{64} << 20;
    static constexpr std::size_t kMaxRaw = 1000;
    /// Each miss costs a pass over the text, so after some we do not look any more (hostile escapes).
    static constexpr int kMaxMissed = 32;

private:
    [[nodiscard]] std::size_t find_anchor(const Draft& draft);

    std::string text_;
    std::vector<std::size_t> starts_;  // of lines
    std::uint64_t first_line_{0};
    std::size_t cursor_{0};
    int missed_{0};  // anchors that were not found
};

}  // namespace gpumedic::evidence::kubectl
