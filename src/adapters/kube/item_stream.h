// JSON lists cut into their items while they arrive, so that a list of any length takes the memory of one item.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "ports/cluster.h"

namespace gpumedic::adapters::kube {

/// One answer to a list request. Only the structure is looked at: an item is balanced text, not checked JSON.
/// Not thread-safe.
class ItemStream {
public:
    using Sink = std::function<ports::Flow(std::string_view item)>;
    explicit ItemStream(Sink sink) : sink_(std::move(sink)) {}

    /// Takes bytes, cut anywhere. `stop` when the sink stopped or a cap was passed.
    ports::Flow feed(std::string_view bytes);
    /// What stands around the items, with "items" empty; an error when the text is not whole or a cap was passed.
    [[nodiscard]] base::Result<std::string> frame() const;
    [[nodiscard]] std::uint64_t items() const { return items_; }

    static constexpr std::size_t kMaxItemBytes = std::size_t{16} << 20;
    static constexpr std::size_t kMaxFrameBytes = std::size_t{1} << 20;

private:
    [[nodiscard]] bool in_list() const { return list_depth_ != 0 && depth_ >= list_depth_; }
    ports::Flow structural(char byte);
    void string_byte(char byte);
    ports::Flow close(char byte);
    [[nodiscard]] bool keep(char byte);

    Sink sink_;
    std::string item_;
    std::string frame_;
    std::string last_string_;  // at depth 1, cut: a key
    std::uint64_t depth_{0};
    std::uint64_t list_depth_{0};
    std::uint64_t items_{0};
    bool in_item_{false};
    bool in_string_{false};
    bool escaped_{false};
    bool ended_{false};
    bool after_end_{false};
    bool too_large_{false};
};

/// The text of the value of a member of the outermost object: `{"type": "ADDED", "object": {...}}` and "object" give
/// `{...}`. Nothing when it is not there. Pure.
[[nodiscard]] std::optional<std::string_view> member_text(std::string_view json, std::string_view key);

/// Cuts a stream into lines; a line beyond the cap ends it. Not thread-safe.
class LineStream {
public:
    using Sink = std::function<ports::Flow(std::string_view line)>;
    explicit LineStream(Sink sink) : sink_(std::move(sink)) {}
    ports::Flow feed(std::string_view bytes);
    /// Bytes of a line that did not end.
    [[nodiscard]] std::size_t rest() const { return line_.size(); }
    [[nodiscard]] bool too_large() const { return too_large_; }

private:
    Sink sink_;
    std::string line_;
    bool too_large_{false};
};

}  // namespace gpumedic::adapters::kube
