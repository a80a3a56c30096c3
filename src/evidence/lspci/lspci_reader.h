// Reads what lspci and setpci print.
#pragma once

#include "ports/reader.h"

namespace gpumedic::evidence {

/// lspci in every verbosity (plain, -n, -nn, -nnk, -v to -vvv, -x to -xxxx; with and without domains) and the answers
/// of `setpci -s ADDRESS REGISTER`. Gives `pci_device` records when the listing is over (function 0 of a card speaks
/// for the others), `pci_register` records at once, and `text` for lines that belong to no device. Thread-safe.
[[nodiscard]] ports::ReaderKind lspci_kind();

}  // namespace gpumedic::evidence
