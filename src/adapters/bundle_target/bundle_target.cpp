#include "adapters/bundle_target/bundle_target.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <filesystem>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

#include "codec/archive_writer.h"

namespace gpumedic::adapters {
namespace {

namespace fs = std::filesystem;
using codec::ArchiveWriter;

std::string reason(int number) { return std::generic_category().message(number); }

base::Error cannot_write(int number, const std::string& path) {
    return {base::ErrorCode::unreadable, "cannot write the bundle: " + reason(number), path,
            number == ENOSPC ? "free some space there, choose another place for --to, or lower --max-bytes" : ""};
}

base::Error cannot_create(const std::string& what, const std::string& path) {
    return {base::ErrorCode::usage, "cannot write there: " + what, path, "choose another place for --to"};
}

base::Result<void> write_all(int file, std::string_view bytes, const std::string& path) {
    while (!bytes.empty()) {
        const ssize_t count = ::write(file, bytes.data(), bytes.size());
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) return tl::make_unexpected(cannot_write(errno, path));
        bytes.remove_prefix(static_cast<std::size_t>(count));
    }
    return {};
}

/// Hands `size` bytes of the source on; one that ends early is reported by the sink's owner.
template <class Sink>
base::Result<void> pump(ports::ByteSource& bytes, std::uint64_t size, const Sink& sink) {
    std::array<char, 64 * 1024> buffer{};
    while (size > 0) {
        const auto wanted = std::min<std::uint64_t>(buffer.size(), size);
        auto count = bytes.read({buffer.data(), static_cast<std::size_t>(wanted)});
        if (!count) return tl::make_unexpected(count.error());
        if (*count == 0) return {};
        if (auto done = sink(std::string_view(buffer.data(), *count)); !done) return done;
        size -= *count;
    }
    return {};
}

std::string partial_name(const std::string& target) { return target + ".partial"; }

class ArchiveTarget final : public ports::BundleTarget {
public:
    ArchiveTarget(int file, std::string temporary, std::string target, ArchiveWriter::Form form, std::int64_t time)
        : file_(file),
          temporary_(std::move(temporary)),
          target_(std::move(target)),
          time_(time),
          writer_(std::in_place, form, [this](std::string_view bytes) { return write_all(file_, bytes, target_); }) {}
    ArchiveTarget(const ArchiveTarget&) = delete;
    ArchiveTarget& operator=(const ArchiveTarget&) = delete;
    ~ArchiveTarget() override {
        writer_.reset();
        if (file_ >= 0) ::close(file_);
        if (!temporary_.empty()) ::unlink(temporary_.c_str());
    }

    base::Result<void> add(const std::string& name, std::uint64_t size, ports::ByteSource& bytes) override {
        if (auto begun = writer_->begin(name, size, time_); !begun) return begun;
        return pump(bytes, size, [this](std::string_view piece) { return writer_->write(piece); });
    }

    base::Result<void> finish() override {
        if (auto done = writer_->finish(); !done) return done;
        if (::fsync(file_) != 0) return tl::make_unexpected(cannot_write(errno, target_));
        if (::close(std::exchange(file_, -1)) != 0) return tl::make_unexpected(cannot_write(errno, target_));
        if (::rename(temporary_.c_str(), target_.c_str()) != 0)
            return tl::make_unexpected(cannot_write(errno, target_));
        temporary_.clear();
        return {};
    }

    std::string keep_part() override {
        struct stat facts{};
        if (temporary_.empty() || ::stat(temporary_.c_str(), &facts) != 0 || facts.st_size == 0) return {};
        std::string kept = partial_name(target_);
        if (::rename(temporary_.c_str(), kept.c_str()) != 0) return {};
        temporary_.clear();
        return kept;
    }

private:
    int file_;
    std::string temporary_;
    std::string target_;
    std::int64_t time_;
    std::optional<ArchiveWriter> writer_;
};

class FolderTarget final : public ports::BundleTarget {
public:
    FolderTarget(std::string temporary, std::string target)
        : temporary_(std::move(temporary)), target_(std::move(target)) {}
    FolderTarget(const FolderTarget&) = delete;
    FolderTarget& operator=(const FolderTarget&) = delete;
    ~FolderTarget() override {
        std::error_code ignored;
        if (!temporary_.empty()) fs::remove_all(temporary_, ignored);
    }

    base::Result<void> add(const std::string& name, std::uint64_t size, ports::ByteSource& bytes) override {
        const fs::path path = fs::path(temporary_) / name;
        std::error_code error;
        fs::create_directories(path.parent_path(), error);
        if (error) return tl::make_unexpected(cannot_write(error.value(), target_));
        const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
        if (file < 0) return tl::make_unexpected(cannot_write(errno, target_));
        auto done = pump(bytes, size, [&](std::string_view piece) { return write_all(file, piece, target_); });
        if (::close(file) != 0 && done) done = tl::make_unexpected(cannot_write(errno, target_));
        return done;
    }

    base::Result<void> finish() override {
        // Renaming onto an empty folder replaces it; one that was filled meanwhile is an error.
        if (::rename(temporary_.c_str(), target_.c_str()) != 0)
            return tl::make_unexpected(cannot_write(errno, target_));
        temporary_.clear();
        return {};
    }

    std::string keep_part() override {
        std::error_code error;
        if (temporary_.empty() || fs::is_empty(temporary_, error) || error) return {};
        std::string kept = partial_name(target_);
        if (::rename(temporary_.c_str(), kept.c_str()) != 0) return std::exchange(temporary_, {});
        temporary_.clear();
        return kept;
    }

private:
    std::string temporary_;
    std::string target_;
};

base::Result<std::unique_ptr<ports::BundleTarget>> make_folder(const std::string& target) {
    std::error_code error;
    if (fs::exists(target, error)) {
        if (!fs::is_directory(target, error))
            return tl::make_unexpected(
                base::Error{base::ErrorCode::usage, "this file is no archive by its name", target,
                            "name an archive (.tar.zst, .tar.gz, .tar) or a folder that does not exist yet"});
        if (!fs::is_empty(target, error)) return tl::make_unexpected(cannot_create("the folder is not empty", target));
    }
    std::string temporary = target + ".XXXXXX";
    if (::mkdtemp(temporary.data()) == nullptr) return tl::make_unexpected(cannot_create(reason(errno), target));
    return std::make_unique<FolderTarget>(std::move(temporary), target);
}

}  // namespace

base::Result<std::unique_ptr<ports::BundleTarget>> make_bundle_target(const std::string& path, std::int64_t time) {
    ArchiveWriter::Form form{};
    if (!codec::parse_archive_form(path, form)) {
        if (path.ends_with(".zip") || path.ends_with(".7z"))
            return tl::make_unexpected(base::Error{base::ErrorCode::usage, "archives of this kind are not written",
                                                   path, "end the name with .tar.zst, .tar.gz or .tar"});
        std::string folder = path;
        while (folder.size() > 1 && folder.ends_with('/')) folder.pop_back();
        return make_folder(folder);
    }
    struct stat facts{};
    if (::stat(path.c_str(), &facts) == 0 && !S_ISREG(facts.st_mode))
        return tl::make_unexpected(cannot_create("it is no regular file", path));
    std::string temporary = path + ".XXXXXX";
    const int file = ::mkostemp(temporary.data(), O_CLOEXEC);
    if (file < 0) return tl::make_unexpected(cannot_create(reason(errno), path));
    return std::make_unique<ArchiveTarget>(file, std::move(temporary), path, form, time);
}

}  // namespace gpumedic::adapters
