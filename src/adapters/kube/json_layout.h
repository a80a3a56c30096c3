// JSON on many lines, as kubectl prints it: evidence is cited by line, and a line has a cap.
#pragma once

#include <string>
#include <string_view>

namespace gpumedic::adapters::kube {

/// Adds line ends and four blanks of indent per level, beginning at `level`; changes nothing else, and takes any text.
/// Pure.
void append_laid_out(std::string& target, std::string_view json, int level);

/// The object with `apiVersion` and `kind` as its first members where it says neither: items of a typed list do not.
[[nodiscard]] std::string with_kind(std::string_view object, std::string_view api_version, std::string_view kind);

}  // namespace gpumedic::adapters::kube
