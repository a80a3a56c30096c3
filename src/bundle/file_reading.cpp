#include "bundle/file_reading.h"

#include <algorithm>
#include <span>
#include <utility>

#include "base/text.h"
#include "bundle/encoding.h"
#include "bundle/line_splitter.h"
#include "bundle/text_file.h"
#include "codec/archive.h"

namespace gpumedic::bundle {
namespace {

constexpr int kMaxDepth = 3;
constexpr std::uint64_t kMaxEntries = 100'000;

/// The current file of an archive.
class ArchivedFile final : public ports::ByteSource {
public:
    explicit ArchivedFile(codec::ArchiveReader& archive) : archive_(archive) {}
    base::Result<std::size_t> read(std::span<char> buffer) override {
        auto got = archive_.read(buffer);
        failed_ = !got.has_value();
        return got;
    }
    [[nodiscard]] bool failed() const { return failed_; }

private:
    codec::ArchiveReader& archive_;
    bool failed_{false};
};

/// Nothing is written, so such a name harms nobody here; a bundle that holds one was not made by a collector.
bool leaves_archive(std::string_view name) {
    if (name.starts_with('/')) return true;
    const auto parts = base::split(name, '/');
    return std::ranges::find(parts, "..") != parts.end();
}

}  // namespace

/// Reads until the buffer holds at least `wanted` bytes or the source ends.
std::string_view FileReading::fill(std::size_t wanted) {
    while (!at_end_ && filled_ < wanted) {
        const std::uint64_t left = max_bytes_ - std::min(read_bytes_, max_bytes_);
        if (left == 0) {
            capped_ = at_end_ = true;
            break;
        }
        const std::size_t room = static_cast<std::size_t>(std::min<std::uint64_t>(buffer_.size() - filled_, left));
        auto got = bytes_.read(std::span(buffer_).subspan(filled_, room));
        if (!got) {
            error_ = std::move(got.error());
            at_end_ = true;
        } else if (*got == 0) {
            at_end_ = true;
        } else {
            filled_ += std::min(*got, room);
            read_bytes_ += std::min(*got, room);
        }
    }
    return {buffer_.data(), filled_};
}

/// A hole of NUL bytes at the start (a log that was emptied while its writer ran) is stepped over.
void FileReading::fill_head() {
    for (;;) {
        const std::string_view head = fill(kContentHeadBytes);
        const std::size_t hole = std::min(head.find_first_not_of('\0'), head.size());
        if (hole == 0) return;
        skipped_nul_ = true;
        std::copy(buffer_.begin() + static_cast<std::ptrdiff_t>(hole),
                  buffer_.begin() + static_cast<std::ptrdiff_t>(filled_), buffer_.begin());
        filled_ -= hole;
    }
}

bool FileReading::read(const std::string& name, const std::string& path, base::Error& error) {
    fill_head();
    if (error_ && read_bytes_ == 0) {
        error = *error_;
        return false;
    }
    const Content content = classify_content({buffer_.data(), filled_});
    if (content.kind == ContentKind::closed) {
        list_whole(name, "unrecognised", content.note, 0);
    } else if (content.kind == ContentKind::packed && depth_ >= kMaxDepth) {
        list_whole(name, "unrecognised", "archives within archives, too deep to read", 0);
    } else if (content.kind == ContentKind::packed) {
        read_archive(name, path);
    } else if (content.kind == ContentKind::empty && error_) {
        list_whole(name, "truncated", ending().note, 0);
    } else if (content.kind == ContentKind::empty) {
        list_whole(name, skipped_nul_ ? "binary" : "empty", skipped_nul_ ? "nothing but NUL bytes" : "",
                   skipped_nul_ ? 1 : 0);
    } else {
        read_lines(name, path, content.kind);
    }
    return true;
}

void FileReading::list_whole(const std::string& name, std::string outcome, std::string_view note,
                             std::uint64_t malformed) {
    model::Source source;
    source.name = name;
    source.outcome = std::move(outcome);
    source.note = note;
    source.malformed = malformed;
    if (malformed > 0) source.malformed_at.push_back(name + ":1: not text");
    output_.sources.push_back(std::move(source));
}

Ending FileReading::ending() const {
    if (error_) return {"truncated", "reading stopped: " + error_->what};
    if (capped_) return {"truncated", "only the first " + std::to_string(max_bytes_) + " bytes were read"};
    return {};
}

/// One archive's files in their order. What is damaged or beyond a cap ends it, named; what was read before counts.
void FileReading::read_archive(const std::string& name, const std::string& path) {
    bool head_given = false;
    codec::ArchiveReader archive([&]() -> std::string_view {
        if (std::exchange(head_given, true)) {
            filled_ = 0;
            return fill(1);
        }
        return {buffer_.data(), filled_};
    });
    std::vector<char> buffer(kChunkBytes);
    for (std::uint64_t files = 0;; ++files) {
        auto entry = archive.next();
        if (!entry) {
            const bool cut = files > 0 || base::contains_ignoring_case(entry.error().what, "truncated");
            return list_whole(name, cut ? "truncated" : "unrecognised", "archive: " + entry.error().what, 0);
        }
        if (!*entry) return files == 0 ? list_whole(name, "empty", "an archive without files", 0) : void();
        if (files >= kMaxEntries)
            return list_whole(name, "truncated", "more files in the archive than the cap: the rest was not read", 0);
        const std::string inner = (*entry)->empty() ? name : name + "/" + **entry;
        if (leaves_archive(**entry)) {
            list_whole(inner, "unrecognised", "the entry's path leaves the archive: not read", 0);
            continue;
        }
        ArchivedFile bytes(archive);
        base::Error error;
        if (!FileReading(output_, bytes, max_bytes_, buffer, depth_ + 1).read(inner, path, error))
            list_whole(inner, "truncated", error.what, 0);
        if (bytes.failed()) return;
    }
}

void FileReading::read_lines(const std::string& name, const std::string& path, ContentKind kind) {
    const bool is_binary = kind == ContentKind::binary;
    TextFile file(output_, {name, path, {}, is_binary ? SectionFacts::Content::binary : SectionFacts::Content::text});
    LineSplitter splitter(is_binary ? LineSplitter::NulBytes::keep : LineSplitter::NulBytes::drop,
                          [&file](const Line& line) { file.line(line); });
    if (skipped_nul_) splitter.mark_nul();
    const EncodingMark mark = is_binary ? EncodingMark{} : detect_encoding({buffer_.data(), filled_});
    std::optional<Utf16Decoder> decoder;
    if (mark.encoding != Encoding::utf8) decoder.emplace(mark.encoding);
    std::string decoded;
    const auto feed = [&](std::string_view chunk) {
        if (!decoder) return splitter.feed(chunk);
        decoded.clear();
        decoder->decode(chunk, decoded);
        splitter.feed(decoded);
    };
    feed(std::string_view(buffer_.data(), filled_).substr(mark.length));
    do {
        filled_ = 0;
        feed(fill(1));
    } while (!at_end_);
    if (decoder) {
        decoded.clear();
        decoder->finish(decoded);
        splitter.feed(decoded);
    }
    splitter.finish();
    file.finish(ending());
    if (!file.has_sections()) list_whole(name, ending().outcome.empty() ? "empty" : ending().outcome, ending().note, 0);
}

}  // namespace gpumedic::bundle
