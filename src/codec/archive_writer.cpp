#include "codec/archive_writer.h"

#include <archive.h>
#include <archive_entry.h>

#include <optional>
#include <utility>

namespace gpumedic::codec {

struct ArchiveWriter::Impl {
    Impl(Form form, PackedOutput target) : output(std::move(target)), handle(archive_write_new()) {
        archive_write_set_format_pax_restricted(handle);
        if (form == Form::tar_zst) archive_write_add_filter_zstd(handle);
        if (form == Form::tar_gz) archive_write_add_filter_gzip(handle);
        archive_write_set_bytes_in_last_block(handle, 1);
    }
    Impl(const Impl&) = delete;
    Impl& operator=(const Impl&) = delete;
    ~Impl() {
        // Freeing writes the end of an archive that has failed or was given up: nobody takes it.
        abandoned = true;
        archive_write_free(handle);
    }

    /// Never an error to libarchive: after one its filters do not free what they hold. The refusal is ours to tell.
    static la_ssize_t push(archive* /*handle*/, void* self, const void* bytes, std::size_t size) {
        auto& impl = *static_cast<Impl*>(self);
        if (!impl.abandoned && !impl.refusal) {
            auto taken = impl.output({static_cast<const char*>(bytes), size});
            if (!taken) impl.refusal = taken.error();
        }
        return static_cast<la_ssize_t>(size);
    }

    base::Result<void> checked(la_ssize_t status) {
        if (refusal) return tl::make_unexpected(*refusal);
        if (status >= ARCHIVE_WARN) return {};
        const char* text = archive_error_string(handle);
        return base::fail(base::ErrorCode::unreadable, text == nullptr ? "cannot write the archive" : text);
    }

    PackedOutput output;
    archive* handle;
    std::optional<base::Error> refusal{};
    bool opened{false};
    bool abandoned{false};
};

ArchiveWriter::ArchiveWriter(Form form, PackedOutput output) : impl_(std::make_unique<Impl>(form, std::move(output))) {}
ArchiveWriter::~ArchiveWriter() = default;
ArchiveWriter::ArchiveWriter(ArchiveWriter&&) noexcept = default;
ArchiveWriter& ArchiveWriter::operator=(ArchiveWriter&&) noexcept = default;

base::Result<void> ArchiveWriter::begin(const std::string& name, std::uint64_t size, std::int64_t time) {
    if (!impl_->opened) {
        impl_->opened = true;
        auto opened = impl_->checked(archive_write_open(impl_->handle, impl_.get(), nullptr, &Impl::push, nullptr));
        if (!opened) return opened;
    }
    archive_entry* entry = archive_entry_new();
    archive_entry_set_pathname(entry, name.c_str());
    archive_entry_set_filetype(entry, AE_IFREG);
    archive_entry_set_perm(entry, 0644);
    archive_entry_set_size(entry, static_cast<la_int64_t>(size));
    archive_entry_set_mtime(entry, time, 0);
    const int status = archive_write_header(impl_->handle, entry);
    archive_entry_free(entry);
    return impl_->checked(status);
}

base::Result<void> ArchiveWriter::write(std::string_view bytes) {
    while (!bytes.empty()) {
        const la_ssize_t taken = archive_write_data(impl_->handle, bytes.data(), bytes.size());
        if (auto kept = impl_->checked(taken); !kept || taken == 0) return kept;
        bytes.remove_prefix(static_cast<std::size_t>(taken));
    }
    return {};
}

base::Result<void> ArchiveWriter::finish() { return impl_->checked(archive_write_close(impl_->handle)); }

bool parse_archive_form(std::string_view path, ArchiveWriter::Form& form) {
    using Form = ArchiveWriter::Form;
    for (const auto& [ending, value] : {std::pair{std::string_view(".tar.zst"), Form::tar_zst},
                                        {".tzst", Form::tar_zst},
                                        {".tar.gz", Form::tar_gz},
                                        {".tgz", Form::tar_gz},
                                        {".tar", Form::tar}}) {
        if (!path.ends_with(ending)) continue;
        form = value;
        return true;
    }
    return false;
}

}  // namespace gpumedic::codec
