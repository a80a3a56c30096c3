#include "bundle/bundle.h"

#include <algorithm>
#include <map>
#include <optional>
#include <span>
#include <utility>

#include "bundle/content.h"
#include "bundle/encoding.h"
#include "bundle/line_splitter.h"
#include "bundle/section.h"
#include "bundle/text_file.h"

namespace gpumedic::bundle {
namespace {

// Larger chunks fall out of the L2 cache and are slower.
constexpr std::size_t kChunkBytes = std::size_t{128} * 1024;

/// Reads one open file to its end, or to the cap.
class FileReading {
public:
    FileReading(Output& output, ports::ByteSource& bytes, std::uint64_t max_bytes, std::vector<char>& buffer)
        : output_(output), bytes_(bytes), max_bytes_(max_bytes), buffer_(buffer) {}

    /// False when the very first read failed: then nothing was listed, and `error` says why.
    bool read(const std::string& name, const std::string& path, base::Error& error);

private:
    std::string_view fill(std::size_t wanted);
    void fill_head();
    void list_whole(const std::string& name, std::string outcome, std::string_view note, std::uint64_t malformed);
    void read_lines(const std::string& name, const std::string& path, ContentKind kind);
    [[nodiscard]] Ending ending() const;

    Output& output_;
    ports::ByteSource& bytes_;
    std::uint64_t max_bytes_;
    std::vector<char>& buffer_;
    std::uint64_t read_bytes_{0};
    std::size_t filled_{0};
    bool at_end_{false};
    bool capped_{false};
    bool skipped_nul_{false};
    std::optional<base::Error> error_;
};

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
    if (content.kind == ContentKind::packed) {
        list_whole(name, "unrecognised", content.note, 0);
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

class EvidenceReading {
public:
    EvidenceReading(ports::EvidenceTree& tree, const Options& options, const RecordSink& sink)
        : tree_(tree), options_(options), output_{sources_, sink, options.time}, buffer_(kChunkBytes) {}

    base::Result<std::vector<model::Source>> read(const std::vector<std::string>& arguments);

private:
    void list(const std::string& argument);
    void read_entry(const ports::EvidenceEntry& entry);
    void list_problem(const std::string& name, std::string outcome, const base::Error& error);
    [[nodiscard]] std::string shown_name(const ports::EvidenceEntry& entry) const;
    [[nodiscard]] base::Error nothing_readable() const;

    ports::EvidenceTree& tree_;
    const Options& options_;
    std::vector<model::Source> sources_;
    Output output_;
    std::vector<char> buffer_;
    std::vector<ports::EvidenceEntry> entries_;
    std::map<std::string, int> times_named_;
    std::vector<base::Error> refusals_;  // what keeps arguments and files from being read
    bool was_any_read_{false};
};

std::string outcome_of(base::ErrorCode code) { return code == base::ErrorCode::not_found ? "absent" : "denied"; }

void EvidenceReading::list(const std::string& argument) {
    auto listing = tree_.list(argument);
    if (!listing) {
        list_problem(argument, outcome_of(listing.error().code), listing.error());
        return;
    }
    for (const auto& problem : listing->problems) {
        using base::ErrorCode;
        const bool is_cap = problem.code == ErrorCode::too_large;
        const bool is_skipped = problem.code == ErrorCode::unreadable;
        list_problem(problem.where.empty() ? argument : problem.where,
                     is_cap       ? "truncated"
                     : is_skipped ? "unrecognised"
                                  : outcome_of(problem.code),
                     problem);
    }
    if (listing->entries.empty() && listing->problems.empty()) {
        was_any_read_ = true;
        model::Source empty_folder;
        empty_folder.name = argument;
        empty_folder.outcome = "empty";
        empty_folder.note = "a folder without files";
        sources_.push_back(std::move(empty_folder));
    }
    for (auto& entry : listing->entries) {
        if (entries_.size() >= options_.max_entries) {
            list_problem(argument, "truncated",
                         {base::ErrorCode::too_large, "more files than the cap: the rest was not read", argument, {}});
            return;
        }
        ++times_named_[entry.name];
        entries_.push_back(std::move(entry));
    }
}

void EvidenceReading::list_problem(const std::string& name, std::string outcome, const base::Error& error) {
    refusals_.push_back(error);
    if (refusals_.back().where.empty()) refusals_.back().where = name;
    model::Source source;
    source.name = name;
    source.outcome = std::move(outcome);
    source.note = error.what;
    sources_.push_back(std::move(source));
}

/// Two folders may both hold a kernel.log.
std::string EvidenceReading::shown_name(const ports::EvidenceEntry& entry) const {
    const auto found = times_named_.find(entry.name);
    return found != times_named_.end() && found->second > 1 ? entry.path : entry.name;
}

void EvidenceReading::read_entry(const ports::EvidenceEntry& entry) {
    const std::string name = shown_name(entry);
    auto opened = tree_.open(entry);
    if (!opened) {
        list_problem(name, outcome_of(opened.error().code), opened.error());
        return;
    }
    base::Error error;
    FileReading reading(output_, **opened, options_.max_source_bytes, buffer_);
    if (reading.read(name, entry.path, error)) {
        was_any_read_ = true;
    } else {
        list_problem(name, outcome_of(error.code), error);
    }
}

base::Error EvidenceReading::nothing_readable() const {
    base::Error all{base::ErrorCode::not_found, {}, {}, {}};
    for (const auto& refusal : refusals_) {
        if (refusal.code == base::ErrorCode::denied) all.code = base::ErrorCode::denied;
        all.what += (all.what.empty() ? "" : "; ") + refusal.where + ": " + refusal.what;
    }
    if (!refusals_.empty()) all.where = refusals_.front().where;
    if (refusals_.empty()) all.what = "no input was named";
    return all;
}

base::Result<std::vector<model::Source>> EvidenceReading::read(const std::vector<std::string>& arguments) {
    for (const auto& argument : arguments) list(argument);
    for (const auto& entry : entries_) read_entry(entry);
    if (!was_any_read_) return tl::make_unexpected(nothing_readable());
    return std::move(sources_);
}

}  // namespace

base::Result<std::vector<model::Source>> read_evidence(ports::EvidenceTree& tree,
                                                       const std::vector<std::string>& arguments,
                                                       const Options& options, const RecordSink& sink) {
    return EvidenceReading(tree, options, sink).read(arguments);
}

}  // namespace gpumedic::bundle
