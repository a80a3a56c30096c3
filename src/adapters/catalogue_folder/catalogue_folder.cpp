#include "adapters/catalogue_folder/catalogue_folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <system_error>

namespace gpumedic::adapters {
namespace {

namespace fs = std::filesystem;
using base::ErrorCode;

constexpr std::size_t kMaxFiles = 10'000;
constexpr std::size_t kMaxFileBytes = std::size_t{4} << 20;

base::Result<std::vector<fs::path>> list_yaml(const fs::path& folder) {
    std::error_code error;
    std::vector<fs::path> paths;
    auto position = fs::recursive_directory_iterator(folder, error);
    while (!error && position != fs::recursive_directory_iterator()) {
        const auto extension = position->path().extension();
        const bool yaml = extension == ".yaml" || extension == ".yml";
        if (yaml && position->is_regular_file(error) && !position->is_symlink(error)) paths.push_back(position->path());
        if (paths.size() > kMaxFiles)
            return base::fail(ErrorCode::too_large, fmt::format("more than {} files", kMaxFiles), folder.string());
        if (!error) position.increment(error);
    }
    if (error)
        return base::fail(
            ErrorCode::not_found, error.message(), folder.string(),
            "a catalogue is a folder with signals/, faults/, actions/, checks/, classes/, tables/, overrides/");
    std::ranges::sort(paths);
    return paths;
}

base::Result<std::string> read_text(const fs::path& path) {
    std::error_code error;
    const auto size = fs::file_size(path, error);
    if (!error && size > kMaxFileBytes)
        return base::fail(ErrorCode::too_large, "the file has more than 4 MiB", path.string());
    std::ifstream in(path, std::ios::binary);
    std::string text(error ? 0 : size, '\0');
    in.read(text.data(), static_cast<std::streamsize>(text.size()));
    if (error || !in.is_open() || in.bad())
        return base::fail(ErrorCode::unreadable, "cannot read the file", path.string());
    text.resize(static_cast<std::size_t>(in.gcount()));
    return text;
}

}  // namespace

base::Result<knowledge::CatalogueLayer> read_catalogue_folder(const fs::path& folder, FileNames names) {
    const auto paths = list_yaml(folder);
    if (!paths) return tl::make_unexpected(paths.error());
    if (paths->empty())
        return base::fail(
            ErrorCode::not_found, "no .yaml file below the folder", folder.string(),
            "a catalogue is a folder with signals/, faults/, actions/, checks/, classes/, tables/, overrides/");
    knowledge::CatalogueLayer layer;
    for (const fs::path& path : *paths) {
        auto text = read_text(path);
        if (!text) return tl::make_unexpected(text.error());
        const fs::path below = path.lexically_relative(folder);
        const auto name = names == FileNames::as_found ? path.string() : below.generic_string();
        layer.files.push_back(
            {name, below.has_parent_path() ? below.begin()->string() : std::string(), std::move(*text)});
    }
    return layer;
}

}  // namespace gpumedic::adapters
