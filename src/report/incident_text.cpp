#include "report/incident_text.h"

#include <algorithm>
#include <optional>
#include <string>

#include "base/text.h"
#include "report/evidence_text.h"
#include "report/layout.h"
#include "report/words.h"

namespace gpumedic::report {
namespace {

using model::Incident;

constexpr std::size_t kIndent = 2;
constexpr std::size_t kStepIndent = 5;

std::string device_line(const model::Device& device, const Page& page) {
    std::string out = device_text(device, page);
    if (device.kind != "vm" && !device.holder.empty())
        out += ", " + fill(page.say(Phrase::held_by), {holder_text(device.holder)});
    if (device.joined == model::How::inferred) out += ", " + std::string(page.say(Phrase::joined_inferred));
    return out;
}

void add_devices(Page& page, const Incident& incident, model::Device::Role role, Phrase label) {
    constexpr std::size_t kShown = 4;
    std::size_t shown = 0;
    std::size_t left_out = 0;
    for (const model::Device& device : incident.devices) {
        if (device.role != role) continue;
        if (!page.full() && shown == kShown) {
            ++left_out;
            continue;
        }
        page.field(shown == 0 ? page.say(label) : "", device_line(device, page));
        ++shown;
    }
    if (left_out > 0) page.field("", fill(page.say(Phrase::more_entries), {std::to_string(left_out)}));
}

std::string joined(const std::vector<std::string>& names) {
    std::string out;
    for (const std::string& name : names) out += (out.empty() ? "" : ", ") + name;
    return out;
}

/// Both ends in the zone of the first: sources of one happening name different ones.
std::string span_text(const base::Timestamp& first, std::optional<base::Timestamp> last, const Page& page) {
    const auto said = [&](const base::Timestamp& time) {
        return page.full() ? base::format_time(time) : seconds_text(time);
    };
    if (!last || *last == first) return said(first);
    if (last->clock == first.clock && last->zone && first.zone) last->zone = first.zone;
    return said(first) + " .. " + said(*last);
}

void add_blast_radius(Page& page, const model::BlastRadius& radius) {
    std::string hits;
    const auto add = [&](std::string_view label, const std::vector<std::string>& names) {
        if (names.empty()) return;
        if (!hits.empty()) hits += "; ";
        hits += std::string(label) + " " + joined(names);
    };
    add("VM", radius.vms);
    add(page.say(Phrase::jobs), radius.jobs);
    add(page.say(Phrase::peers), radius.peers);
    if (!hits.empty()) page.field(page.say(Phrase::affected), hits);
    if (!radius.scheduling.empty()) page.field(page.say(Phrase::scheduling), page.say(radius.scheduling));
}

std::string evidence_numbers(const model::ChainLink& link, std::size_t known) {
    std::string out;
    for (const std::size_t number : link.evidence)
        if (number < known) out += (out.empty() ? " (#" : ", #") + std::to_string(number + 1);
    return out.empty() ? out : out + ")";
}

void add_why(Page& page, const Incident& incident) {
    if (incident.cause.empty() && incident.chain.empty()) return;
    page.heading(page.say(Phrase::why));
    page.text(kIndent, page.say(incident.cause));
    const model::Localized* before = nullptr;
    for (const model::ChainLink& link : incident.chain) {
        const bool same = link.from == link.to;  // a first step that was seen itself
        if (!same && (before == nullptr || !(link.from == *before))) page.item(kIndent, "*", page.say(link.from));
        const bool seen = link.how == model::How::seen;
        const std::string_view mark = page.say(seen ? Phrase::mark_seen : Phrase::mark_inferred);
        const std::string numbers = page.full() ? evidence_numbers(link, incident.evidence.size()) : "";
        if (!link.to.empty()) {
            page.item(kIndent, (same ? "* " : "-> ") + std::string(mark), page.say(link.to) + numbers,
                      seen ? Style::plain : Style::yellow);
        }
        before = &link.to;
    }
}

void add_steps(Page& page, const std::vector<model::PlanStep>& steps) {
    std::size_t number = 0;
    for (const model::PlanStep& step : steps) {
        page.item(kIndent, std::to_string(++number) + ".", page.say(step.do_));
        if (!step.command.empty()) page.command(kStepIndent, step.command);
        if (page.full() && !step.why.empty())
            page.item(kStepIndent, page.say(Phrase::because), page.say(step.why), Style::dim);
        if (page.full() && !step.risk.empty())
            page.item(kStepIndent, page.say(Phrase::risk), page.say(step.risk), Style::yellow);
    }
}

void add_do_now(Page& page, const model::ActionPlan& action) {
    const std::string title = action.title.empty() ? action.class_ : page.say(action.title);
    page.heading(std::string(page.say(Phrase::do_now)) + ": " + title);
    add_steps(page, action.steps);
}

void add_why_not_less(Page& page, const model::ActionPlan& action) {
    if (action.why_not_less.empty()) return;
    page.heading(page.say(Phrase::why_not_less));
    page.text(kIndent, page.say(action.why_not_less));
}

void add_do_not(Page& page, const model::ActionPlan& action) {
    if (action.must_not.empty()) return;
    page.heading(page.say(Phrase::do_not));
    for (const model::Localized& text : action.must_not) page.item(kIndent, "x", page.say(text), Style::red);
}

void add_alternative_actions(Page& page, const model::ActionPlan& action) {
    if (action.alternatives.empty()) return;
    page.heading(page.say(Phrase::if_not_fit));
    for (const model::AlternativeAction& other : action.alternatives) {
        const std::string title = other.title.empty() ? other.class_ : page.say(other.title);
        std::string text = title;
        if (!other.when.empty()) text += ", " + std::string(page.say(Phrase::when)) + " " + page.say(other.when);
        page.item(kIndent, "-", text);
        if (page.full()) add_steps(page, other.steps);
    }
}

void add_checks(Page& page, const Incident& incident) {
    if (incident.verification.empty()) return;
    page.heading(page.say(Phrase::checks));
    for (const model::VerificationStep& check : incident.verification) {
        std::string text = page.say(check.check);
        if (page.full() && !check.expect.empty())
            text += ". " + std::string(page.say(Phrase::expect)) + " " + page.say(check.expect);
        page.item(kIndent, "-", text);
        if (!check.command.empty()) page.command(kIndent + 2, check.command);
    }
}

void add_alternatives(Page& page, const Incident& incident) {
    if (incident.alternatives.empty()) return;
    page.heading(page.say(Phrase::others));
    for (const model::Alternative& other : incident.alternatives) {
        std::string text = other.title.empty() ? other.fault : page.say(other.title);
        text += " (" + percent_text(other.confidence) + ")";
        if (!other.why_less.empty()) text += ": " + page.say(other.why_less);
        page.item(kIndent, "-", text);
    }
}

/// Runs `add`, then keeps at most `lines` of what it added.
template <class Add>
void capped(Page& page, std::size_t lines, Add add) {
    const std::size_t mark = page.mark();
    add();
    page.cap(mark, lines);
}

}  // namespace

void add_identity(Page& page, const Incident& incident) {
    std::string node = incident.node;
    if (!incident.boot.empty() && page.full())
        node += (node.empty() ? "" : ", ") + std::string(page.say(Phrase::boot)) + " " + incident.boot;
    if (!node.empty()) page.field(page.say(Phrase::node), node);
    add_devices(page, incident, model::Device::Role::root, Phrase::root);
    add_devices(page, incident, model::Device::Role::victim, Phrase::victim);
    add_blast_radius(page, incident.blast_radius);
    if (incident.first_seen) {
        page.field(page.say(Phrase::seen_time), span_text(*incident.first_seen, incident.last_seen, page));
    }
    const bool plain = incident.boots < 2 && incident.strategy == "advise";
    if (!page.full() && plain && incident.state == model::IncidentState::open) return;
    std::string state{state_text(incident.state, page)};
    state += ", " + std::string(page.say(Phrase::severity)) + " " + std::string(severity_text(incident.severity, page));
    if (incident.boots > 1) state += ", " + fill(page.say(Phrase::boots), {std::to_string(incident.boots)});
    if (incident.strategy == "observe") state += "; " + std::string(page.say(Phrase::strategy_observe));
    if (incident.strategy == "act") state += "; " + std::string(page.say(Phrase::strategy_act));
    if (page.full()) state += ", " + incident.fault + " (" + incident.class_ + ")";
    page.field(page.say(Phrase::state), state);
}

void add_incident(Page& page, const Incident& incident, const Budget& budget) {
    const model::ActionPlan& action = incident.action;
    capped(page, budget.why, [&] { add_why(page, incident); });
    add_evidence(page, page.say(Phrase::evidence), incident.evidence, budget.evidence);
    if (page.full()) add_evidence(page, page.say(Phrase::against), incident.against, budget.evidence);
    capped(page, budget.do_now, [&] { add_do_now(page, action); });
    capped(page, budget.why_not_less, [&] { add_why_not_less(page, action); });
    capped(page, budget.do_not, [&] { add_do_not(page, action); });
    capped(page, budget.alternatives, [&] { add_alternative_actions(page, action); });
    capped(page, budget.checks, [&] { add_checks(page, incident); });
    capped(page, budget.missing, [&] { add_missing(page, page.say(Phrase::missing), incident.missing); });
    capped(page, budget.others, [&] { add_alternatives(page, incident); });
}

void add_short_incident(Page& page, const Incident& incident) {
    const model::ActionPlan& action = incident.action;
    if (incident.state == model::IncidentState::open) {
        const std::string title = action.title.empty() ? action.class_ : page.say(action.title);
        page.item(kIndent, std::string(page.say(Phrase::do_now)) + ":", title, Style::bold);
        const auto first =
            std::ranges::find_if(action.steps, [](const model::PlanStep& s) { return !s.command.empty(); });
        if (first != action.steps.end()) page.command(kIndent + 2, first->command);
    }
    if (!incident.node.empty()) page.field(page.say(Phrase::node), incident.node);
    add_devices(page, incident, model::Device::Role::root, Phrase::root);
    add_devices(page, incident, model::Device::Role::victim, Phrase::victim);
}

void add_missing(Page& page, std::string_view heading, const std::vector<model::MissingEvidence>& missing) {
    if (missing.empty()) return;
    page.heading(heading);
    for (const model::MissingEvidence& item : missing) {
        page.item(kIndent, "-", page.say(item.what));
        if (!item.command.empty()) page.command(kIndent + 2, item.command);
    }
}

}  // namespace gpumedic::report
