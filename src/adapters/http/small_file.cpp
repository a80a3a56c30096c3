#include "adapters/http/small_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <system_error>

namespace gpumedic::adapters::http {
namespace {

base::Error error_of(int number, const std::string& path) {
    const auto code = number == ENOENT || number == ENOTDIR ? base::ErrorCode::not_found
                      : number == EACCES || number == EPERM ? base::ErrorCode::denied
                                                            : base::ErrorCode::unreadable;
    return {code, std::generic_category().message(number), path, {}};
}

}  // namespace

base::Result<std::string> read_small_file(const std::string& path, std::size_t cap) {
    // A FIFO that was put in the place of a file would hang a plain open.
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (file < 0) return tl::make_unexpected(error_of(errno, path));
    struct stat status{};
    base::Result<std::string> text{std::string{}};
    if (::fstat(file, &status) != 0) {
        text = tl::make_unexpected(error_of(errno, path));
    } else if (!S_ISREG(status.st_mode)) {
        text = base::fail(base::ErrorCode::unreadable, "is no regular file", path);
    }
    std::array<char, 16384> buffer{};
    while (text) {
        const ssize_t got = ::read(file, buffer.data(), buffer.size());
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) text = tl::make_unexpected(error_of(errno, path));
        if (got <= 0) break;
        text->append(buffer.data(), static_cast<std::size_t>(got));
        if (text->size() > cap) {
            text = base::fail(base::ErrorCode::too_large, fmt::format("is larger than {} bytes", cap), path);
        }
    }
    ::close(file);
    return text;
}

}  // namespace gpumedic::adapters::http
