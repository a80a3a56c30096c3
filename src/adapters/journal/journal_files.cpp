#include "adapters/journal/journal_files.h"

#include <fmt/format.h>
#include <systemd/sd-journal.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <system_error>

namespace gpumedic::adapters::journal {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxFiles = 4096;

bool is_journal(const fs::path& path) { return path.extension() == ".journal" || path.extension() == ".journal~"; }

void list(const fs::path& folder, int depth, std::vector<std::string>& paths) {
    std::error_code error;
    for (auto at = fs::directory_iterator(folder, error); !error && at != fs::directory_iterator();
         at.increment(error)) {
        std::error_code ignored;
        if (paths.size() >= kMaxFiles) return;
        if (at->is_directory(ignored) && depth > 0) list(at->path(), depth - 1, paths);
        if (is_journal(at->path()) && at->is_regular_file(ignored)) paths.push_back(at->path().string());
    }
}

/// Each by itself: of many at once libsystemd leaves damaged ones out without a word.
JournalFiles sorted_out(std::vector<std::string> paths) {
    std::sort(paths.begin(), paths.end());
    JournalFiles files;
    for (auto& path : paths) {
        if (::access(path.c_str(), R_OK) != 0) {
            ++files.denied;
            continue;
        }
        const char* one[] = {path.c_str(), nullptr};
        sd_journal* handle = nullptr;
        const int status = sd_journal_open_files(&handle, static_cast<const char**>(one), 0);
        if (status >= 0) {
            sd_journal_close(handle);
            files.usable.push_back(std::move(path));
            continue;
        }
        if (files.damaged++ == 0) files.damage = path + ": " + std::generic_category().message(-status);
    }
    return files;
}

std::string machine_of(const std::string& root) {
    std::string id;
    std::getline(std::ifstream(root + "/etc/machine-id"), id);
    return id;
}

}  // namespace

JournalFiles files_of_node(const std::string& root) {
    const std::string machine = machine_of(root);
    std::vector<std::string> own;
    std::vector<std::string> all;
    for (const char* folder : {"/var/log/journal", "/run/log/journal"}) {
        if (!machine.empty()) list(fmt::format("{}{}/{}", root, folder, machine), 0, own);
        list(root + folder, 1, all);
    }
    // Journals that other machines sent stand in a folder of their own.
    std::erase_if(all, [](const std::string& path) { return path.find("/journal/remote/") != std::string::npos; });
    return sorted_out(own.empty() ? std::move(all) : std::move(own));
}

JournalFiles files_at(const std::string& path) {
    std::error_code error;
    if (!fs::is_directory(path, error)) return sorted_out({path});
    std::vector<std::string> paths;
    list(path, 2, paths);
    return sorted_out(std::move(paths));
}

}  // namespace gpumedic::adapters::journal
