#include "adapters/node_files/rooted_files.h"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <fnmatch.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <memory>
#include <system_error>
#include <utility>

namespace gpumedic::adapters {
namespace {

constexpr std::size_t kPieceBytes = std::size_t{64} * 1024;
constexpr std::size_t kMaxMatches = 20'000;

class OpenFile {
public:
    explicit OpenFile(int number) : number_(number) {}
    OpenFile(const OpenFile&) = delete;
    OpenFile& operator=(const OpenFile&) = delete;
    ~OpenFile() {
        if (number_ >= 0) ::close(number_);
    }
    [[nodiscard]] int number() const { return number_; }
    [[nodiscard]] int release() { return std::exchange(number_, -1); }

private:
    int number_;
};

base::Error error_of(int number, const std::string& path) {
    auto code = base::ErrorCode::unreadable;
    if (number == ENOENT || number == ENOTDIR || number == ENODEV || number == ENXIO) code = base::ErrorCode::not_found;
    if (number == EACCES || number == EPERM) code = base::ErrorCode::denied;
    return {code, std::generic_category().message(number), path, {}};
}

tl::unexpected<base::Error> failed(int number, const std::string& path) {
    return tl::make_unexpected(error_of(number, path));
}

/// read(2) again after a signal.
ssize_t read_some(int number, char* buffer, std::size_t size) {
    for (;;) {
        const ssize_t count = ::read(number, buffer, size);
        if (count >= 0 || errno != EINTR) return count;
    }
}

bool has_wildcard(const std::string& name) { return name.find_first_of("*?[") != std::string::npos; }

/// Names in an open folder, sorted.
std::vector<std::string> names_in(int number) {
    std::vector<std::string> names;
    DIR* opened = ::fdopendir(number);
    if (opened == nullptr) {
        ::close(number);
        return names;
    }
    struct CloseFolder {
        void operator()(DIR* folder) const { ::closedir(folder); }
    };
    const std::unique_ptr<DIR, CloseFolder> folder(opened);
    while (const dirent* found = ::readdir(folder.get())) {
        std::string name(static_cast<const char*>(found->d_name));
        if (name != "." && name != "..") names.push_back(std::move(name));
    }
    std::sort(names.begin(), names.end());
    return names;
}

}  // namespace

RootedFiles::RootedFiles(std::string root) : root_(std::move(root)) {
    while (root_.ends_with('/')) root_.pop_back();
}

int RootedFiles::open(const std::string& path, int flags) const {
    // openat2 refuses flags that mean nothing beside O_PATH.
    const int all = flags | O_CLOEXEC | ((flags & O_PATH) != 0 ? 0 : O_NOCTTY | O_NONBLOCK);
    if (root_.empty()) return ::open(path.c_str(), all);
    const OpenFile root(::open(root_.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
    if (root.number() < 0) return -1;
    open_how how{};
    how.flags = static_cast<std::uint64_t>(all);
    how.resolve = RESOLVE_IN_ROOT;
    const long opened = ::syscall(SYS_openat2, root.number(), path.c_str(), &how, sizeof how);
    if (opened >= 0) return static_cast<int>(opened);
    // Kernels before 5.6, and sandboxes that do not know the call: no link is followed, rather than a wrong one.
    if (errno != ENOSYS && errno != EPERM) return -1;
    return ::open((root_ + path).c_str(), all | O_NOFOLLOW);
}

ports::NodeFiles::Matches RootedFiles::match(const std::string& pattern) {
    Matches found;
    found.paths = {""};
    std::size_t at = 1;
    while (at <= pattern.size() && pattern.starts_with('/')) {
        const auto end = std::min(pattern.find('/', at), pattern.size());
        const std::string part = pattern.substr(at, end - at);
        const bool is_last = end == pattern.size();
        at = end + 1;
        std::vector<std::string> next;
        for (const auto& folder : found.paths) {
            if (!has_wildcard(part)) {
                next.push_back(fmt::format("{}/{}", folder, part));
                continue;
            }
            const std::string shown = folder.empty() ? "/" : folder;
            const int opened = open(shown, O_RDONLY | O_DIRECTORY);
            if (opened < 0) {
                if (errno == EACCES || errno == EPERM) found.problems.push_back(error_of(errno, shown));
                continue;
            }
            for (const auto& name : names_in(opened))
                if (next.size() < kMaxMatches && ::fnmatch(part.c_str(), name.c_str(), FNM_PERIOD) == 0)
                    next.push_back(fmt::format("{}/{}", folder, name));
        }
        found.paths = std::move(next);
        if (is_last) break;
    }
    std::erase_if(found.paths, [this](const std::string& path) {
        const OpenFile file(open(path, O_PATH | O_NOFOLLOW));
        return file.number() < 0 && (errno == ENOENT || errno == ENOTDIR);
    });
    return found;
}

base::Result<std::string> RootedFiles::read(const std::string& path, std::uint64_t max_bytes) {
    std::string text;
    const OpenFile file(open(path, O_RDONLY));
    if (file.number() < 0) return failed(errno, path);
    struct stat facts{};
    if (::fstat(file.number(), &facts) != 0) return failed(errno, path);
    if (!S_ISREG(facts.st_mode)) return base::fail(base::ErrorCode::unreadable, "not a regular file", path);
    std::array<char, 4096> buffer{};
    while (text.size() < max_bytes) {
        const auto wanted = std::min<std::uint64_t>(buffer.size(), max_bytes - text.size());
        const ssize_t count = read_some(file.number(), buffer.data(), wanted);
        if (count < 0) return failed(errno, path);
        if (count == 0) break;
        text.append(buffer.data(), static_cast<std::size_t>(count));
    }
    return text;
}

base::Result<std::string> RootedFiles::link(const std::string& path) {
    const OpenFile file(open(path, O_PATH | O_NOFOLLOW));
    if (file.number() < 0) return failed(errno, path);
    std::array<char, 4096> buffer{};
    const ssize_t count = ::readlinkat(file.number(), "", buffer.data(), buffer.size());
    if (count < 0) return failed(errno, path);
    return std::string(buffer.data(), static_cast<std::size_t>(count));
}

base::Result<ports::NodeFiles::Copied> RootedFiles::copy(const std::string& path, std::uint64_t max_bytes,
                                                         const ports::PieceSink& sink) {
    const OpenFile file(open(path, O_RDONLY));
    if (file.number() < 0) return failed(errno, path);
    struct stat facts{};
    if (::fstat(file.number(), &facts) != 0) return failed(errno, path);
    if (!S_ISREG(facts.st_mode)) return base::fail(base::ErrorCode::unreadable, "not a regular file", path);
    Copied copied;
    copied.size = static_cast<std::uint64_t>(facts.st_size);
    if (copied.size > max_bytes) {
        copied.skipped = copied.size - max_bytes;
        if (::lseek(file.number(), static_cast<off_t>(copied.skipped), SEEK_SET) < 0) return failed(errno, path);
    }
    std::vector<char> buffer(kPieceBytes);
    // A log that grows meanwhile is read up to the cap, no further.
    while (copied.bytes < max_bytes) {
        const auto wanted = std::min<std::uint64_t>(buffer.size(), max_bytes - copied.bytes);
        const ssize_t count = read_some(file.number(), buffer.data(), wanted);
        if (count < 0) return failed(errno, path);
        if (count == 0) break;
        copied.bytes += static_cast<std::uint64_t>(count);
        if (!sink({buffer.data(), static_cast<std::size_t>(count)})) break;
    }
    return copied;
}

base::Result<std::chrono::seconds> RootedFiles::changed(const std::string& path) {
    const OpenFile file(open(path, O_PATH));
    struct stat facts{};
    if (file.number() < 0 || ::fstat(file.number(), &facts) != 0) return failed(errno, path);
    return std::chrono::seconds{facts.st_mtim.tv_sec};
}

base::Result<void> RootedFiles::kernel_ring(const ports::PieceSink& sink) {
    const std::string path = "/dev/kmsg";
    const OpenFile file(open(path, O_RDONLY));
    if (file.number() < 0) return failed(errno, path);
    struct stat facts{};
    const bool is_device = ::fstat(file.number(), &facts) == 0 && S_ISCHR(facts.st_mode);
    if (!is_device && !S_ISREG(facts.st_mode)) return base::fail(base::ErrorCode::unreadable, "no log device", path);
    std::array<char, 16 * 1024> record{};  // one read gives one record
    for (;;) {
        const ssize_t count = read_some(file.number(), record.data(), record.size());
        if (count < 0 && errno == EPIPE) continue;  // overwritten meanwhile: goes on with the oldest that is left
        if (count < 0 && errno == EAGAIN) return {};
        if (count < 0) return failed(errno, path);
        if (count == 0 || !sink({record.data(), static_cast<std::size_t>(count)})) return {};
    }
}

}  // namespace gpumedic::adapters
