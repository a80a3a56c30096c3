// Runs one fuzz target over files and folders without libFuzzer, so every compiler replays the seeds in the normal
// tests. Each file is fed whole, cut in half, and with its bytes reversed: cheap inputs of the kinds a mutator would
// try first.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <system_error>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxBytes = std::size_t{1} << 20;  // as a mutator's inputs are small, so are these

void feed(const std::vector<std::uint8_t>& bytes) { LLVMFuzzerTestOneInput(bytes.data(), bytes.size()); }

bool replay_file(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    if (!in) {
        std::fprintf(stderr, "cannot read %s\n", path.c_str());
        return false;
    }
    std::vector<std::uint8_t> bytes{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    if (bytes.size() > kMaxBytes) bytes.resize(kMaxBytes);
    feed(bytes);
    feed({bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(bytes.size() / 2)});
    std::ranges::reverse(bytes);
    feed(bytes);
    return true;
}

/// Sorted, so that a crash comes at the same file every time.
std::vector<fs::path> files_below(const fs::path& top) {
    std::vector<fs::path> files;
    std::error_code error;
    if (fs::is_regular_file(top, error)) files.push_back(top);
    for (fs::recursive_directory_iterator it(top, error), end; !error && it != end; it.increment(error)) {
        if (it->is_regular_file(error)) files.push_back(it->path());
    }
    std::ranges::sort(files);
    return files;
}

}  // namespace

int main(int argc, char** argv) {
    feed({});
    std::size_t replayed = 0;
    for (const std::string& argument : std::vector<std::string>(argv + 1, argv + argc)) {
        for (const auto& file : files_below(argument)) {
            if (!replay_file(file)) return 1;
            ++replayed;
        }
    }
    std::printf("%zu files replayed\n", replayed);
    return replayed == 0 ? 1 : 0;  // a replay of nothing would be a test that cannot fail
}
