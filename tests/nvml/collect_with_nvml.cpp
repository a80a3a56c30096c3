// Collects the item nvml/query of the tree that is given, with real processes, into a folder.
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "adapters/journal/systemd_journal.h"
#include "adapters/node_files/rooted_files.h"
#include "adapters/nvml/listing.h"
#include "adapters/probe/probe.h"
#include "adapters/spool/file_spool.h"
#include "collect/collect.h"

using namespace gpumedic;

namespace {

base::Result<void> write(const std::filesystem::path& path, const ports::Spool& bytes) {
    std::filesystem::create_directories(path.parent_path());
    std::ofstream file(path, std::ios::binary);
    std::string piece(64 * 1024, '\0');
    const auto source = bytes.open();
    for (auto got = source->read({piece.data(), piece.size()}); got && *got > 0;
         got = source->read({piece.data(), piece.size()}))
        file.write(piece.data(), static_cast<std::streamsize>(*got));
    return {};
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 3) return std::fputs("usage: collect_with_nvml ROOT TO\n", stderr), 64;
    using adapters::JournalPlace;
    const std::string root = argv[1];
    const std::filesystem::path to = argv[2];
    adapters::ChildProbe probe;
    adapters::RootedFiles files(root);
    adapters::SystemdJournal journal(JournalPlace{JournalPlace::Kind::node, root});
    adapters::FileSpoolMaker spools(to.parent_path().string());
    adapters::nvml::NvmlListing nvml;
    collect::Options options;
    options.root = root;
    options.only = {"nvml/*"};
    options.timeout = std::chrono::seconds(5);
    const auto summary = collect::collect(
        {probe, files, journal, spools, nullptr, nullptr, &nvml}, options,
        [&to](const std::string& name, std::unique_ptr<ports::Spool> bytes) { return write(to / name, *bytes); }, {});
    return summary ? 0 : 1;
}
