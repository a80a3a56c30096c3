// What the command line of a transcript says about the answer below it. Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/pci_address.h"

namespace gpumedic::evidence::lspci {

struct Command {
    enum class Tool { none, lspci, setpci } tool{Tool::none};
    /// The one function of `-s`; nothing where the selection may cover several.
    std::optional<model::PciAddress> address{};
    /// Registers that setpci was asked to print, upper case, in order.
    std::vector<std::string> registers{};
};

/// "sudo lspci -nnvv -s 03:00.0 | grep Lnk": only the first stage of a pipe counts.
[[nodiscard]] Command parse_command(std::string_view text);

}  // namespace gpumedic::evidence::lspci
