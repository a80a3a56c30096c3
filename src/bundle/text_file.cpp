#include "bundle/text_file.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/text.h"
#include "bundle/content.h"
#include "bundle/prompt.h"

namespace gpumedic::bundle {
namespace {

constexpr std::size_t kMaxCommandBytes = 4096;
// A file of prompts alone must not cost a source per line; what follows belongs to the last command.
constexpr std::size_t kMaxSections = 2000;

/// The reason why a line counts as damaged, empty where it does not.
std::string damage_of(const Line& line) {
    if (line.is_cut())
        return "line of " + std::to_string(line.full_bytes) + " bytes, cut to " + std::to_string(line.text.size());
    if (line.had_nul) return "NUL bytes left out";
    if (!base::is_valid_utf8(line.text)) return "invalid UTF-8";
    return {};
}

/// Megabytes of base64 in a bug report.
bool is_encoded(const Banner& banner) {
    const auto tool = base::split_once(banner.text, " ").first;
    return banner.kind != Banner::Kind::file && (tool == "base64" || tool.ends_with("nvidia-debugdump"));
}

/// Most files that a bug report misses are missing everywhere (X servers, the .run installer).
bool is_telling_by_absence(std::string_view path) {
    constexpr std::array<std::string_view, 4> kParts{"/proc/driver/nvidia", "fabricmanager", "imex", "nvlsm"};
    return std::any_of(kParts.begin(), kParts.end(), [&](auto part) { return base::contains(path, part); });
}

}  // namespace

void strip_escapes(std::string_view text, std::string& out) {
    constexpr char kEscape = '\x1B';
    constexpr char kBell = '\a';
    for (std::size_t i = 0; i < text.size();) {
        if (text[i] != kEscape) {
            const std::size_t next = std::min(text.find(kEscape, i), text.size());
            out.append(text.substr(i, next - i));
            i = next;
        } else if (i + 1 < text.size() && text[i + 1] == '[') {  // CSI: parameters, then one byte from @ to ~
            i += 2;
            while (i < text.size() && (text[i] < '@' || text[i] > '~')) ++i;
            if (i < text.size()) ++i;
        } else if (i + 1 < text.size() && text[i + 1] == ']') {  // OSC: up to a bell or ESC backslash
            const std::size_t end = text.find_first_of("\a\x1B", i + 2);
            if (end == std::string_view::npos) return;
            i = text[end] == kBell ? end + 1 : std::min(end + 2, text.size());
        } else {
            i = std::min(i + 2, text.size());
        }
    }
}

Section& TextFile::section() {
    if (!section_) {
        section_ = std::make_unique<Section>(output_, facts_);
        ++sections_;
    }
    return *section_;
}

void TextFile::line(const Line& line) {
    if (facts_.content == SectionFacts::Content::binary) return binary_line(line);
    std::string_view text = line.text;
    if (base::contains(text, "\x1B")) {
        plain_.clear();
        strip_escapes(text, plain_);
        text = plain_;
    }
    text_line(line, text);
}

void TextFile::binary_line(const Line& line) {
    if (is_readable_line(line.text) && !line.is_cut()) {
        section().line(line.text, line.number);
    } else if (!line.text.empty()) {
        section().count_malformed(line.number, "not text");
    }
}

void TextFile::text_line(const Line& line, std::string_view text) {
    if (command_goes_on_) {
        facts_.command.append(" ").append(
            base::trim(text).substr(0, kMaxCommandBytes - std::min(facts_.command.size(), kMaxCommandBytes)));
        start_command(facts_.command);
        return;
    }
    using Place = BannerFinder::Place;
    Place place = sections_ < kMaxSections ? banners_.look(text) : Place::content;
    if (place == Place::banner_before) {
        start_part(banners_.banner());
        place = banners_.look(text);
    }
    switch (place) {
        case Place::undecided: return waiting_.push_back({std::string(text), line.number});
        case Place::banner: return start_part(banners_.banner());
        case Place::dropped: return;
        case Place::banner_before:
        case Place::content: break;
    }
    deliver_waiting();
    if (const auto command = parse_prompt(text); command && sections_ < kMaxSections) {
        start_command(command->substr(0, kMaxCommandBytes));
        return;
    }
    if (std::string why = damage_of(line); !why.empty()) section().count_malformed(line.number, std::move(why));
    content_line(text, line.number);
}

void TextFile::content_line(std::string_view text, std::uint64_t number) {
    if (skips_part_) return;
    // Blank lines between a file's start, or a prompt without command, and the first content make no source.
    if (!section_ && base::trim(text).empty()) return;
    section().line(text, number);
}

void TextFile::deliver_waiting() {
    for (const auto& line : waiting_) content_line(line.text, line.number);
    waiting_.clear();
}

void TextFile::end_section() {
    if (!section_) return;
    section_->finish({});
    if (!file_source_) file_source_ = section_->source();
    section_.reset();
}

void TextFile::start_command(std::string_view command) {
    end_section();
    skips_part_ = false;
    std::string typed(base::trim(command));
    command_goes_on_ = typed.ends_with('\\') && typed.size() < kMaxCommandBytes;
    if (command_goes_on_) typed = std::string(base::trim_right(typed.substr(0, typed.size() - 1)));
    facts_.command = std::move(typed);
    facts_.title.clear();
    // A command without answer is listed too: silence is evidence.
    if (!command_goes_on_ && !facts_.command.empty()) static_cast<void>(section());
}

void TextFile::start_part(const Banner& banner) {
    waiting_.clear();
    end_section();
    if (banners_.in_report()) {
        if (!file_source_) {
            file_source_ = static_cast<std::uint32_t>(output_.sources.size());
            output_.sources.push_back({});
            output_.sources.back().name = facts_.file;
            ++sections_;
        }
        facts_.shared_source = file_source_;
    }
    facts_.command.clear();
    facts_.title.clear();
    skips_part_ = false;
    if (banner.kind == Banner::Kind::absent) {
        if (is_telling_by_absence(banner.text))
            list_unread(banner.text, "absent", "the capture says that the file does not exist");
        return;
    }
    skips_part_ = is_encoded(banner);
    if (skips_part_) return list_unread(banner.text, "binary", "encoded, not read");
    if (banner.kind == Banner::Kind::command) return start_command(banner.text);
    facts_.title = banner.text;
}

void TextFile::list_unread(const std::string& what, std::string outcome, std::string note) {
    model::Source source;
    source.name = facts_.file + " (" + base::printable(what) + ")";
    source.outcome = std::move(outcome);
    source.note = std::move(note);
    output_.sources.push_back(std::move(source));
    ++sections_;
}

void TextFile::finish(const Ending& ending) {
    if (banners_.finish()) start_part(banners_.banner());
    deliver_waiting();
    if (command_goes_on_ && !facts_.command.empty()) static_cast<void>(section());
    command_goes_on_ = false;
    if (section_) section_->finish(ending);
    section_.reset();
    if (!banners_.in_report() || !file_source_) return;
    model::Source& whole = output_.sources[*file_source_];
    if (whole.kind.empty()) whole.kind = "bug report";
    if (whole.outcome == "unrecognised") whole.outcome = "ok";
}

}  // namespace gpumedic::bundle
