// Which files make up a journal, and which of them can be opened.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace gpumedic::adapters::journal {

struct JournalFiles {
    std::vector<std::string> usable{};
    std::uint64_t denied{};
    std::uint64_t damaged{};
    std::string damage{};  // the first damaged file, and why

    [[nodiscard]] bool nothing_there() const { return usable.empty() && denied == 0 && damaged == 0; }
};

/// Of a node's tree: /var/log/journal and /run/log/journal below `root`; those of the machine's own id where it is
/// known, else of all ids.
[[nodiscard]] JournalFiles files_of_node(const std::string& root);
/// A file, or the files of a folder (two levels deep).
[[nodiscard]] JournalFiles files_at(const std::string& path);

}  // namespace gpumedic::adapters::journal
