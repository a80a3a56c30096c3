// One entry of the journal in its machine forms: `journalctl -o json` (a line each) and `-o export` (a block of
// KEY=value lines).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/timestamp.h"

namespace gpumedic::evidence {

/// Owns its texts. `priority` is -1 where the entry has none.
struct JournalEntry {
    std::optional<base::Timestamp> time{};
    std::string host{};
    std::string program{};  // "kernel" for the kernel's own lines
    std::string pid{};
    std::string boot{};  // _BOOT_ID
    int priority{-1};
    std::string message{};  // may hold newlines
};

/// True when a line looks like a journal entry in JSON (by its keys; it may still be cut off).
[[nodiscard]] bool looks_like_journal_json(std::string_view line);

/// Nothing where the line is no valid JSON object with a message. Pure, thread-safe.
[[nodiscard]] std::optional<JournalEntry> parse_journal_json(std::string_view line);

/// Collects the lines of an export block.
class JournalBlock {
public:
    /// True when this line starts a block or belongs to the current one. An empty line ends it (see `take`).
    [[nodiscard]] bool add(std::string_view line, std::uint64_t number);
    [[nodiscard]] bool open() const { return open_; }
    /// The finished entry, where the block held a message; the block is empty and closed afterwards.
    [[nodiscard]] std::optional<JournalEntry> take();
    [[nodiscard]] std::uint64_t message_line() const { return message_line_; }
    [[nodiscard]] const std::string& raw() const { return raw_; }

private:
    void add_field(std::string_view key, std::string_view value);
    bool open_{false};
    bool binary_{false};  // the last line was a key alone: eight bytes of length and the value follow
    bool source_time_{false};
    JournalEntry entry_{};
    std::uint64_t message_line_{0};
    std::string raw_{};
};

}  // namespace gpumedic::evidence
