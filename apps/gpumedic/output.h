// Where results and messages go. Results: standard output, or a file that appears in one step. Messages: standard
// error.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace gpumedic::cli {

/// Writes everything. A reader that went away (EPIPE: "| head") is no error: it had what it wanted.
[[nodiscard]] base::Result<void> write_standard_output(std::string_view bytes);

/// A file that is written beside its target and renamed on commit(), so that nobody sees half of it; it is opened
/// before the work starts, so that a bad place is told at once. A target that is no regular file (a pipe, /dev/null) is
/// written directly.
class OutputFile {
public:
    [[nodiscard]] static base::Result<OutputFile> create(const std::string& path);
    /// Removes what was not committed.
    ~OutputFile();
    OutputFile(OutputFile&& other) noexcept;
    OutputFile& operator=(OutputFile&&) = delete;
    OutputFile(const OutputFile&) = delete;
    OutputFile& operator=(const OutputFile&) = delete;

    [[nodiscard]] base::Result<void> commit(std::string_view bytes);

private:
    OutputFile(int descriptor, std::string temporary, std::string target)
        : descriptor_(descriptor), temporary_(std::move(temporary)), target_(std::move(target)) {}
    int descriptor_;
    std::string temporary_;  // empty: the target itself is open
    std::string target_;
};

/// "gpumedic: what (where)" and "  help" below it, cleaned of control characters, to standard error.
void print_error(const base::Error& error);
/// Text to standard error as it is, without a line end.
void print_fragment(std::string_view text);
/// A line to standard error.
void print_message(std::string_view text);

}  // namespace gpumedic::cli
