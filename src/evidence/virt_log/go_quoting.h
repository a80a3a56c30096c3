// Text that a Go program printed with %q inside an error.
#pragma once

#include <string>
#include <string_view>

namespace gpumedic::evidence {

/// Resolves quoted pieces: escapes (\" \\ \n \t \x1b \u00e9 and octal) become their characters. The quotes themselves
/// go where the piece is a whole reply behind ": " (`failed: "LibvirtError(...)"`) or the whole text; a quoted word
/// inside a sentence keeps them. One level only. A piece without its closing quote (a cut line) is resolved to the end.
/// Pure, thread-safe, any bytes.
[[nodiscard]] std::string without_go_quoting(std::string_view text);

/// Newlines, carriage returns and tabs become blanks: a record's text is one line.
void to_one_line(std::string& text);

}  // namespace gpumedic::evidence
