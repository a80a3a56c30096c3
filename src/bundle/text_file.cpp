#include "bundle/text_file.h"

#include <algorithm>
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
    if (facts_.content == SectionFacts::Content::binary) {
        if (is_readable_line(line.text) && !line.is_cut()) {
            section().line(line.text, line.number);
        } else if (!line.text.empty()) {
            section().count_malformed(line.number, "not text");
        }
        return;
    }
    std::string_view text = line.text;
    if (base::contains(text, "\x1B")) {
        plain_.clear();
        strip_escapes(text, plain_);
        text = plain_;
    }
    if (command_goes_on_) {
        facts_.command.append(" ").append(
            base::trim(text).substr(0, kMaxCommandBytes - std::min(facts_.command.size(), kMaxCommandBytes)));
        start_command(facts_.command);
        return;
    }
    if (const auto command = parse_prompt(text); command && sections_ < kMaxSections) {
        start_command(command->substr(0, kMaxCommandBytes));
        return;
    }
    if (std::string why = damage_of(line); !why.empty()) section().count_malformed(line.number, std::move(why));
    // Blank lines between a file's start, or a prompt without command, and the first content make no source.
    if (!section_ && base::trim(text).empty()) return;
    section().line(text, line.number);
}

void TextFile::start_command(std::string_view command) {
    if (section_) section_->finish({});
    section_.reset();
    std::string typed(base::trim(command));
    command_goes_on_ = typed.ends_with('\\') && typed.size() < kMaxCommandBytes;
    if (command_goes_on_) typed = std::string(base::trim_right(typed.substr(0, typed.size() - 1)));
    facts_.command = std::move(typed);
    // A command without answer is listed too: silence is evidence.
    if (!command_goes_on_ && !facts_.command.empty()) static_cast<void>(section());
}

void TextFile::finish(const Ending& ending) {
    if (command_goes_on_ && !facts_.command.empty()) static_cast<void>(section());
    command_goes_on_ = false;
    if (section_) section_->finish(ending);
    section_.reset();
}

}  // namespace gpumedic::bundle
