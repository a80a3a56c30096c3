#include "collect/journal_tree.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <optional>
#include <string_view>
#include <utility>

#include "collect/item_stream.h"

namespace gpumedic::collect {
namespace {

constexpr std::string_view kMagic = "LPKSHHRH";
constexpr std::uint64_t kMaxBytes = std::uint64_t{1} << 30;
constexpr std::chrono::minutes kDeadline{5};

/// The bytes that were looked at, then the rest of the source.
class PeekedSource final : public ports::ByteSource {
public:
    PeekedSource(std::string head, std::unique_ptr<ports::ByteSource> rest)
        : head_(std::move(head)), rest_(std::move(rest)) {}
    base::Result<std::size_t> read(std::span<char> buffer) override {
        if (head_.empty()) return rest_->read(buffer);
        const auto count = std::min(buffer.size(), head_.size());
        std::copy_n(head_.data(), count, buffer.data());
        head_.erase(0, count);
        return count;
    }

private:
    std::string head_;
    std::unique_ptr<ports::ByteSource> rest_;
};

/// A spool with what it was cut for at its end: an error there makes a source truncated, and says why.
class SpooledSource final : public ports::ByteSource {
public:
    SpooledSource(std::unique_ptr<ports::Spool> spool, std::optional<base::Error> ending)
        : spool_(std::move(spool)), bytes_(spool_->open()), ending_(std::move(ending)) {}
    base::Result<std::size_t> read(std::span<char> buffer) override {
        auto count = bytes_->read(buffer);
        if (count && *count == 0 && ending_) return tl::make_unexpected(*ending_);
        return count;
    }

private:
    std::unique_ptr<ports::Spool> spool_;
    std::unique_ptr<ports::ByteSource> bytes_;
    std::optional<base::Error> ending_;
};

/// In the process of its own: the lines, then what is to be said of them.
int write_journal(ports::Journal& journal, ports::ProbeOutput& output) {
    ItemWriter out(output);
    ports::JournalQuery query{
        .origin = ports::JournalQuery::Origin::programs, .boots = 0, .max_bytes = kMaxBytes, .max_walk = kDeadline / 4};
    const auto done = journal.read(query, [&out](std::string_view line) { return out.data(line); });
    if (!done) return out.note(Outcome::failed, done.error().what) ? 0 : 1;
    if (done->is_cut) return out.note(Outcome::truncated, "older entries were left out") ? 0 : 1;
    if (done->damaged > 0) return out.note(Outcome::truncated, "damaged: " + done->damage) ? 0 : 1;
    return 0;
}

}  // namespace

base::Result<std::unique_ptr<ports::ByteSource>> JournalTree::open(const ports::EvidenceEntry& entry) {
    auto opened = inner_->open(entry);
    if (!opened) return opened;
    std::string head(kMagic.size(), '\0');
    std::size_t filled = 0;
    while (filled < head.size()) {
        const auto count = (*opened)->read({head.data() + filled, head.size() - filled});
        if (!count && filled == 0) return tl::make_unexpected(count.error());
        if (!count || *count == 0) break;
        filled += *count;
    }
    head.resize(filled);
    if (head != kMagic || entry.path == "-") return std::make_unique<PeekedSource>(std::move(head), std::move(*opened));
    return read_journal(entry.path);
}

base::Result<std::unique_ptr<ports::ByteSource>> JournalTree::read_journal(const std::string& path) {
    auto spool = spools_->make();
    const auto journal = journals_(path);
    std::optional<base::Error> ending;
    const auto say = [&](std::string what) {
        if (!ending) ending = base::Error{base::ErrorCode::unreadable, std::move(what), path, {}};
    };
    ItemDecoder decoder({[](std::string_view) {},
                         [&](std::string_view bytes) {
                             if (auto kept = spool->append(bytes); !kept) say(kept.error().what);
                         },
                         [](Outcome, std::string_view) {},
                         [&](Outcome, std::string_view why) { say(std::string(why)); }});
    const ports::ProbeLimits limits{.deadline = kDeadline, .max_bytes = 2 * kMaxBytes};
    const auto result =
        probe_->run_task([&journal](ports::ProbeOutput& output) { return write_journal(*journal, output); }, limits,
                         [&decoder](std::string_view piece) { decoder.feed(piece); }, {});
    if (result.end == ports::ProbeEnd::signalled)
        say(fmt::format("damaged: reading it ended with signal {}", result.code));
    else if (result.end != ports::ProbeEnd::exited)
        say("it was not read to its end");
    if (spool->size() == 0 && ending) return tl::make_unexpected(*ending);
    return std::make_unique<SpooledSource>(std::move(spool), std::move(ending));
}

}  // namespace gpumedic::collect
