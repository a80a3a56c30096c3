// A site's own way to ask inside of a VM: SSH, the guest agent, or anything else that prints what nvidia-smi says.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "knowledge/catalogue.h"
#include "verify/verify.h"

namespace gpumedic::cli {

/// Words as a shell would see them: blanks part them, quotes keep them together; nothing is expanded. Errors: usage, an
/// open quote.
[[nodiscard]] base::Result<std::vector<std::string>> split_words(const std::string& text);

/// Runs the command once for each VM, at most 60 s, without a shell, with {vm} and {namespace} filled in, and reads
/// what it printed as evidence.
[[nodiscard]] base::Result<std::vector<verify::GuestAnswer>> ask_guests(const knowledge::Index& index,
                                                                        const std::string& command,
                                                                        const std::vector<std::string>& vms);

}  // namespace gpumedic::cli
