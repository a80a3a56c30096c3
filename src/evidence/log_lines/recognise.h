// Whether a text is a log, and whether it is text at all.
#pragma once

#include <string_view>

#include "ports/reader.h"

namespace gpumedic::evidence {

[[nodiscard]] int recognise_log(const ports::Head& head);
[[nodiscard]] int recognise_text(const ports::Head& head);

/// Commands whose output is kernel messages without any header: "dmesg -t", "journalctl -k -o cat".
[[nodiscard]] bool prints_bare_kernel_lines(std::string_view command);

/// "journalctl -k -b -1": how many boots ago the one is that it prints; 0 where it does not say. At most 100.
[[nodiscard]] int boots_back(std::string_view command);

}  // namespace gpumedic::evidence
