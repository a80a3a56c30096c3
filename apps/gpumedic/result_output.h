// What all commands share on their way out: the look of texts, the place of results, mistakes of the catalogue.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "arguments.h"
#include "base/result.h"
#include "knowledge/loader.h"
#include "output.h"
#include "report/report.h"

namespace gpumedic::cli {

/// Language, colour, detail and width for this command's texts.
[[nodiscard]] report::TextOptions text_options(const Arguments& arguments);

/// To standard output; gives `code`, or kInternal where that failed.
[[nodiscard]] int print_result(std::string_view bytes, int code);

/// --to or standard output. Opened before the work starts.
class ResultPlace {
public:
    [[nodiscard]] static base::Result<ResultPlace> open(const Arguments& arguments);
    /// Gives `code`, or kInternal where writing failed (which is said on standard error).
    [[nodiscard]] int write(std::string_view bytes, int code);

private:
    enum class Kind : std::uint8_t { standard_output, file, nowhere };
    explicit ResultPlace(Kind kind, std::optional<OutputFile> file = {}) : kind_(kind), file_(std::move(file)) {}
    Kind kind_;
    std::optional<OutputFile> file_;
};

/// Prints all mistakes to standard error. True when the catalogue can be used.
[[nodiscard]] bool usable(const knowledge::LoadResult& loaded);

}  // namespace gpumedic::cli
