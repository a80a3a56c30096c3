#include "bundle/section.h"

#include <algorithm>
#include <array>
#include <tuple>
#include <utility>

#include "base/text.h"
#include "bundle/bare_lines.h"
#include "bundle/prompt.h"

namespace gpumedic::bundle {
namespace {

constexpr std::size_t kHeadBytes = 64 * 1024;
constexpr int kSureScore = 50;   // enough to take a block from the reader before
constexpr int kOthersLine = 80;  // a single line that is surely another reader's
constexpr std::size_t kMaxCommandInName = 100;

bool is_blank(std::string_view text) { return base::trim(text).empty(); }

std::string name_of(const SectionFacts& facts) {
    const std::string& title = facts.title.empty() ? facts.command : facts.title;
    if (title.empty()) return facts.file;
    std::string command = base::printable(title);
    if (command.size() > kMaxCommandInName) {
        std::size_t end = kMaxCommandInName;
        while (end > 0 && (static_cast<unsigned char>(command[end]) & 0xC0) == 0x80) --end;
        command.resize(end);
        command += "...";
    }
    return facts.file + " (" + command + ")";
}

/// Up to the first blank line after something.
std::string_view first_block(std::string_view text) {
    std::size_t end = 0;
    bool started = false;
    while (end < text.size()) {
        const std::size_t line_end = std::min(text.find('\n', end), text.size());
        const bool blank = is_blank(text.substr(end, line_end - end));
        if (blank && started) break;
        started = started || !blank;
        end = std::min(line_end + 1, text.size());
    }
    return text.substr(0, end);
}

/// Sentences: what a person wrote above what was pasted. A remark of a line ("collected on gpu-a") is none.
bool is_prose(std::string_view block) {
    constexpr std::size_t kManyWords = 6;
    const auto words = base::split_blanks(block);
    const bool has_listing_marks = block.find_first_of("|={}<>") != std::string_view::npos;
    const bool is_sentence =
        base::contains(block, ". ") || base::contains(block, ", ") || base::trim_right(block).ends_with('.');
    const bool beyond_ascii =
        std::any_of(block.begin(), block.end(), [](char c) { return static_cast<unsigned char>(c) >= 0x80; });
    return words.size() >= kManyWords && !has_listing_marks && (is_sentence || beyond_ascii);
}

/// A kernel message with its header, amid a listing that somebody pasted without a blank line.
bool may_be_kernel_line(std::string_view line) {
    return base::contains(line.substr(0, 200), " kernel: ") ||
           (line.size() > 14 && line.front() == '[' && (line[1] == ' ' || (line[1] >= '0' && line[1] <= '9')));
}

/// Their silence is evidence.
bool asks_about_gpus(std::string_view command) {
    constexpr std::array<std::string_view, 5> kTools{"nvidia-smi", "lspci", "dmesg", "dcgmi", "ipmitool"};
    const auto tool = base::split_once(command, " ").first;
    // "lspci -d 10b5:*" asks for another vendor's devices.
    if (tool == "lspci" && base::contains(command, " -d") && !base::contains(command, "10de")) return false;
    return std::find(kTools.begin(), kTools.end(), tool) != kTools.end();
}

}  // namespace

struct Section::Part {
    std::uint32_t source{};
    bool is_shared{false};  // `source` belongs to another section
    const TableRow* row{};  // null: nothing delivered yet
    std::unique_ptr<ports::Reader> reader{};
    VantageClues vantage{};
    std::uint64_t records{};
    std::uint64_t typed_records{};  // of a form that was recognised, not bare text
    std::uint64_t kernel_records{};
    BareLines bare{};
    ports::ReadStats damage{};  // of finished readers, and damaged lines
};

Section::Section(Output& output, SectionFacts facts)
    : output_(output), facts_(std::move(facts)), effective_(effective_command(facts_.command)) {
    if (!content_decides(effective_)) recognised_by_ = effective_;
    parts_.push_back(std::make_unique<Part>());
}

Section::~Section() = default;

std::uint32_t Section::source() const { return parts_.front()->source; }

void Section::list_own_source() {
    Part& own = *parts_.front();
    own.is_shared = facts_.shared_source && current_ == &plain_text_row() && !asks_about_gpus(effective_);
    own.source = own.is_shared ? *facts_.shared_source : list_source(name_of(facts_));
}

std::uint32_t Section::list_source(const std::string& name) {
    output_.sources.push_back({});
    output_.sources.back().name = name;
    return static_cast<std::uint32_t>(output_.sources.size() - 1);
}

ports::Head Section::head_of(std::string_view text) const { return {text.substr(0, kHeadBytes), recognised_by_}; }

void Section::line(std::string_view text, std::uint64_t number) {
    const bool blank = is_blank(text);
    has_content_ = has_content_ || !blank;
    switch (state_) {
        case State::head:
            waiting_.add(text, number);
            if (waiting_.text().size() >= kHeadBytes) settle_head();
            return;
        case State::reading:
            deliver(text, number);
            if (blank && facts_.content == SectionFacts::Content::text) state_ = State::block;
            return;
        case State::block:
            if (blank) {
                settle_block();
                deliver(text, number);
                return;
            }
            waiting_.add(text, number);
            if (waiting_.text().size() < kHeadBytes) return;
            settle_block();
            state_ = State::reading;
            return;
    }
}

/// A listing has blank lines of its own, so it keeps what follows one, unless that is surely something else
/// (`stranger`). Lines of a log or of prose may be followed by anything, and so may a section that a listing won but a
/// log opens.
void Section::settle_head() {
    const LineBuffer lines = std::exchange(waiting_, {});
    const auto head = head_of(lines.text());
    const Recognition whole = recognise(head);
    current_ = whole.row;
    is_mixed_ = whole.row->family != ReaderFamily::blocks;
    if (!is_mixed_ && recognised_by_.empty()) {
        const auto block = head_of(first_block(lines.text()));
        const Recognition first = recognise(block);
        is_mixed_ = first.row->family != ReaderFamily::blocks && whole.row->kind.recognise(block) <= 0 &&
                    (first.score >= kSureScore || is_prose(block.text));
        if (is_mixed_) current_ = first.row;
    }
    is_mixed_ = is_mixed_ && facts_.content == SectionFacts::Content::text;
    list_own_source();
    state_ = is_mixed_ ? State::block : State::reading;
    lines.for_each([this](std::string_view text, std::uint64_t number) { line(text, number); });
}

void Section::settle_block() {
    if (waiting_.empty()) return;
    const LineBuffer lines = std::exchange(waiting_, {});
    if (is_mixed_) {
        current_ = &row_for_block(lines.text());
    } else if (const auto* const other = stranger(lines.text())) {
        current_ = other;
        is_mixed_ = true;
        recognised_by_.clear();  // the command's answer is over
    }
    lines.for_each([this](std::string_view text, std::uint64_t number) { deliver(text, number); });
}

/// Whose block inside a listing is surely not the listing's: its own reader knows nothing of it, another is sure.
/// Indented lines belong to a document that quotes them.
const TableRow* Section::stranger(std::string_view block) const {
    if (block.starts_with(' ') || block.starts_with('\t')) return nullptr;
    const ports::Head alone{block.substr(0, kHeadBytes), {}};
    const Recognition best = recognise(alone);
    if (best.score < kSureScore || best.row == current_ || current_->kind.recognise(alone) > 0) return nullptr;
    return best.row;
}

const TableRow& Section::row_for_block(std::string_view block) const {
    const auto head = head_of(block);
    const Recognition best = recognise(head);
    // What nobody recognises belongs to what came before: listings have blank lines.
    const bool is_prose = best.score < kSureScore || best.score <= current_->kind.recognise(head);
    if (is_prose) return *current_;
    if (best.row->family != ReaderFamily::lines) return *best.row;
    return current_->family == ReaderFamily::lines ? *current_ : *best.row;
}

Section::Part& Section::part_for(const TableRow& row) {
    const auto fits = [&row](const auto& part) {
        if (part->row == nullptr || part->row == &row) return true;
        return part->row->family == ReaderFamily::lines && row.family == ReaderFamily::lines;
    };
    if (const auto found = std::find_if(parts_.begin(), parts_.end(), fits); found != parts_.end()) {
        if ((*found)->row == nullptr) (*found)->row = &row;
        return **found;
    }
    parts_.push_back(std::make_unique<Part>());
    parts_.back()->row = &row;
    parts_.back()->source = list_source(name_of(facts_) + " (" + std::string(row.kind.name) + ")");
    return *parts_.back();
}

/// Logs that were merged into one file stand line by line: the kernel's among a component's JSON, or right behind a
/// listing whose command nobody wrote down (`nvidia-smi -L; dmesg`).
const TableRow& Section::row_for_line(std::string_view line) const {
    const bool is_text = facts_.content == SectionFacts::Content::text;
    const bool may_change = is_mixed_ || (is_text && recognised_by_.empty());
    if (current_->family == ReaderFamily::blocks && may_change) {
        if (!may_be_kernel_line(line)) return *current_;
        const auto rows = reader_table();
        const auto log =
            std::find_if(rows.begin(), rows.end(), [](const auto& row) { return row.family == ReaderFamily::lines; });
        return log->kind.recognise({line, {}}) >= kOthersLine ? *log : *current_;
    }
    if (!is_mixed_) return *current_;
    const bool in_json = current_->family == ReaderFamily::json_lines;
    const bool may_be_json = base::contains(line, "\"component\"");
    if (in_json == may_be_json || (in_json && base::contains(line, "{"))) return *current_;
    const auto wanted = in_json ? ReaderFamily::lines : ReaderFamily::json_lines;
    const auto rows = reader_table();
    const auto other = std::find_if(rows.begin(), rows.end(), [&](const auto& row) { return row.family == wanted; });
    const ports::Head head{line, {}};
    const bool is_others = other != rows.end() && other->kind.recognise(head) >= kOthersLine &&
                           current_->kind.recognise(head) < kOthersLine;
    return is_others ? *other : *current_;
}

void Section::deliver(std::string_view text, std::uint64_t number) {
    Part& part = part_for(row_for_line(text));
    // A block ends where another kind begins: documents must not run together.
    const auto is_block = [](const Part& p) { return p.row->family == ReaderFamily::blocks; };
    if (active_ != nullptr && active_ != &part && (is_block(*active_) || is_block(part))) stop_reader(*active_);
    active_ = &part;
    if (facts_.content == SectionFacts::Content::binary && part.row == &plain_text_row()) return;
    if (!part.reader) start_reader(part);
    part.reader->line(text, number);
}

void Section::start_reader(Part& part) {
    const auto sink = [this, &part](const model::Record& record) {
        ++part.records;
        if (record.type != model::RecordType::text) ++part.typed_records;
        if (record.type == model::RecordType::kernel) ++part.kernel_records;
        if (record.type == model::RecordType::text) part.bare.see(record.text);
        if (record.type == model::RecordType::collected_item) output_.accounts.see(part.source, facts_.file, record);
        part.vantage.see_record(record);
        output_.sink(part.source, record);
    };
    auto time = output_.time;
    if (!time.zone_is_chosen) time.zone = output_.accounts.zone_of(facts_.file).value_or(time.zone);
    part.reader = part.row->kind.make({facts_.path, effective_, time}, sink);
}

void Section::stop_reader(Part& part) {
    if (!part.reader) return;
    part.reader->finish();
    const ports::ReadStats& stats = part.reader->stats();
    for (const auto& sample : stats.samples)
        if (part.damage.samples.size() < 2 * ports::ReadStats::kMaxSamples) part.damage.samples.push_back(sample);
    part.damage.malformed += stats.malformed;
    part.reader.reset();
}

void Section::count_malformed(std::uint64_t number, std::string why) {
    Part& part = active_ != nullptr ? *active_ : *parts_.front();
    part.damage.count_malformed(number, std::move(why));
}

void Section::finish(const Ending& ending) {
    // An empty answer of a known command is evidence: its reader is asked.
    if (state_ == State::head) settle_head();
    settle_block();
    if (!has_content_ && parts_.front()->row == nullptr && !recognised_by_.empty()) parts_.front()->row = current_;
    for (const auto& part : parts_) close(*part, ending);
}

void Section::close(Part& part, const Ending& ending) {
    stop_reader(part);
    part.vantage.see_path(facts_.path);
    part.vantage.see_path(facts_.title);
    part.vantage.see_path(facts_.file);  // of an archive's file the path ends with the archive
    model::Source& source = output_.sources[part.source];
    if (part.is_shared) {
        source.records += part.records;
        source.malformed += part.damage.malformed;
        return;
    }
    const bool has_form = part.row != nullptr && (part.row != &plain_text_row() || part.typed_records > 0);
    const bool is_recognised = has_form || !part.bare.kind().empty();
    if (is_recognised) source.kind = has_form ? part.row->kind.name : part.bare.kind();
    if (has_form && part.records > 0 && part.kernel_records == 0 && !part.row->name_without_kernel.empty())
        source.kind = part.row->name_without_kernel;
    source.records = part.records;
    source.malformed = part.damage.malformed;
    std::sort(part.damage.samples.begin(), part.damage.samples.end(),
              [](const auto& a, const auto& b) { return std::tie(a.line, a.why) < std::tie(b.line, b.why); });
    for (const auto& sample : part.damage.samples) {
        if (source.malformed_at.size() == ports::ReadStats::kMaxSamples) break;
        source.malformed_at.push_back(facts_.file + ":" + std::to_string(sample.line) + ": " + sample.why);
    }
    source.vantage = part.vantage.verdict();
    if (!ending.outcome.empty()) {
        source.outcome = ending.outcome;
        source.note = ending.note;
    } else if (facts_.content == SectionFacts::Content::binary) {
        source.outcome = "binary";
        source.note = part.records == 0 ? "not text" : "not text, but some lines of it could be read";
    } else if (!has_content_) {
        source.outcome = "empty";
    } else if (!is_recognised) {
        source.outcome = "unrecognised";
    }
}

}  // namespace gpumedic::bundle
