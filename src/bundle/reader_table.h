// The table of readers: the only place that names them.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "ports/reader.h"

namespace gpumedic::bundle {

/// What a kind means for a file that holds several things.
enum class ReaderFamily : std::uint8_t {
    lines,       // every line stands for itself, and what is no log line is text: the readers of logs and of plain text
    json_lines,  // every line stands for itself
    blocks,      // tables, listings and documents
};

struct TableRow {
    ports::ReaderKind kind;
    ReaderFamily family;
    /// The kind that is shown where no kernel message was in it: a kubelet's log is no kernel log.
    std::string_view name_without_kernel{};
};

/// All readers; the last is plain text, which takes what nobody else takes. Thread-safe; lives as long as the program.
[[nodiscard]] std::span<const TableRow> reader_table();
[[nodiscard]] const TableRow& plain_text_row();

struct Recognition {
    const TableRow* row{};  // never null: plain text at least
    int score{};            // 0..100
};

/// The highest score wins, ties go to the earlier row. Pure.
[[nodiscard]] Recognition recognise(const ports::Head& head);

}  // namespace gpumedic::bundle
