#include "codec/archive.h"

#include <archive.h>
#include <archive_entry.h>

#include <utility>

namespace gpumedic::codec {
namespace {

std::string reason(archive* handle) {
    const char* text = archive_error_string(handle);
    return text == nullptr ? "damaged archive" : text;
}

/// Only what libarchive decodes itself: filters that start a program have no place in front of foreign files.
void allow_forms(archive* handle) {
    archive_read_support_filter_gzip(handle);
    archive_read_support_filter_bzip2(handle);
    archive_read_support_filter_xz(handle);
    archive_read_support_filter_lzma(handle);
    archive_read_support_filter_zstd(handle);
    archive_read_support_filter_lz4(handle);
    archive_read_support_format_tar(handle);
    archive_read_support_format_zip_streamable(handle);
    archive_read_support_format_raw(handle);
}

}  // namespace

struct ArchiveReader::Impl {
    explicit Impl(PackedInput source) : input(std::move(source)), handle(archive_read_new()) { allow_forms(handle); }
    Impl(const Impl&) = delete;
    Impl& operator=(const Impl&) = delete;
    ~Impl() { archive_read_free(handle); }

    static la_ssize_t pull(archive*, void* self, const void** piece) {
        auto& impl = *static_cast<Impl*>(self);
        const std::string_view bytes = impl.input();
        impl.packed += bytes.size();
        *piece = bytes.data();
        return static_cast<la_ssize_t>(bytes.size());
    }

    bool open() {
        if (!opened) usable = archive_read_open(handle, this, nullptr, &Impl::pull, nullptr) == ARCHIVE_OK;
        opened = true;
        return usable;
    }

    PackedInput input;
    archive* handle;
    bool opened{false};
    bool usable{false};
    std::uint64_t packed{0};
    std::uint64_t unpacked{0};
};

ArchiveReader::ArchiveReader(PackedInput input) : impl_(std::make_unique<Impl>(std::move(input))) {}
ArchiveReader::~ArchiveReader() = default;
ArchiveReader::ArchiveReader(ArchiveReader&&) noexcept = default;
ArchiveReader& ArchiveReader::operator=(ArchiveReader&&) noexcept = default;

base::Result<std::optional<std::string>> ArchiveReader::next() {
    if (!impl_->open()) return base::fail(base::ErrorCode::malformed, reason(impl_->handle));
    for (;;) {
        archive_entry* entry = nullptr;
        const int status = archive_read_next_header(impl_->handle, &entry);
        if (status == ARCHIVE_EOF) return std::optional<std::string>{};
        if (status == ARCHIVE_RETRY) continue;
        if (status == ARCHIVE_FATAL) return base::fail(base::ErrorCode::malformed, reason(impl_->handle));
        if (archive_format(impl_->handle) == ARCHIVE_FORMAT_RAW) return std::optional<std::string>{""};
        if (archive_entry_filetype(entry) != AE_IFREG || archive_entry_hardlink(entry) != nullptr) continue;
        const char* name = archive_entry_pathname(entry);
        return std::optional<std::string>{name == nullptr ? "unnamed" : name};
    }
}

base::Result<std::size_t> ArchiveReader::read(std::span<char> buffer) {
    const la_ssize_t got = archive_read_data(impl_->handle, buffer.data(), buffer.size());
    if (got < 0) return base::fail(base::ErrorCode::malformed, reason(impl_->handle));
    impl_->unpacked += static_cast<std::uint64_t>(got);
    if (impl_->unpacked > kFreeBytes + kMaxRatio * impl_->packed)
        return base::fail(base::ErrorCode::too_large, "the archive unpacks to more than 200 times its size");
    return static_cast<std::size_t>(got);
}

}  // namespace gpumedic::codec
