#include "adapters/files/file_tree.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "adapters/files/file_descriptor.h"

namespace gpumedic::adapters {
namespace {

// More than this per read(2) falls out of the L2 cache and is slower.
constexpr std::size_t kMaxReadBytes = std::size_t{128} * 1024;

base::Error error_of(int number, const std::string& path) {
    auto code = base::ErrorCode::unreadable;
    if (number == ENOENT || number == ENOTDIR) code = base::ErrorCode::not_found;
    if (number == EACCES || number == EPERM) code = base::ErrorCode::denied;
    return {code, std::generic_category().message(number), path, {}};
}

class FileSource final : public ports::ByteSource {
public:
    FileSource(FileDescriptor file, std::string path) : file_(std::move(file)), path_(std::move(path)) {}

    base::Result<std::size_t> read(std::span<char> buffer) override {
        const std::size_t wanted = std::min(buffer.size(), kMaxReadBytes);
        for (;;) {
            const ssize_t got = ::read(file_.number(), buffer.data(), wanted);
            if (got >= 0) return static_cast<std::size_t>(got);
            if (errno != EINTR) return tl::make_unexpected(error_of(errno, path_));
        }
    }

private:
    FileDescriptor file_;
    std::string path_;
};

std::string_view describe_kind(mode_t mode) {
    if (S_ISLNK(mode)) return "a symbolic link: not followed inside a folder";
    if (S_ISFIFO(mode)) return "a FIFO: not read inside a folder";
    if (S_ISSOCK(mode)) return "a socket: not read";
    return "a device: not read inside a folder";
}

std::string join(const std::string& folder, const std::string& name) {
    if (folder.empty()) return name;
    return folder.back() == '/' ? folder + name : folder + "/" + name;
}

/// Names in a folder, sorted by bytes, so that the same folder gives the same answer on every file system.
base::Result<std::vector<std::string>> read_names(const std::string& path) {
    DIR* opened = ::opendir(path.c_str());
    if (opened == nullptr) return tl::make_unexpected(error_of(errno, path));
    struct CloseFolder {
        void operator()(DIR* open_folder) const { ::closedir(open_folder); }
    };
    const std::unique_ptr<DIR, CloseFolder> folder(opened);
    std::vector<std::string> names;
    for (;;) {
        errno = 0;
        const dirent* found = ::readdir(folder.get());  // a stream of our own: safe without readdir_r
        if (found == nullptr) break;
        const std::string_view name(static_cast<const char*>(found->d_name));
        if (name != "." && name != "..") names.emplace_back(name);
    }
    if (errno != 0) return tl::make_unexpected(error_of(errno, path));
    std::sort(names.begin(), names.end());
    return names;
}

class FolderWalk {
public:
    FolderWalk(const FileTreeLimits& limits, ports::EvidenceTree::Listing& listing)
        : limits_(limits), listing_(listing) {}

    // Recursion is bounded by max_depth, and links are not followed: there is no loop.
    void walk(const std::string& path, const std::string& name, const std::vector<std::string>& children, int depth) {
        for (const auto& child : children) {
            if (full_) return;
            visit(join(path, child), join(name, child), depth);
        }
    }

private:
    void visit(const std::string& path, const std::string& name, int depth) {
        if (listing_.entries.size() + listing_.problems.size() >= limits_.max_entries) {
            full_ = true;
            problem(base::ErrorCode::too_large, "more entries than the cap: the rest was not listed", path);
            return;
        }
        struct stat facts{};
        if (::lstat(path.c_str(), &facts) != 0) {
            listing_.problems.push_back(error_of(errno, path));
        } else if (S_ISREG(facts.st_mode)) {
            listing_.entries.push_back({name, path});
        } else if (!S_ISDIR(facts.st_mode)) {
            problem(base::ErrorCode::unreadable, std::string(describe_kind(facts.st_mode)), path);
        } else if (depth >= limits_.max_depth) {
            problem(base::ErrorCode::too_large, "nested too deeply: not listed", path);
        } else if (auto names = read_names(path)) {
            walk(path, name, *names, depth + 1);
        } else {
            listing_.problems.push_back(names.error());
        }
    }

    void problem(base::ErrorCode code, std::string what, const std::string& path) {
        listing_.problems.push_back({code, std::move(what), path, {}});
    }

    const FileTreeLimits& limits_;
    ports::EvidenceTree::Listing& listing_;
    bool full_{false};
};

}  // namespace

base::Result<ports::EvidenceTree::Listing> FileTree::list(const std::string& argument) {
    Listing listing;
    if (argument == "-") {
        listing.entries.push_back({"-", "-"});
        return listing;
    }
    struct stat facts{};
    if (::stat(argument.c_str(), &facts) != 0) return tl::make_unexpected(error_of(errno, argument));
    if (S_ISSOCK(facts.st_mode) || S_ISBLK(facts.st_mode)) {
        return base::fail(base::ErrorCode::unreadable, "not a file, a folder or a pipe", argument);
    }
    if (!S_ISDIR(facts.st_mode)) {
        if (!S_ISREG(facts.st_mode)) streams_.insert(argument);
        listing.entries.push_back({argument, argument});
        return listing;
    }
    auto names = read_names(argument);
    if (!names) return tl::make_unexpected(names.error());
    FolderWalk(limits_, listing).walk(argument, {}, *names, 0);
    return listing;
}

base::Result<std::unique_ptr<ports::ByteSource>> FileTree::open(const ports::EvidenceEntry& entry) {
    if (entry.path == "-") {
        return std::make_unique<FileSource>(FileDescriptor(STDIN_FILENO, FileDescriptor::Ownership::borrowed), "-");
    }
    // O_NONBLOCK matters only where a listed file was replaced by a FIFO meanwhile; regular files ignore it.
    const bool may_stream = streams_.contains(entry.path);
    const int flags = O_RDONLY | O_CLOEXEC | O_NOCTTY | (may_stream ? 0 : O_NONBLOCK);
    int number = -1;
    do {
        number = ::open(entry.path.c_str(), flags);
    } while (number < 0 && errno == EINTR);
    if (number < 0) return tl::make_unexpected(error_of(errno, entry.path));
    FileDescriptor file(number);
    struct stat facts{};
    if (::fstat(number, &facts) != 0) return tl::make_unexpected(error_of(errno, entry.path));
    if (!may_stream && !S_ISREG(facts.st_mode)) {
        return base::fail(base::ErrorCode::unreadable, "no longer a regular file", entry.path);
    }
    return std::make_unique<FileSource>(std::move(file), entry.path);
}

}  // namespace gpumedic::adapters
