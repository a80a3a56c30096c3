#include "adapters/spool/file_spool.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <system_error>

namespace gpumedic::adapters {
namespace {

base::Error spill_error(int number, const std::string& folder) {
    return {base::ErrorCode::unreadable, "cannot keep it: " + std::generic_category().message(number), folder,
            "free some space there, or lower --max-bytes"};
}

/// A file without a name, or one whose name is gone at once where the file system knows no such files.
int open_nameless(const std::string& folder) {
    const int nameless = ::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (nameless >= 0) return nameless;
    std::string path = folder + "/.gpumedic-spool.XXXXXX";
    const int named = ::mkostemp(path.data(), O_CLOEXEC);
    if (named >= 0) ::unlink(path.c_str());
    return named;
}

class FileSpool final : public ports::Spool {
public:
    FileSpool(const std::string& folder, std::size_t memory_bytes) : folder_(folder), memory_bytes_(memory_bytes) {}
    FileSpool(const FileSpool&) = delete;
    FileSpool& operator=(const FileSpool&) = delete;
    ~FileSpool() override {
        if (file_ >= 0) ::close(file_);
    }

    base::Result<void> append(std::string_view bytes) override {
        if (file_ < 0 && memory_.size() + bytes.size() <= memory_bytes_) {
            memory_ += bytes;
            return {};
        }
        if (file_ < 0) file_ = open_nameless(folder_);
        if (file_ < 0) return tl::make_unexpected(spill_error(errno, folder_));
        while (!bytes.empty()) {
            const ssize_t count = ::write(file_, bytes.data(), bytes.size());
            if (count < 0 && errno == EINTR) continue;
            if (count < 0) return tl::make_unexpected(spill_error(errno, folder_));
            in_file_ += static_cast<std::uint64_t>(count);
            bytes.remove_prefix(static_cast<std::size_t>(count));
        }
        return {};
    }

    [[nodiscard]] std::uint64_t size() const override { return memory_.size() + in_file_; }
    [[nodiscard]] std::unique_ptr<ports::ByteSource> open() const override { return std::make_unique<Source>(*this); }

private:
    class Source final : public ports::ByteSource {
    public:
        explicit Source(const FileSpool& spool) : spool_(spool) {}
        base::Result<std::size_t> read(std::span<char> buffer) override {
            if (at_ < spool_.memory_.size()) {
                const auto count = std::min(buffer.size(), spool_.memory_.size() - static_cast<std::size_t>(at_));
                std::copy_n(spool_.memory_.data() + at_, count, buffer.data());
                at_ += count;
                return count;
            }
            const auto offset = at_ - spool_.memory_.size();
            const auto wanted = std::min<std::uint64_t>(buffer.size(), spool_.in_file_ - offset);
            if (wanted == 0) return std::size_t{0};
            for (;;) {
                const ssize_t count = ::pread(spool_.file_, buffer.data(), wanted, static_cast<off_t>(offset));
                if (count < 0 && errno == EINTR) continue;
                if (count < 0)
                    return base::fail(base::ErrorCode::unreadable, std::generic_category().message(errno),
                                      spool_.folder_);
                at_ += static_cast<std::uint64_t>(count);
                return static_cast<std::size_t>(count);
            }
        }

    private:
        const FileSpool& spool_;
        std::uint64_t at_{0};
    };

    std::string folder_;
    std::size_t memory_bytes_;
    std::string memory_{};
    int file_{-1};
    std::uint64_t in_file_{0};
};

}  // namespace

std::unique_ptr<ports::Spool> FileSpoolMaker::make() { return std::make_unique<FileSpool>(folder_, memory_bytes_); }

}  // namespace gpumedic::adapters
