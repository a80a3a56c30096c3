// The report for people: which parts, in which order, and how short.
#include <algorithm>
#include <string>
#include <utility>

#include "report/closing_text.h"
#include "report/incident_text.h"
#include "report/layout.h"
#include "report/page.h"
#include "report/report.h"
#include "report/words.h"

namespace gpumedic::report {
namespace {

using model::Diagnosis;
using model::Incident;
using model::Verdict;

constexpr std::size_t kMaxLines = 118;  // of a summary: one screen, and some scrolling
constexpr std::size_t kShortIncidents = 2;

// What every part gets, whatever comes: together they stay below kMaxLines.
constexpr Budget kTight{.identity = 7,
                        .why = 10,
                        .evidence = 6,
                        .do_now = 17,
                        .why_not_less = 4,
                        .do_not = 6,
                        .alternatives = 6,
                        .checks = 6,
                        .missing = 6,
                        .others = 4,
                        .other_incident = 5,
                        .more_incidents = 3,
                        .unexplained = 4,
                        .benign = 4,
                        .sources = 4};
// What it gets where there is room, the parts that matter most first.
struct Wish {
    std::size_t Budget::* part;
    std::size_t lines;
};
constexpr Wish kWishes[] = {
    {&Budget::do_now, 45},     {&Budget::do_not, 12},  {&Budget::identity, 12},      {&Budget::why_not_less, 8},
    {&Budget::why, 18},        {&Budget::evidence, 9}, {&Budget::other_incident, 9}, {&Budget::alternatives, 12},
    {&Budget::others, 10},     {&Budget::missing, 14}, {&Budget::sources, 7},        {&Budget::checks, 20},
    {&Budget::unexplained, 7}, {&Budget::benign, 10},  {&Budget::more_incidents, 6},
};

void add_headline(Page& page, const Diagnosis& diagnosis) {
    const std::string badge = "[" + std::string(verdict_text(diagnosis.verdict, page)) + "]";
    const Style style = verdict_style(diagnosis.verdict);
    const std::string& summary = page.say(diagnosis.summary);
    if (diagnosis.verdict == Verdict::fault && !diagnosis.incidents.empty()) {
        const Incident& first = diagnosis.incidents.front();
        page.item(0, badge, page.say(first.title) + ": " + confidence_text(first.confidence, page), style);
        if (summary != page.say(first.title)) page.text(2, summary);
    } else {
        const Phrase fallback =
            diagnosis.verdict == Verdict::healthy ? Phrase::healthy_summary : Phrase::inconclusive_summary;
        page.item(0, badge, summary.empty() ? page.say(fallback) : std::string_view(summary), style);
    }
}

void add_nodes(Page& page, const Diagnosis& diagnosis) {
    if (diagnosis.nodes.size() < 2) return;
    std::string text;
    for (const model::NodeVerdict& node : diagnosis.nodes) {
        if (!text.empty()) text += ", ";
        text += node.node + " " + std::string(verdict_text(node.verdict, page));
    }
    page.field(page.say(Phrase::nodes), text);
}

std::string incident_title(const Incident& incident, const Page& page) {
    const std::string title = incident.title.empty() ? incident.fault : page.say(incident.title);
    std::string out = title + ": " + confidence_text(incident.confidence, page);
    if (incident.state != model::IncidentState::open) out += ", " + std::string(state_text(incident.state, page));
    return out;
}

/// Below a threshold the first incident is no verdict, but its evidence and steps are what the reader needs next.
bool first_in_detail(const Diagnosis& diagnosis) {
    if (diagnosis.incidents.empty()) return false;
    return diagnosis.verdict == Verdict::fault || (diagnosis.verdict == Verdict::inconclusive &&
                                                   diagnosis.incidents.front().state == model::IncidentState::open);
}

void add_first_incident(Page& page, const Diagnosis& diagnosis, const Budget& budget) {
    const Incident& first = diagnosis.incidents.front();
    if (diagnosis.verdict != Verdict::fault) {
        page.blank();
        page.item(0, "?", incident_title(first, page), Style::yellow);
    }
    const std::size_t mark = page.mark();
    add_identity(page, first);
    page.cap(mark, budget.identity);
    add_incident(page, first, budget);
}

void add_other_incidents(Page& page, const Diagnosis& diagnosis, std::size_t from, const Budget& budget) {
    const std::size_t count = diagnosis.incidents.size();
    if (from >= count) return;
    page.heading(page.say(Phrase::other_incidents));
    const std::size_t in_short = page.full() ? count : std::min(count, from + kShortIncidents);
    for (std::size_t i = from; i < in_short; ++i) {
        const Incident& incident = diagnosis.incidents[i];
        const std::size_t mark = page.mark();
        page.item(0, std::to_string(i + 1) + ".", incident_title(incident, page), Style::bold);
        if (page.full()) {
            add_identity(page, incident);
            add_incident(page, incident, budget);
            page.blank();
        } else {
            add_short_incident(page, incident);
        }
        page.cap(mark, budget.other_incident);
    }
    const std::size_t mark = page.mark();
    for (std::size_t i = in_short; i < count; ++i)
        page.one_line(0, std::to_string(i + 1) + ". " + incident_title(diagnosis.incidents[i], page));
    page.cap(mark, budget.more_incidents);
}

Page compose(const Diagnosis& diagnosis, const TextOptions& options, const Budget& budget) {
    constexpr std::size_t kHeadLines = 8;
    Page page(options);
    add_headline(page, diagnosis);
    add_nodes(page, diagnosis);
    page.cap(0, kHeadLines);
    const bool detail = first_in_detail(diagnosis);
    if (detail) add_first_incident(page, diagnosis, budget);
    // Without an incident to explain, what was read comes first: the verdict rests on it.
    if (!detail) add_sources(page, diagnosis, budget.sources + 4);
    add_other_incidents(page, diagnosis, detail ? 1 : 0, budget);
    add_unexplained(page, diagnosis, budget.unexplained);
    add_benign(page, diagnosis, detail ? budget.benign : budget.benign * 3);
    const std::size_t mark = page.mark();
    add_missing(page, page.say(Phrase::collect), diagnosis.missing);
    page.cap(mark, detail ? budget.missing : budget.missing * 3);
    if (detail) add_sources(page, diagnosis, budget.sources);
    return page;
}

}  // namespace

std::string render_text(const Diagnosis& diagnosis, const TextOptions& options) {
    Budget budget = kTight;
    Page page = compose(diagnosis, options, budget);
    if (options.detail == Detail::full) return page.take();
    for (const Wish& wish : kWishes) {
        const std::size_t before = budget.*wish.part;
        for (const std::size_t lines : {wish.lines, (wish.lines + before) / 2}) {
            budget.*wish.part = lines;
            Page roomier = compose(diagnosis, options, budget);
            if (roomier.lines() <= kMaxLines) {
                page = std::move(roomier);
                break;
            }
            budget.*wish.part = before;
        }
    }
    page.cap(0, kMaxLines);  // the parts below an inconclusive headline get more, so their sum is no proof
    return page.take();
}

}  // namespace gpumedic::report
