#include "report/evidence_text.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "base/text.h"
#include "report/layout.h"
#include "report/words.h"

namespace gpumedic::report {
namespace {

constexpr std::size_t kIndent = 2;
constexpr std::size_t kMaxPlace = 34;
constexpr std::size_t kLeastQuote = 30;    // narrower than this, the quote gets a line of its own
constexpr std::size_t kFullQuoteRows = 8;  // a line of a log can have 256 KiB

std::string short_time(const model::EvidenceItem& item) { return item.time ? seconds_text(*item.time) : ""; }

std::string short_place(const model::EvidenceItem& item) {
    model::EvidenceItem named;
    named.source = file_of(item.source);
    named.line = item.line;
    return cut_front(place_text(named), kMaxPlace);
}

/// Where the line does not fit, what was found in it comes first: the front of a long line seldom says it.
std::string quote_of(const model::EvidenceItem& item, const Page& page, std::size_t used) {
    std::string count;
    if (item.count > 1) count = fill(page.say(Phrase::times), {std::to_string(item.count)}) + " ";
    std::string quote(item.time ? without_header(item.text) : item.text);
    const bool fits = used + base::display_width(count) + base::display_width(quote) <= page.width();
    if (!item.title.empty() && (!fits || quote.starts_with('{'))) quote = page.say(item.title) + ": " + quote;
    return count + quote;
}

void add_quote_in_columns(Page& page, std::size_t indent, const model::EvidenceItem& item, std::size_t place,
                          std::size_t time) {
    std::string lead = pad(short_place(item), place) + "  ";
    if (time > 0) lead += pad(short_time(item), time) + "  ";
    const std::size_t used = indent + base::display_width(lead);
    const std::string quote = quote_of(item, page, used);
    if (used + kLeastQuote <= page.width()) {
        page.one_line(indent, lead + quote);
        return;
    }
    page.one_line(indent, lead);
    page.one_line(indent + 2, quote);
}

void add_in_full(Page& page, const std::vector<model::EvidenceItem>& items) {
    std::set<std::string> said;
    std::size_t number = 0;
    for (const model::EvidenceItem& item : items) {
        std::string head = place_text(item);
        if (item.time) head += "  " + base::format_time(*item.time);
        if (!item.title.empty()) head += "  " + page.say(item.title);
        if (!item.signal.empty()) head += " [" + item.signal + "]";
        if (item.count > 1) head += " " + fill(page.say(Phrase::times), {std::to_string(item.count)});
        page.item(kIndent, "#" + std::to_string(++number), head, Style::dim);
        if (!item.text.empty()) page.text(kIndent + 4, cut(item.text, page.width() * kFullQuoteRows));
        // Several signals can stand on one line, and each says its numbers: once is enough.
        for (const model::DecodedValue& value : item.decoded) {
            const std::string words = decoded_text(value, page);
            if (said.insert(place_text(item) + words).second) page.text(kIndent + 4, words);
        }
    }
}

}  // namespace

std::vector<std::size_t> choose_evidence(const std::vector<model::EvidenceItem>& items, std::size_t room) {
    std::vector<std::size_t> chosen;
    std::set<std::string_view> signals;
    std::set<std::pair<std::string_view, std::uint64_t>> lines;
    for (std::size_t i = 0; i < items.size() && chosen.size() < room; ++i) {
        const bool known = signals.contains(items[i].signal) || lines.contains({items[i].source, items[i].line});
        signals.insert(items[i].signal);
        lines.emplace(items[i].source, items[i].line);
        if (!known) chosen.push_back(i);
    }
    std::set<std::string_view> counted;  // "(3 times)" stands there: its repeats need no lines
    lines.clear();
    for (const std::size_t i : chosen) {
        if (items[i].count > 1) counted.insert(items[i].signal);
        lines.emplace(items[i].source, items[i].line);
    }
    for (std::size_t i = 0; i < items.size() && chosen.size() < room; ++i) {
        const bool fresh = lines.emplace(items[i].source, items[i].line).second;  // one line can carry several signals
        if (fresh && !counted.contains(items[i].signal)) chosen.push_back(i);
    }
    std::ranges::sort(chosen);
    return chosen;
}

void add_evidence(Page& page, std::string_view heading, const std::vector<model::EvidenceItem>& items,
                  std::size_t lines) {
    if (items.empty()) return;
    const std::size_t mark = page.mark();
    page.heading(heading);
    if (page.full()) return add_in_full(page, items);
    const std::size_t room = lines > 3 ? lines - 3 : 1;  // blank line, heading, "n more"
    const std::vector<std::size_t> chosen = choose_evidence(items, room);
    std::size_t place = 0;
    std::size_t time = 0;
    for (const std::size_t i : chosen) {
        place = std::max(place, base::display_width(short_place(items[i])));
        time = std::max(time, short_time(items[i]).size());
    }
    for (const std::size_t i : chosen) add_quote_in_columns(page, kIndent, items[i], place, time);
    page.cap(mark, lines);
    if (chosen.size() < items.size() && page.lines() - mark < lines)
        page.one_line(kIndent, fill(page.say(Phrase::more_entries), {std::to_string(items.size() - chosen.size())}),
                      Style::dim);
}

void add_quote(Page& page, std::size_t indent, const model::EvidenceItem& item) {
    add_quote_in_columns(page, indent, item, 0, item.time ? 1 : 0);
}

}  // namespace gpumedic::report
