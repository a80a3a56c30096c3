#include "evidence/log_lines/log_lines.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>
#include <vector>

#include "base/text.h"
#include "evidence/log_lines/header_forms.h"
#include "evidence/log_lines/journal_entry.h"
#include "evidence/log_lines/json_log.h"
#include "evidence/log_lines/line_text.h"
#include "evidence/log_lines/prose.h"
#include "evidence/log_lines/recognise.h"

namespace gpumedic::evidence {
namespace {

using model::Record;
using model::RecordType;

constexpr std::size_t kRepeatedWords = 80;  // where "message repeated" may stand

class LogLinesReader final : public ports::Reader {
public:
    LogLinesReader(const ports::ReadContext& context, ports::RecordSink sink)
        : time_(context.time),
          sink_(std::move(sink)),
          bare_type_(prints_bare_kernel_lines(context.command) ? RecordType::kernel : RecordType::text),
          boots_back_(boots_back(context.command)) {}

    void line(std::string_view raw, std::uint64_t number) override {
        std::string_view text = raw;
        if (number == 1 && text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
        if (text.starts_with('\0')) {
            text = without_leading_nuls(text);
            stats_.count_malformed(number, "NUL bytes, as a crash leaves them in a log file");
        }
        text = without_colours(text, uncoloured_);
        record_.line = number;
        record_.raw = raw;
        if (block_line(text, number)) return;
        text = without_collector_prefix(text);
        if (parse_line_header(text, time_, header_)) return header_line();
        if (text.starts_with('{') && looks_like_journal_json(text)) return json_line(text, number);
        if (text.starts_with('{') && looks_like_json_log(text)) return json_log_line(text, number);
        headerless_line(text, number);
    }

    void finish() override {
        end_block();
        // "journalctl -b -1" prints a boot that is over.
        header_ = LineHeader{};
        for (int boot = 0; boot < boots_back_ && stats_.records > 0; ++boot) {
            boot_begins_ = true;
            deliver_boot_mark();
        }
    }

    [[nodiscard]] const ports::ReadStats& stats() const override { return stats_; }

private:
    void header_line() {
        if (header_.time && !header_.time->has_year) turn_year(*header_.time);
        deliver_boot_mark();
        set_record(header_.message);
        may_continue_ = true;
        after_kmsg_ = header_.form == MessageForm::kmsg_escaped;
        if (after_kmsg_ && base::contains(header_.message, "\\x"))
            return deliver_lines(unescaped_kmsg(header_.message));
        if (header_.type == RecordType::syslog && looks_like_logfmt(header_.message)) {
            logfmt_ = logfmt_text(header_.message);
            record_.text = logfmt_;
        }
        if (base::contains(record_.text.substr(0, kRepeatedWords), "message repeated ")) return repeated_line();
        last_text_ = record_.text;
        deliver();
    }

    /// What a syslog daemon folded counts as often as it was said. "last message repeated" means the line above,
    /// whoever of the host's programs said it.
    void repeated_line() {
        const auto repeated = parse_repeated(record_.text);
        if (!repeated) return deliver();
        if (!repeated->text.empty()) last_text_ = repeated->text;
        if (last_text_.empty()) return deliver();
        if (header_.type == RecordType::kernel || !repeated->text.empty() || last_type_ != RecordType::kernel) {
            record_.text = last_text_;
        } else {
            record_.type = RecordType::kernel;
            record_.fields.clear();
            record_.text = last_text_;
        }
        record_.fields.push_back({"repeated", std::to_string(repeated->times)});
        deliver();
    }

    /// A log that goes on from December to January has times of two years; lines that are merely out of order are days
    /// apart.
    void turn_year(base::Timestamp& time) {
        constexpr std::chrono::hours kHalfYear{24 * 183};
        if (last_yearless_ && *last_yearless_ - time.value > kHalfYear) ++years_passed_;
        if (last_yearless_ && time.value - *last_yearless_ > kHalfYear && years_passed_ > 0) --years_passed_;
        last_yearless_ = time.value;
        if (years_passed_ != 0) time = base::shifted_by_years(time, years_passed_);
    }

    /// Everything but line and raw, from header_. The host is copied: continuation lines use it when this line is gone.
    void set_record(std::string_view text) {
        record_.type = header_.type;
        record_.time = header_.time;
        if (host_ != header_.host) host_ = header_.host;
        record_.host = host_;
        record_.text = text;
        record_.fields.clear();
        if (header_.type == RecordType::kernel) {
            if (header_.priority >= 0)
                record_.fields.push_back({"priority", std::string{priority_name(header_.priority)}});
            return;
        }
        if (!header_.program.empty()) record_.fields.push_back({"program", std::string{header_.program}});
        if (!header_.pid.empty()) record_.fields.push_back({"pid", std::string{header_.pid}});
    }

    /// What stands above belongs to an earlier boot. The kernel's own first line says the same.
    void deliver_boot_mark() {
        if (!std::exchange(boot_begins_, false) || header_.message.starts_with("Linux version ")) return;
        Record mark;
        mark.type = RecordType::kernel;
        mark.line = record_.line;
        mark.time = header_.time;
        mark.host = header_.host;
        mark.text = "-- Boot --";
        mark.raw = mark.text;
        ++stats_.records;
        sink_(mark);
    }

    /// Entries of other boots may follow in any order where files were merged: only a new boot is one.
    void see_boot(const std::string& boot) {
        constexpr std::size_t kMaxBoots = 64;
        if (boot.empty() || std::find(boots_.begin(), boots_.end(), boot) != boots_.end()) return;
        boot_begins_ = !boots_.empty();
        if (boots_.size() < kMaxBoots) boots_.push_back(boot);
    }

    void deliver() {
        ++stats_.records;
        last_type_ = record_.type;
        sink_(record_);
    }

    /// One record for each line of a message that holds several: patterns are made for single lines.
    void deliver_lines(std::string_view message) {
        while (!message.empty()) {
            const auto [first, rest] = base::split_once(message, "\n");
            record_.text = base::trim(first);
            if (!record_.text.empty()) deliver();
            message = rest;
        }
    }

    void deliver_entry(const JournalEntry& entry) {
        header_ = LineHeader{};
        set_program(entry.program, entry.message, header_);
        header_.time = entry.time;
        header_.host = entry.host;
        header_.pid = entry.pid;
        header_.priority = entry.priority;
        see_boot(entry.boot);
        deliver_boot_mark();
        set_record(header_.message);
        deliver_lines(header_.message);
        may_continue_ = false;
    }

    void json_line(std::string_view text, std::uint64_t number) {
        if (const auto entry = parse_journal_json(text)) return deliver_entry(*entry);
        stats_.count_malformed(number, "a journal entry that is no complete JSON object");
        deliver_bare(text, RecordType::text);  // a cut line may still hold the words that matter
    }

    void json_log_line(std::string_view text, std::uint64_t number) {
        const auto entry = parse_json_log(text, time_);
        if (!entry) {
            stats_.count_malformed(number, "a JSON line that is not complete");
            return deliver_bare(text, RecordType::text);
        }
        // Docker's and fluentd's objects hold another program's line.
        const bool has_form = parse_line_header(entry->message, time_, header_) && header_.type != RecordType::text;
        if (!has_form) {
            header_ = LineHeader{};
            set_program(entry->program, entry->message, header_);
            header_.priority = entry->priority;
        }
        const bool time_is_weak =
            !header_.time || header_.time->clock == base::Timestamp::Clock::boot || !header_.time->has_year;
        if (entry->time && time_is_weak) header_.time = entry->time;
        if (header_.host.empty()) header_.host = entry->host;
        set_record(header_.message);
        deliver_lines(header_.message);
        may_continue_ = false;
    }

    /// journalctl -o export; true when the line was part of a block.
    bool block_line(std::string_view text, std::uint64_t number) {
        if (!block_.open()) return text.starts_with("__") && block_.add(text, number);
        if (!text.empty()) return block_.add(text, number);
        end_block();
        return true;
    }

    void end_block() {
        const auto number = block_.message_line();
        const auto entry = block_.take();
        if (!entry) return;
        record_.line = number;
        record_.raw = block_.raw();
        deliver_entry(*entry);
    }

    void headerless_line(std::string_view text, std::uint64_t number) {
        const auto content = base::trim(text);
        if (content.empty()) return;
        if (is_boot_mark(content)) {
            boot_begins_ = true;
            may_continue_ = after_kmsg_ = false;
            return;
        }
        const bool indented = text.front() == ' ' || text.front() == '\t';
        if (indented && after_kmsg_ && is_kmsg_property(content)) return;
        if (is_binary(content)) {
            stats_.count_malformed(number, "bytes that are no text");
            return;
        }
        // The driver's longer messages hold newlines, and not every tool indents what follows one.
        const bool driver_goes_on = record_.type == RecordType::kernel && text.starts_with("NVRM: ");
        if (may_continue_ && (indented || driver_goes_on)) {
            record_.text = content;
            return deliver();
        }
        deliver_bare(content, bare_type_);
    }

    void deliver_bare(std::string_view text, RecordType type) {
        may_continue_ = after_kmsg_ = false;
        header_ = LineHeader{};
        header_.type = type;
        set_record(text);
        if (type == RecordType::text) record_.fields = prose_fields(text);
        deliver();
    }

    base::TimeContext time_;
    ports::RecordSink sink_;
    RecordType bare_type_;
    int boots_back_;
    ports::ReadStats stats_{};
    Record record_{};
    LineHeader header_{};
    JournalBlock block_{};
    std::string host_{};
    std::optional<std::chrono::microseconds> last_yearless_{};  // as it was read, in the context's year
    int years_passed_{0};
    std::string logfmt_{};
    std::string last_text_{};  // of the line above, for "last message repeated"
    RecordType last_type_{RecordType::text};
    std::string uncoloured_{};
    std::vector<std::string> boots_{};  // ids that entries of the journal named
    bool boot_begins_{false};
    bool may_continue_{false};  // record_ describes a line that indented lines continue
    bool after_kmsg_{false};
};

std::unique_ptr<ports::Reader> make_reader(const ports::ReadContext& context, ports::RecordSink sink) {
    return std::make_unique<LogLinesReader>(context, std::move(sink));
}

}  // namespace

ports::ReaderKind log_lines_kind() { return {"kernel log", &recognise_log, &make_reader}; }

ports::ReaderKind text_lines_kind() { return {"text", &recognise_text, &make_reader}; }

}  // namespace gpumedic::evidence
