// What the process's surroundings decide: language, colour, width, the present. Reads variables and the terminal,
// changes nothing.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>

#include "arguments.h"
#include "model/localized.h"

namespace gpumedic::cli {

/// Value of an environment variable, nothing where it is not set. Tests hand in their own.
using Variables = std::function<std::optional<std::string>(const char* name)>;
[[nodiscard]] Variables process_variables();

/// --lang, else the first of LC_ALL, LC_MESSAGES, LANG that is set and not empty: ko* is Korean, all others are
/// English.
[[nodiscard]] model::Language choose_language(const std::string& wish, const Variables& variables);

enum class Destination { terminal, elsewhere };
/// An explicit wish wins over NO_COLOR; automatic needs a terminal that is not "dumb".
[[nodiscard]] bool wants_colour(ColourWish wish, Destination destination, const Variables& variables);
[[nodiscard]] Destination standard_output();

/// Columns of the terminal on standard output, 100 where there is none.
[[nodiscard]] std::size_t output_width();

/// Offset of the machine's local time from UTC at that moment.
[[nodiscard]] std::chrono::minutes local_offset(std::chrono::seconds moment);

/// Seconds since 1970 UTC; SOURCE_DATE_EPOCH counts as the present where it is set, so that runs can be repeated
/// exactly.
[[nodiscard]] std::chrono::seconds present(const Variables& variables);

}  // namespace gpumedic::cli
