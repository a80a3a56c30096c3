#include "report/closing_text.h"

#include <algorithm>
#include <string>

#include "report/evidence_text.h"
#include "report/layout.h"
#include "report/words.h"

namespace gpumedic::report {
namespace {

constexpr std::size_t kIndent = 2;

std::string counted(const Page& page, Phrase pattern, std::uint64_t number) {
    return fill(page.say(pattern), {std::to_string(number)});
}

std::string kind_of(const model::Source& source, const Page& page) {
    return source.kind.empty() ? std::string(page.say(Phrase::unrecognised_kind)) : source.kind;
}

std::string short_source(const model::Source& source, const Page& page) {
    return std::string(file_of(source.name)) + " (" + kind_of(source, page) + ", " + std::to_string(source.records) +
           ")";
}

std::string incomplete_source(const model::Source& source, const Page& page) {
    std::string out = std::string(file_of(source.name)) + ": " + std::string(outcome_text(source.outcome, page));
    if (!source.note.empty()) out += " (" + source.note + ")";
    return out;
}

void add_source_in_full(Page& page, const model::Source& source) {
    std::string text =
        source.name + ": " + kind_of(source, page) + ", " + std::string(outcome_text(source.outcome, page));
    text += ", " + counted(page, Phrase::records, source.records);
    if (source.malformed > 0) text += ", " + counted(page, Phrase::malformed, source.malformed);
    if (source.vantage == model::Vantage::host) text += ", " + std::string(page.say(Phrase::vantage_host));
    if (source.vantage == model::Vantage::guest) text += ", " + std::string(page.say(Phrase::vantage_guest));
    if (!source.note.empty()) text += " (" + source.note + ")";
    page.item(kIndent, "-", text);
    for (const std::string& place : source.malformed_at)
        page.item(kIndent + 2, page.say(Phrase::malformed_lines), place, Style::dim);
}

void add_sources_in_short(Page& page, const model::Diagnosis& diagnosis) {
    std::string incomplete;
    std::string absent;
    std::string malformed;
    std::string names;
    // A collection asks for much that most nodes do not have: then their names are enough.
    constexpr std::ptrdiff_t kFew = 3;
    const auto is_simply_absent = [](const model::Source& source) {
        return source.outcome == "absent" && source.kind.empty();
    };
    const bool are_many = std::ranges::count_if(diagnosis.sources, is_simply_absent) > kFew;
    for (const model::Source& source : diagnosis.sources) {
        const bool is_absent = are_many && is_simply_absent(source);
        if (is_absent) absent += (absent.empty() ? "" : ", ") + std::string(file_of(source.name));
        if (source.outcome != "ok" && !is_absent)
            incomplete += (incomplete.empty() ? "" : "; ") + incomplete_source(source, page);
        if (!source.malformed_at.empty()) malformed += (malformed.empty() ? "" : "; ") + source.malformed_at.front();
        if (source.outcome == "ok") names += (names.empty() ? "" : ", ") + short_source(source, page);
    }
    if (!absent.empty())
        incomplete += (incomplete.empty() ? "" : "; ") + std::string(page.say(Phrase::outcome_absent)) + ": " + absent;
    if (!incomplete.empty()) page.item(kIndent, page.say(Phrase::not_ok), incomplete, Style::yellow);
    if (!malformed.empty()) page.item(kIndent, page.say(Phrase::malformed_lines), malformed, Style::yellow);
    page.text(kIndent, names, Style::dim);
}

}  // namespace

void add_unexplained(Page& page, const model::Diagnosis& diagnosis, std::size_t lines) {
    add_evidence(page, page.say(Phrase::unexplained), diagnosis.unexplained, lines);
}

void add_benign(Page& page, const model::Diagnosis& diagnosis, std::size_t lines) {
    if (diagnosis.benign.empty()) return;
    const std::size_t mark = page.mark();
    page.heading(page.say(Phrase::benign));
    for (const model::BenignFinding& finding : diagnosis.benign) {
        std::string text = finding.title.empty() ? finding.signal : page.say(finding.title);
        if (!finding.why.empty()) text += ": " + page.say(finding.why);
        page.item(kIndent, "-", text);
        if (!page.full()) continue;
        for (const model::EvidenceItem& item : finding.evidence) add_quote(page, kIndent + 2, item);
    }
    page.cap(mark, lines);
}

void add_sources(Page& page, const model::Diagnosis& diagnosis, std::size_t lines) {
    const std::size_t mark = page.mark();
    std::uint64_t records = 0;
    std::uint64_t malformed = 0;
    for (const model::Source& source : diagnosis.sources) {
        records += source.records;
        malformed += source.malformed;
    }
    std::string totals =
        fill(page.say(Phrase::sources_line), {std::to_string(diagnosis.sources.size()), std::to_string(records)});
    if (malformed > 0) totals += ", " + counted(page, Phrase::malformed, malformed);
    if (!diagnosis.catalogue.empty()) totals += "; " + fill(page.say(Phrase::catalogue), {diagnosis.catalogue});
    page.heading(std::string(page.say(Phrase::sources)) + ": " + totals);
    if (speaks_of_nothing(diagnosis))
        page.text(kIndent, page.say(diagnosis.sources.empty() ? Phrase::nothing_read : Phrase::nothing_of_gpu));
    if (!page.full()) {
        add_sources_in_short(page, diagnosis);
    } else {
        for (const model::Source& source : diagnosis.sources) add_source_in_full(page, source);
    }
    page.cap(mark, lines);
}

bool speaks_of_nothing(const model::Diagnosis& diagnosis) {
    const bool relevant =
        std::ranges::any_of(diagnosis.sources, [](const model::Source& s) { return s.speaks_of_gpus; });
    return !relevant && diagnosis.incidents.empty() && diagnosis.benign.empty() && diagnosis.unexplained.empty();
}

}  // namespace gpumedic::report
