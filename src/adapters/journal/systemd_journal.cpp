#include "adapters/journal/systemd_journal.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <systemd/sd-journal.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "adapters/journal/journal_files.h"
#include "base/text.h"
#include "codec/json_writer.h"

namespace gpumedic::adapters {
namespace {

using ports::JournalQuery;
using ports::JournalSummary;

// What of an entry our reader asks for; the rest of its twenty fields only takes room.
constexpr std::array<std::string_view, 8> kFields{"_BOOT_ID",          "_HOSTNAME", "_TRANSPORT", "PRIORITY",
                                                  "SYSLOG_IDENTIFIER", "_COMM",     "_PID",       "MESSAGE"};
constexpr std::uint64_t kOtherBytes = 240;                       // of a line, beside its message
constexpr std::uint64_t kMaxTailBytes = std::uint64_t{8} << 20;  // of a damaged file, held in memory

std::string reason(int status) { return std::generic_category().message(-status); }

struct CloseJournal {
    void operator()(sd_journal* handle) const { sd_journal_close(handle); }
};

/// Files that are read as one, and where in them the asked entries begin.
struct Stretch {
    std::vector<std::string> paths{};
    enum class Kind : std::uint8_t { nothing, whole, damaged } kind{Kind::nothing};
    std::string cursor{};
};

/// Pages of journal files that were looked at stay in the process until somebody else needs the memory; dropped now and
/// then, a walk through gigabytes holds a few megabytes. They are the kernel's copy of the file: nothing is lost.
void drop_pages() {
    std::ifstream maps("/proc/self/maps");
    for (std::string row; std::getline(maps, row);) {
        if (row.find(".journal") == std::string::npos) continue;
        const auto words = base::split_blanks(row);
        const auto [from, until] = base::split_once(words.front(), "-");
        const auto start = base::parse_number<std::uintptr_t>(from, 16);
        const auto end = base::parse_number<std::uintptr_t>(until, 16);
        if (!start || !end || words.size() < 2 || !words[1].ends_with('s')) continue;
        // The addresses are text in /proc/self/maps; shared mappings only.
        ::madvise(reinterpret_cast<void*>(*start), *end - *start, MADV_DONTNEED);  // NOLINT(*-no-int-to-ptr)
    }
}

/// Counts entries.
class PageBudget {
public:
    void entry() {
        if (++entries_ % kEntriesBetween == 0) drop_pages();
    }

private:
    static constexpr std::uint64_t kEntriesBetween = 4096;
    std::uint64_t entries_{0};
};

class Reading {
public:
    Reading(const JournalQuery& query, const ports::JournalSink& sink, JournalSummary& summary)
        : query_(query), sink_(sink), summary_(summary), bytes_left_(query.max_bytes) {}

    base::Result<void> read(const std::vector<std::string>& paths);

private:
    enum class Walk : std::uint8_t { done, file_lost };
    base::Result<void> open(const std::vector<std::string>& paths);
    void choose_boots();
    void match();
    void match_boots();
    Walk find_start(Stretch& stretch);
    std::vector<Stretch> one_by_one(std::vector<std::string> paths);
    bool give(const Stretch& stretch);
    bool give_damaged(const Stretch& stretch);
    bool hand_on(const std::string& text);
    [[nodiscard]] std::uint64_t usage() const;
    [[nodiscard]] bool is_before_since() const;
    [[nodiscard]] std::string line();
    void note_damage(const std::string& what);

    const JournalQuery& query_;
    const ports::JournalSink& sink_;
    JournalSummary& summary_;
    std::uint64_t bytes_left_;
    PageBudget pages_{};
    std::chrono::steady_clock::time_point walk_ends_{};
    std::unique_ptr<sd_journal, CloseJournal> handle_{};
    std::vector<std::string> boots_{};  // "_BOOT_ID=..." of the asked ones; empty: all
};

base::Result<void> Reading::open(const std::vector<std::string>& paths) {
    std::vector<const char*> names;
    for (const auto& path : paths) names.push_back(path.c_str());
    names.push_back(nullptr);
    sd_journal* handle = nullptr;
    const int status = sd_journal_open_files(&handle, names.data(), 0);
    if (status < 0) return base::fail(base::ErrorCode::unreadable, reason(status), paths.front());
    handle_.reset(handle);
    sd_journal_set_data_threshold(handle, std::size_t{64} * 1024);
    return {};
}

void Reading::note_damage(const std::string& what) {
    if (summary_.damaged++ == 0) summary_.damage = what;
}

/// libsystemd drops a file in which it meets damage and goes on without a word; that it did shows only here.
std::uint64_t Reading::usage() const {
    std::uint64_t bytes = 0;
    return sd_journal_get_usage(handle_.get(), &bytes) < 0 ? 0 : bytes;
}

/// The newest, by their last entry. The order of the ids says nothing.
void Reading::choose_boots() {
    if (query_.boots <= 0) return;
    std::vector<std::pair<std::uint64_t, std::string>> ends;
    if (sd_journal_query_unique(handle_.get(), "_BOOT_ID") < 0) return;
    const void* data = nullptr;
    std::size_t size = 0;
    std::vector<std::string> ids;
    while (sd_journal_enumerate_unique(handle_.get(), &data, &size) > 0)
        ids.emplace_back(static_cast<const char*>(data), size);
    for (auto& id : ids) {
        sd_journal_flush_matches(handle_.get());
        sd_journal_add_match(handle_.get(), id.data(), id.size());
        std::uint64_t last = 0;
        if (sd_journal_seek_tail(handle_.get()) < 0 || sd_journal_previous(handle_.get()) <= 0) continue;
        if (sd_journal_get_realtime_usec(handle_.get(), &last) >= 0) ends.emplace_back(last, std::move(id));
    }
    std::sort(ends.rbegin(), ends.rend());
    const auto count = std::min<std::size_t>(ends.size(), static_cast<std::size_t>(query_.boots));
    for (std::size_t i = 0; i < count; ++i) boots_.push_back(std::move(ends[i].second));
    summary_.boots = static_cast<int>(count);
}

void Reading::match_boots() {
    for (const auto& boot : boots_) sd_journal_add_match(handle_.get(), boot.data(), boot.size());
}

/// Matches of one field are alternatives, those of several must all hold; a disjunction begins anew.
void Reading::match() {
    sd_journal_flush_matches(handle_.get());
    const auto add = [this](const std::string& text) { sd_journal_add_match(handle_.get(), text.data(), text.size()); };
    match_boots();
    if (query_.origin == JournalQuery::Origin::kernel) return add("_TRANSPORT=kernel");
    for (const auto& program : query_.programs) add("_COMM=" + program);
    if (query_.programs.empty()) return;
    sd_journal_add_disjunction(handle_.get());
    match_boots();
    for (const auto& program : query_.programs) add("SYSLOG_IDENTIFIER=" + program);
}

bool Reading::is_before_since() const {
    std::uint64_t micros = 0;
    return query_.since && sd_journal_get_realtime_usec(handle_.get(), &micros) >= 0 &&
           micros < static_cast<std::uint64_t>(query_.since->count());
}

/// From the newest entry back to where the cap, the time or the files end: of a long journal the end counts.
Reading::Walk Reading::find_start(Stretch& stretch) {
    const auto usage_before = usage();
    std::uint64_t bytes = 0;
    if (sd_journal_seek_tail(handle_.get()) < 0) return Walk::done;
    const auto remember = [&] {
        char* cursor = nullptr;
        if (sd_journal_get_cursor(handle_.get(), &cursor) < 0) return;
        stretch.cursor = cursor;
        stretch.kind = Stretch::Kind::whole;
        std::free(cursor);  // NOLINT(*-no-malloc): sd-journal allocates it so
    };
    for (;;) {
        const int status = sd_journal_previous(handle_.get());
        if (status <= 0) break;
        pages_.entry();
        const void* data = nullptr;
        std::size_t size = 0;
        if (is_before_since()) break;
        if (sd_journal_get_data(handle_.get(), "MESSAGE", &data, &size) >= 0) bytes += size;
        bytes += kOtherBytes;
        if (bytes > bytes_left_ || std::chrono::steady_clock::now() > walk_ends_) {
            summary_.is_cut = true;
            break;
        }
        remember();
    }
    bytes_left_ -= std::min(bytes, bytes_left_);
    return usage() < usage_before ? Walk::file_lost : Walk::done;
}

/// With a damaged file among them each is walked by itself, the newest first, so that one damage hides one part of one
/// file. Given back in the order of time.
std::vector<Stretch> Reading::one_by_one(std::vector<std::string> paths) {
    bytes_left_ = query_.max_bytes;
    walk_ends_ = std::chrono::steady_clock::now() + query_.max_walk;
    std::vector<std::pair<std::uint64_t, std::string>> by_time;
    for (auto& path : paths) {
        std::uint64_t from = 0;
        std::uint64_t until = 0;
        if (!open({path}) || sd_journal_get_cutoff_realtime_usec(handle_.get(), &from, &until) < 0) continue;
        by_time.emplace_back(until, std::move(path));
    }
    std::sort(by_time.rbegin(), by_time.rend());
    std::vector<Stretch> found;
    for (auto& [until, path] : by_time) {
        if (!open({path})) continue;
        match();
        Stretch stretch{{path}, {}};
        const bool is_damaged = find_start(stretch) == Walk::file_lost;
        if (is_damaged) note_damage(path + ": part of it could not be read");
        if (is_damaged) stretch.kind = Stretch::Kind::damaged;
        if (stretch.kind != Stretch::Kind::nothing) found.push_back(std::move(stretch));
    }
    std::reverse(found.begin(), found.end());
    return found;
}

std::string Reading::line() {
    codec::JsonWriter json(codec::JsonWriter::Layout::compact);
    json.begin_object();
    std::uint64_t micros = 0;
    if (sd_journal_get_realtime_usec(handle_.get(), &micros) >= 0)
        json.member("__REALTIME_TIMESTAMP", fmt::format("{}", micros));
    std::array<bool, kFields.size()> seen{};
    const void* data = nullptr;
    std::size_t size = 0;
    sd_journal_restart_data(handle_.get());
    while (sd_journal_enumerate_available_data(handle_.get(), &data, &size) > 0) {
        const std::string_view field(static_cast<const char*>(data), size);
        const auto equals = field.find('=');
        if (equals == std::string_view::npos) continue;
        const auto known = std::find(kFields.begin(), kFields.end(), field.substr(0, equals));
        if (known == kFields.end()) continue;
        auto& is_seen = seen[static_cast<std::size_t>(known - kFields.begin())];
        if (!std::exchange(is_seen, true)) json.member(*known, field.substr(equals + 1));
    }
    if (!seen.back()) return {};  // without a message
    json.end_object();
    return json.take() + "\n";
}

/// False when nobody wants more.
bool Reading::hand_on(const std::string& text) {
    pages_.entry();
    if (text.empty()) return true;
    ++summary_.entries;
    summary_.bytes += text.size();
    return sink_(text);
}

bool Reading::give(const Stretch& stretch) {
    if (!open(stretch.paths)) return true;
    match();
    if (sd_journal_seek_cursor(handle_.get(), stretch.cursor.c_str()) < 0) return true;
    while (sd_journal_next(handle_.get()) > 0)
        if (!hand_on(line())) return false;
    return true;
}

/// Of a damaged file what stands before the damage is reached from its head, and what stands behind it from its end
/// only: a search for a place in between fails.
bool Reading::give_damaged(const Stretch& stretch) {
    std::vector<std::string> tail;
    std::uint64_t tail_bytes = 0;
    std::uint64_t tail_begins = ~std::uint64_t{0};
    if (!open(stretch.paths)) return true;
    match();
    if (sd_journal_seek_tail(handle_.get()) >= 0) {
        while (tail_bytes < kMaxTailBytes && sd_journal_previous(handle_.get()) > 0 && !is_before_since()) {
            sd_journal_get_realtime_usec(handle_.get(), &tail_begins);
            tail.push_back(line());
            tail_bytes += tail.back().size();
        }
    }
    if (!open(stretch.paths)) return true;
    match();
    if (sd_journal_seek_head(handle_.get()) < 0) return true;
    std::uint64_t micros = 0;
    while (sd_journal_next(handle_.get()) > 0) {
        if (sd_journal_get_realtime_usec(handle_.get(), &micros) >= 0 && micros >= tail_begins) break;
        if (is_before_since()) continue;
        if (summary_.bytes > query_.max_bytes) break;
        if (!hand_on(line())) return false;
    }
    return std::all_of(tail.rbegin(), tail.rend(), [this](const std::string& text) { return hand_on(text); });
}

base::Result<void> Reading::read(const std::vector<std::string>& paths) {
    if (auto opened = open(paths); !opened) return opened;
    choose_boots();
    match();
    walk_ends_ = std::chrono::steady_clock::now() + query_.max_walk;
    std::vector<Stretch> stretches{{paths, {}}};
    if (find_start(stretches.front()) == Walk::file_lost) stretches = one_by_one(paths);
    for (const auto& stretch : stretches) {
        if (stretch.kind == Stretch::Kind::whole && !give(stretch)) break;
        if (stretch.kind == Stretch::Kind::damaged && !give_damaged(stretch)) break;
    }
    return {};
}

base::Error nothing_usable(const journal::JournalFiles& files, const std::string& path) {
    if (files.nothing_there()) return {base::ErrorCode::not_found, "there is no journal", path, {}};
    if (files.denied > 0)
        return {base::ErrorCode::denied, "its files may not be read", path,
                "run as root, or join the group systemd-journal"};
    return {base::ErrorCode::unreadable, "damaged: " + files.damage, path, {}};
}

}  // namespace

base::Result<JournalSummary> SystemdJournal::read(const JournalQuery& query, const ports::JournalSink& sink) {
    const bool is_node = place_.kind == JournalPlace::Kind::node;
    std::string root = place_.path;
    while (is_node && root.ends_with('/')) root.pop_back();
    const auto files = is_node ? journal::files_of_node(root) : journal::files_at(place_.path);
    if (files.usable.empty()) return tl::make_unexpected(nothing_usable(files, place_.path));
    JournalSummary summary;
    summary.damaged = files.damaged;
    summary.damage = files.damage;
    Reading reading(query, sink, summary);
    if (auto done = reading.read(files.usable); !done) return tl::make_unexpected(done.error());
    // A user sees the own messages only: silence of the rest is no silence.
    if (summary.entries == 0 && files.denied > 0)
        return tl::make_unexpected(nothing_usable({{}, files.denied, 0, {}}, place_.path));
    return summary;
}

}  // namespace gpumedic::adapters
