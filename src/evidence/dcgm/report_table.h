// The table that `dcgmi health` and `dcgmi diag` print: two columns, a cell that is too long goes on in the next rows.
// Pure.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gpumedic::evidence::dcgm {

/// One labelled row and the rows that continue it.
struct Entry {
    std::uint64_t line{};
    std::string raw{};
    std::string label{};               // trimmed; empty only where a table begins with a continuation
    std::vector<std::string> parts{};  // second column without its frame; blanks at the edges are kept
    std::string section{};             // "Deployment" of "|-----  Deployment  ----+---|"
    bool titles_table{false};          // a row of one cell
};

/// Puts together what was cut: a cut inside a word leaves no blank, one between words does.
[[nodiscard]] std::string join_parts(const std::vector<std::string>& parts, std::size_t first = 0);

/// Not thread-safe.
class ReportTable {
public:
    /// False when the line belongs to no table.
    bool line(std::string_view text, std::uint64_t number);
    [[nodiscard]] bool full() const { return bytes_ > kMaxBytes; }
    /// The rows so far; the table starts anew.
    [[nodiscard]] std::vector<Entry> take();

    static constexpr std::size_t kMaxBytes = std::size_t{16} << 20;

private:
    void take_row(std::string_view row, std::string_view text, std::uint64_t number);
    std::vector<Entry> entries_;
    std::string section_;
    std::size_t bytes_{0};
};

}  // namespace gpumedic::evidence::dcgm
