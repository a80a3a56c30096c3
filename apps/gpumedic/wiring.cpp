#include "wiring.h"

#include <algorithm>
#include <filesystem>
#include <iterator>

#include "adapters/bmc/bmc_by_redfish.h"
#include "adapters/bundle_target/bundle_target.h"
#include "adapters/catalogue_folder/catalogue_folder.h"
#include "adapters/files/file_tree.h"
#include "adapters/journal/systemd_journal.h"
#include "adapters/kube/cluster_objects.h"
#include "adapters/node_files/rooted_files.h"
#include "adapters/nvml/listing.h"
#include "adapters/probe/probe.h"
#include "adapters/spool/file_spool.h"
#include "base/check.h"
#include "collect/journal_tree.h"
#include "knowledge/blob.h"
#include "knowledge/embedded.h"
#include "signals/check_examples.h"

namespace gpumedic::cli {
namespace {

constexpr const char* kSiteFolder = "/etc/gpumedic/catalog.d";

knowledge::Problem as_problem(const base::Error& error) {
    knowledge::Problem problem;
    problem.code = "CAT-000";
    problem.file = error.where;
    problem.what = error.what;
    problem.help = error.help;
    return problem;
}

}  // namespace

std::unique_ptr<ports::EvidenceTree> make_evidence_tree() {
    return std::make_unique<collect::JournalTree>(
        std::make_unique<adapters::FileTree>(), std::make_unique<adapters::ChildProbe>(),
        std::make_unique<adapters::FileSpoolMaker>(std::filesystem::temp_directory_path().string()),
        [](const std::string& path) {
            using adapters::JournalPlace;
            return std::make_unique<adapters::SystemdJournal>(JournalPlace{JournalPlace::Kind::path, path});
        });
}

NodeWorld make_node_world(const std::string& root, const std::string& spill_folder) {
    using adapters::JournalPlace;
    NodeWorld world{std::make_unique<adapters::ChildProbe>(),
                    std::make_unique<adapters::RootedFiles>(root),
                    std::make_unique<adapters::SystemdJournal>(JournalPlace{JournalPlace::Kind::node, root}),
                    std::make_unique<adapters::FileSpoolMaker>(spill_folder),
                    nullptr,
                    nullptr,
                    nullptr};
    if (root == "/") {
        world.cluster = std::make_unique<adapters::kube::NodeObjectsOfApi>();
        world.nvml = std::make_unique<adapters::nvml::NvmlListing>();
        world.bmc = std::make_unique<adapters::bmc::BmcByRedfish>(adapters::bmc::kConfigFile);
    }
    return world;
}

base::Result<std::unique_ptr<ports::BundleTarget>> make_bundle_target(const std::string& path,
                                                                      std::chrono::seconds time) {
    return adapters::make_bundle_target(path, time.count());
}

knowledge::LoadResult load_catalogue(const std::vector<std::string>& folders) {
    auto built_in = knowledge::read_blob(knowledge::embedded_catalogue());
    CHECK(built_in.has_value(), "the built-in catalogue cannot be read");
    std::vector<knowledge::Problem> unreadable;
    std::vector<knowledge::CatalogueLayer> layers;
    std::vector<std::string> all;
    std::error_code unknown;
    if (std::filesystem::is_directory(kSiteFolder, unknown)) all.emplace_back(kSiteFolder);
    all.insert(all.end(), folders.begin(), folders.end());
    for (const std::string& folder : all) {
        auto layer = adapters::read_catalogue_folder(folder, adapters::FileNames::as_found);
        if (layer) {
            layers.push_back(std::move(*layer));
        } else {
            unreadable.push_back(as_problem(layer.error()));
        }
    }
    if (layers.empty()) return {std::move(*built_in), std::move(unreadable)};
    knowledge::LoadResult loaded = knowledge::load_catalogue(*built_in, layers);
    loaded.problems.insert(loaded.problems.begin(), std::make_move_iterator(unreadable.begin()),
                           std::make_move_iterator(unreadable.end()));
    return loaded;
}

knowledge::LoadResult lint_catalogue(const std::vector<std::string>& folders) {
    knowledge::LoadResult loaded = load_catalogue(folders);
    if (!loaded.ok()) return loaded;
    std::ranges::move(signals::check_examples(loaded.catalogue), std::back_inserter(loaded.problems));
    return loaded;
}

}  // namespace gpumedic::cli
