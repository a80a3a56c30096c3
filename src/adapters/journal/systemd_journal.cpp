#include "adapters/journal/systemd_journal.h"

#include <fmt/format.h>
#include <systemd/sd-journal.h>

#include <algorithm>
#include <array>
#include <memory>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "adapters/journal/journal_files.h"
#include "codec/json_writer.h"

namespace gpumedic::adapters {
namespace {

using ports::JournalQuery;
using ports::JournalSummary;

// What of an entry our reader asks for; the rest of its twenty fields only takes room.
constexpr std::array<std::string_view, 8> kFields{"_BOOT_ID",          "_HOSTNAME", "_TRANSPORT", "PRIORITY",
                                                  "SYSLOG_IDENTIFIER", "_COMM",     "_PID",       "MESSAGE"};
constexpr std::uint64_t kOtherBytes = 240;  // of a line, beside its message
constexpr std::string_view kMessage = "MESSAGE=";

std::string reason(int status) { return std::generic_category().message(-status); }

struct CloseJournal {
    void operator()(sd_journal* handle) const { sd_journal_close(handle); }
};

class Reading {
public:
    Reading(const JournalQuery& query, const ports::JournalSink& sink, JournalSummary& summary)
        : query_(query), sink_(sink), summary_(summary) {}

    base::Result<void> open(const std::vector<std::string>& paths);
    void read();

private:
    void choose_boots();
    void match();
    void match_boots();
    bool go_to_start();
    [[nodiscard]] bool is_before_since() const;
    [[nodiscard]] std::string line();
    void note_damage(int status);

    const JournalQuery& query_;
    const ports::JournalSink& sink_;
    JournalSummary& summary_;
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

void Reading::note_damage(int status) {
    if (summary_.damaged++ == 0) summary_.damage = reason(status);
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

/// From the newest entry back to where the cap is reached: of a long journal the end counts. True when there is an
/// entry to begin with; the journal stands on it.
bool Reading::go_to_start() {
    std::uint64_t bytes = 0;
    bool any = false;
    if (sd_journal_seek_tail(handle_.get()) < 0) return false;
    for (;;) {
        const int status = sd_journal_previous(handle_.get());
        if (status < 0) note_damage(status);
        if (status <= 0) break;
        const void* data = nullptr;
        std::size_t size = 0;
        if (sd_journal_get_data(handle_.get(), "MESSAGE", &data, &size) >= 0) bytes += size;
        bytes += kOtherBytes;
        if (is_before_since()) {
            return any && sd_journal_next(handle_.get()) > 0;
        }
        if (bytes > query_.max_bytes) {
            summary_.is_cut = true;
            return any && sd_journal_next(handle_.get()) > 0;
        }
        any = true;
    }
    return any && sd_journal_seek_head(handle_.get()) >= 0 && sd_journal_next(handle_.get()) > 0;
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

void Reading::read() {
    choose_boots();
    match();
    if (!go_to_start()) return;
    for (;;) {
        if (const std::string text = line(); !text.empty()) {
            ++summary_.entries;
            summary_.bytes += text.size();
            if (!sink_(text)) return;
        }
        const int status = sd_journal_next(handle_.get());
        if (status < 0) note_damage(status);
        if (status <= 0) return;
    }
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
    if (auto opened = reading.open(files.usable); !opened) return tl::make_unexpected(opened.error());
    reading.read();
    // A user sees the own messages only: silence of the rest is no silence.
    if (summary.entries == 0 && files.denied > 0)
        return tl::make_unexpected(nothing_usable({{}, files.denied, 0, {}}, place_.path));
    return summary;
}

}  // namespace gpumedic::adapters
