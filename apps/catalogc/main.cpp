// catalogc DIR OUT.bin: compiles a catalogue to the blob that the programs embed. A build tool; users have `gpumedic
// catalog lint`.
#include <fmt/format.h>

#include <cstdio>
#include <set>

#include "blob_file.h"
#include "knowledge/blob.h"
#include "signals/check_examples.h"
#include "wiring.h"

namespace {

using namespace gpumedic;

constexpr int kUsage = 64;
constexpr int kNoInput = 66;
constexpr int kCannotWrite = 73;
constexpr int kBadCatalogue = 78;

int fail(int code, const base::Error& error) {
    fmt::print(stderr, "catalogc: {}: {}\n", error.where, error.what);
    return code;
}

/// Prints all of them, with paths that an editor can open; counts the errors.
std::size_t print_problems(const std::vector<knowledge::Problem>& problems, const std::filesystem::path& folder) {
    std::size_t errors = 0;
    for (knowledge::Problem problem : problems) {
        problem.file = (folder / problem.file).string();
        fmt::print(stderr, "{}", problem.render());
        if (problem.level == knowledge::Problem::Level::error) ++errors;
    }
    return errors;
}

/// Examples run in files without mistakes only (a signal without a pattern would fail all of its own), so that a
/// mistake in one file does not hide the failing examples of another.
std::vector<knowledge::Problem> check_examples_of_sound_files(const knowledge::LoadResult& loaded) {
    std::set<std::string, std::less<>> broken;
    for (const auto& problem : loaded.problems) {
        if (problem.level == knowledge::Problem::Level::error) broken.insert(problem.file);
    }
    knowledge::Catalogue sound;
    sound.tables = loaded.catalogue.tables;  // conditions compare with them
    for (const auto& signal : loaded.catalogue.signals) {
        if (!broken.contains(signal.file.substr(0, signal.file.rfind(':')))) sound.signals.push_back(signal);
    }
    return signals::check_examples(sound);
}

int compile(const std::filesystem::path& folder, const std::filesystem::path& target) {
    const auto layer = catalogc::read_layer(folder);
    if (!layer) return fail(kNoInput, layer.error());
    const auto loaded = knowledge::load_catalogue({}, {*layer});
    std::size_t errors = print_problems(loaded.problems, folder);
    errors += print_problems(check_examples_of_sound_files(loaded), folder);
    if (errors > 0) {
        fmt::print(stderr, "catalogc: {} mistake{} in {}\n", errors, errors == 1 ? "" : "s", folder.string());
        return kBadCatalogue;
    }
    const auto written = catalogc::write_file(target, knowledge::write_blob(loaded.catalogue));
    if (!written) return fail(kCannotWrite, written.error());
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 3) {
        fmt::print(stderr, "usage: catalogc DIR OUT.bin\n");
        return kUsage;
    }
    return compile(argv[1], argv[2]);
}
