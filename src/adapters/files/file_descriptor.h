// Ownership of one open file.
#pragma once

#include <unistd.h>

#include <utility>

namespace gpumedic::adapters {

/// Closes what it owns; a borrowed descriptor (standard input) stays open.
class FileDescriptor {
public:
    enum class Ownership { owned, borrowed };

    explicit FileDescriptor(int number, Ownership ownership = Ownership::owned)
        : number_(number), ownership_(ownership) {}
    FileDescriptor(FileDescriptor&& other) noexcept
        : number_(std::exchange(other.number_, -1)), ownership_(other.ownership_) {}
    FileDescriptor(const FileDescriptor&) = delete;
    FileDescriptor& operator=(const FileDescriptor&) = delete;
    FileDescriptor& operator=(FileDescriptor&&) = delete;
    ~FileDescriptor() {
        if (number_ >= 0 && ownership_ == Ownership::owned) ::close(number_);
    }

    [[nodiscard]] int number() const { return number_; }

private:
    int number_;
    Ownership ownership_;
};

}  // namespace gpumedic::adapters
