#include "output.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <system_error>
#include <utility>

#include "base/text.h"

namespace gpumedic::cli {
namespace {

std::string reason(int error) { return std::generic_category().message(error); }

/// 0, or the error's number.
int write_all(int descriptor, std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t count = ::write(descriptor, bytes.data(), bytes.size());
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) return errno;
        bytes.remove_prefix(static_cast<std::size_t>(count));
    }
    return 0;
}

/// What a plain open(2) would have given; mkostemp gives 0600.
void set_usual_mode(int descriptor) {
    const mode_t mask = ::umask(0);
    ::umask(mask);
    static_cast<void>(::fchmod(descriptor, 0666U & ~mask));  // a file system without modes keeps its own
}

base::Error cannot_create(const std::string& path, int error) {
    return {base::ErrorCode::usage, "cannot write there: " + reason(error), path, "choose another place for --to"};
}

}  // namespace

base::Result<void> write_standard_output(std::string_view bytes) {
    const int error = write_all(STDOUT_FILENO, bytes);
    if (error == 0 || error == EPIPE) return {};
    return base::fail(base::ErrorCode::unreadable, "cannot write the result: " + reason(error), "standard output");
}

base::Result<OutputFile> OutputFile::create(const std::string& path) {
    struct stat status{};
    const bool exists = ::stat(path.c_str(), &status) == 0;
    if (exists && S_ISDIR(status.st_mode)) return tl::make_unexpected(cannot_create(path, EISDIR));
    if (exists && !S_ISREG(status.st_mode)) {
        const int descriptor = ::open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY);
        if (descriptor < 0) return tl::make_unexpected(cannot_create(path, errno));
        return OutputFile(descriptor, {}, path);
    }
    std::error_code error;  // through a link: the file that it names is replaced, not the link
    const std::filesystem::path real = exists ? std::filesystem::canonical(path, error) : std::filesystem::path(path);
    const std::string target = error ? path : real.string();
    std::string temporary = target + ".XXXXXX";
    const int descriptor = ::mkostemp(temporary.data(), O_CLOEXEC);
    if (descriptor < 0) return tl::make_unexpected(cannot_create(path, errno));
    set_usual_mode(descriptor);
    return OutputFile(descriptor, std::move(temporary), target);
}

OutputFile::OutputFile(OutputFile&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)),
      temporary_(std::exchange(other.temporary_, {})),
      target_(std::exchange(other.target_, {})) {}

OutputFile::~OutputFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
    if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

base::Result<void> OutputFile::commit(std::string_view bytes) {
    int error = write_all(descriptor_, bytes);
    if (error == 0 && !temporary_.empty() && ::fsync(descriptor_) != 0) error = errno;
    if (::close(std::exchange(descriptor_, -1)) != 0 && error == 0) error = errno;
    if (error == 0 && !temporary_.empty()) {
        if (::rename(temporary_.c_str(), target_.c_str()) == 0) {
            temporary_.clear();
        } else {
            error = errno;
        }
    }
    if (error == 0 || (error == EPIPE && temporary_.empty())) return {};
    return base::fail(base::ErrorCode::unreadable, "cannot write the result: " + reason(error), target_);
}

void print_error(const base::Error& error) {
    std::string text = "gpumedic: ";
    bool first = true;
    for (const std::string_view line : base::split(base::trim_right(error.what), '\n')) {
        text += (first ? "" : "\n  ") + base::printable(line);
        first = false;
    }
    if (!error.where.empty()) text += " (" + base::printable(error.where) + ")";
    text += '\n';
    if (!error.help.empty()) text += "  " + base::printable(error.help) + "\n";
    static_cast<void>(write_all(STDERR_FILENO, text));  // nobody is left to tell
}

void print_fragment(std::string_view text) { static_cast<void>(write_all(STDERR_FILENO, text)); }

void print_message(std::string_view text) { static_cast<void>(write_all(STDERR_FILENO, std::string(text) + "\n")); }

}  // namespace gpumedic::cli
