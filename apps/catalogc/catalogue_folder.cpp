#include "catalogue_folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <iterator>
#include <system_error>

namespace gpumedic::catalogc {
namespace {

namespace fs = std::filesystem;

base::Result<std::string> read_text_file(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    if (!in) return base::fail(base::ErrorCode::unreadable, "cannot open the file", path.string());
    std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    if (in.bad()) return base::fail(base::ErrorCode::unreadable, "cannot read the file", path.string());
    return text;
}

bool is_yaml(const fs::path& path) { return path.extension() == ".yaml" || path.extension() == ".yml"; }

base::Result<std::vector<fs::path>> list_yaml(const fs::path& folder) {
    std::error_code error;
    std::vector<fs::path> paths;
    auto position = fs::recursive_directory_iterator(folder, error);
    while (!error && position != fs::recursive_directory_iterator()) {
        if (is_yaml(position->path()) && position->is_regular_file(error)) paths.push_back(position->path());
        if (!error) position.increment(error);
    }
    if (error) return base::fail(base::ErrorCode::not_found, error.message(), folder.string());
    std::sort(paths.begin(), paths.end());
    return paths;
}

}  // namespace

base::Result<knowledge::CatalogueLayer> read_catalogue_folder(const fs::path& folder) {
    auto paths = list_yaml(folder);
    if (!paths) return tl::make_unexpected(paths.error());
    knowledge::CatalogueLayer layer;
    for (const auto& path : *paths) {
        auto text = read_text_file(path);
        if (!text) return tl::make_unexpected(text.error());
        const fs::path relative = path.lexically_relative(folder);
        const std::string kind = relative.has_parent_path() ? relative.begin()->string() : std::string{};
        layer.files.push_back({relative.generic_string(), kind, std::move(*text)});
    }
    if (layer.files.empty())
        return base::fail(base::ErrorCode::not_found, "no .yaml file below the folder", folder.string());
    return layer;
}

base::Result<std::size_t> write_file(const fs::path& target, std::string_view bytes) {
    const fs::path temporary = target.string() + ".tmp";
    {
        std::ofstream out(temporary, std::ios::binary | std::ios::trunc);
        out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
        out.close();
        if (!out) return base::fail(base::ErrorCode::unreadable, "cannot write the file", temporary.string());
    }
    std::error_code error;
    fs::rename(temporary, target, error);
    if (error) return base::fail(base::ErrorCode::unreadable, error.message(), target.string());
    return bytes.size();
}

}  // namespace gpumedic::catalogc
