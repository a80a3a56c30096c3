#include "catalogue_coverage.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "codec/json_writer.h"
#include "report/layout.h"
#include "report/page.h"

namespace gpumedic::cli {
namespace {

using knowledge::Catalogue;
using knowledge::Fault;
using model::Localized;

struct SeenSignal {
    std::string id;
    model::Severity severity;
};

std::vector<SeenSignal> all_signals(const Catalogue& catalogue) {
    std::vector<SeenSignal> out;
    for (const auto& signal : catalogue.signals) {
        if (signal.codes.empty()) out.push_back({signal.id, signal.severity});
        for (const auto& code : signal.codes) out.push_back({signal.id + "." + code.code, code.severity});
    }
    return out;
}

bool names(const std::vector<std::string>& wanted, std::string_view id) {
    return std::ranges::any_of(wanted, [&](const auto& w) { return knowledge::matches_id(w, id); });
}

bool speaks_for(const Fault& fault, std::string_view id) {
    return std::ranges::any_of(fault.effects, [&](const auto& effect) { return names(effect.signals, id); });
}

bool asks_about(const Fault& fault, std::string_view id) {
    const auto opposes = [&](const auto& opposition) { return names(opposition.signals, id); };
    return speaks_for(fault, id) || names(fault.ask_for, id) || std::ranges::any_of(fault.contradicted_by, opposes) ||
           std::ranges::any_of(fault.cleared_by, opposes) ||
           std::ranges::any_of(fault.chain, [&](const auto& step) { return names(step.shown_by, id); }) ||
           std::ranges::any_of(fault.plan, [&](const auto& rule) {
               return names(rule.when.any, id) || names(rule.when.all, id) || names(rule.when.none, id);
           });
}

}  // namespace

Coverage coverage_of(const Catalogue& catalogue) {
    Coverage out;
    const auto signals = all_signals(catalogue);
    out.signals = signals.size();
    for (const auto& fault_class : catalogue.classes) {
        ClassCoverage row{fault_class.id};
        std::set<std::string_view> speaking;
        for (const auto& fault : catalogue.faults) {
            if (fault.class_ != fault_class.id) continue;
            ++row.faults;
            for (const auto& signal : signals)
                if (speaks_for(fault, signal.id)) speaking.insert(signal.id);
        }
        row.signals = speaking.size();
        out.classes.push_back(row);
    }
    for (const auto& signal : signals) {
        const bool explained =
            std::ranges::any_of(catalogue.faults, [&](const auto& fault) { return speaks_for(fault, signal.id); });
        if (!explained && signal.severity >= model::Severity::warning) out.unexplained.push_back(signal.id);
    }
    for (const auto& signal : catalogue.signals) {
        const bool asked =
            std::ranges::any_of(catalogue.faults, [&](const auto& fault) { return asks_about(fault, signal.id); });
        if (!asked && signal.codes.empty() && signal.severity == model::Severity::info) out.unused.push_back(signal.id);
    }
    return out;
}

std::string render_coverage_text(const Coverage& coverage, const report::TextOptions& options) {
    constexpr std::size_t kIdColumns = 44;
    report::Page page(options);
    const auto row = [&](std::string_view id, const std::string& faults, const std::string& signals) {
        page.one_line(0, report::pad(std::string(id), kIdColumns) + report::pad(faults, 10) + signals);
    };
    row(page.say(Localized{"class", "분류"}), page.say(Localized{"faults", "장애"}),
        page.say(Localized{"signals that speak for them", "근거가 되는 신호"}));
    for (const auto& each : coverage.classes) row(each.id, std::to_string(each.faults), std::to_string(each.signals));
    const auto list = [&](const Localized& heading, const auto& ids) {
        if (ids.empty()) return;
        page.heading(page.say(heading) + fmt::format(" ({}/{})", ids.size(), coverage.signals));
        for (const auto& id : ids) page.item(2, "-", std::string(id));
    };
    list({"SIGNALS THAT NO FAULT EXPLAINS", "설명하는 장애가 없는 신호"}, coverage.unexplained);
    list({"FACTS THAT NO FAULT ASKS ABOUT", "어떤 장애에서도 쓰이지 않는 사실"}, coverage.unused);
    return page.take();
}

std::string render_coverage_json(const Coverage& coverage, std::string_view version) {
    codec::JsonWriter json;
    json.begin_object().member("schema", "gpumedic.coverage/v1").member("version", version);
    json.key("signals").number(std::uint64_t{coverage.signals}).key("classes").begin_array();
    for (const auto& each : coverage.classes) {
        json.begin_object().member("class", each.id).key("faults").number(std::uint64_t{each.faults});
        json.key("signals").number(std::uint64_t{each.signals}).end_object();
    }
    json.end_array().key("unexplained").begin_array();
    for (const auto& id : coverage.unexplained) json.string(id);
    json.end_array().key("unused").begin_array();
    for (const auto& id : coverage.unused) json.string(id);
    json.end_array().end_object();
    return json.take();
}

}  // namespace gpumedic::cli
