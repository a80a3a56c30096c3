// Small forms inside of kubectl's answers. Pure.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gpumedic::evidence::kubectl {

/// A message with Go's quoting undone once: `failed: "LibvirtError(... \"x\"\nmore)"` -> `failed: LibvirtError(... "x"
/// more)`. Line ends become blanks. Quotes around words inside of a message stay.
[[nodiscard]] std::string plain_message(std::string_view message);

/// "virt-handler, node-a" -> component and host; the host may be missing.
[[nodiscard]] std::pair<std::string_view, std::string_view> split_source(std::string_view source);

/// "8s (x11 over 19s)" -> "11", else "".
[[nodiscard]] std::string_view count_of_age(std::string_view age);

/// "virt-launcher-gpu-vm-1-x2k9p" -> "gpu-vm-1"; "" for other pods, and where Kubernetes may have cut the name.
[[nodiscard]] std::string_view vmi_of_pod(std::string_view pod);

/// Pieces of a table line and where they start: two blanks or a tab separate, one blank does not.
[[nodiscard]] std::vector<std::pair<std::size_t, std::string_view>> table_pieces(std::string_view line);

}  // namespace gpumedic::evidence::kubectl
