#include "diagnosis/diagnose.h"

#include <algorithm>

#include "base/text.h"
#include "bundle/bundle.h"
#include "pipeline/pipeline.h"
#include "pipeline/summary.h"
#include "plan/plan.h"
#include "signals/scan.h"
#include "signals/signal_set.h"

namespace gpumedic::pipeline {
namespace {

using base::Timestamp;

bool outside(const model::Record& record, const Request& request) {
    if (!record.time || record.time->clock != Timestamp::Clock::wall) return false;
    return (request.since && record.time->value < request.since->value) ||
           (request.until && record.time->value > request.until->value);
}

struct Reading {
    diagnosis::Evidence evidence;
    std::uint64_t records{};
    std::uint64_t dropped{};
};

base::Result<Reading> read(const knowledge::Index& catalogue, ports::EvidenceTree& tree, const Request& request) {
    Reading reading;
    signals::Scanner scanner(catalogue.catalogue());
    signals::SignalSet set;
    auto& types = reading.evidence.record_types;
    bundle::Options options;
    options.time = request.time;
    auto sources =
        bundle::read_evidence(tree, request.paths, options, [&](std::uint32_t source, const model::Record& record) {
            ++reading.records;
            if (request.on_record) request.on_record(source, record);
            if (types.size() <= source) types.resize(source + 1, 0);
            types[source] |= std::uint32_t{1} << static_cast<unsigned>(record.type);
            for (auto& signal : scanner.scan(source, record)) {
                if (diagnosis::starts_boot(signal.id)) set.mark_boot(source);
                if (!outside(record, request)) set.add(source, std::move(signal));
            }
        });
    if (!sources) return tl::make_unexpected(sources.error());
    reading.evidence.sources = std::move(*sources);
    types.resize(reading.evidence.sources.size(), 0);
    reading.evidence.signals = set.finish(reading.evidence.sources, request.time.present);
    reading.dropped = set.dropped();
    for (const auto& folded : reading.evidence.signals)
        for (const auto& ref : folded.signal.evidence)
            if (diagnosis::speaks_of_gpus(folded.signal)) reading.evidence.sources[ref.source].speaks_of_gpus = true;
    // Only the asked boot: 0 the last, -1 the one before. It becomes "now", so that nothing of it counts as an earlier
    // boot.
    if (request.boot) {
        const auto back = static_cast<std::uint32_t>(std::max(0, -*request.boot));
        std::erase_if(reading.evidence.signals, [&](const auto& s) { return s.boot != back; });
        for (auto& s : reading.evidence.signals) s.boot = 0;
    }
    return reading;
}

base::Result<std::vector<diagnosis::NodeFindings>> only_node(std::vector<diagnosis::NodeFindings> nodes,
                                                             const std::string& wanted) {
    if (wanted.empty()) return nodes;
    const auto name = base::lower(wanted.substr(0, wanted.find('.')));
    std::string known;
    for (const auto& node : nodes)
        known += (known.empty() ? "" : ", ") + (node.node.empty() ? std::string("(unnamed)") : node.node);
    std::erase_if(nodes, [&](const auto& n) { return n.node != name; });
    if (nodes.empty())
        return base::fail(base::ErrorCode::usage, "no evidence of node '" + wanted + "'", "--node",
                          "nodes in this evidence: " + known);
    return nodes;
}

void append(model::Diagnosis& answer, diagnosis::NodeFindings& node) {
    for (auto& finding : node.findings) answer.incidents.push_back(std::move(finding.incident));
    std::ranges::move(node.benign, std::back_inserter(answer.benign));
    std::ranges::move(node.unexplained, std::back_inserter(answer.unexplained));
}

/// The worst of the nodes speaks for all.
model::Verdict worst(const std::vector<diagnosis::NodeFindings>& nodes) {
    const auto has = [&](model::Verdict v) {
        return std::ranges::any_of(nodes, [&](const auto& n) { return n.verdict == v; });
    };
    if (has(model::Verdict::fault)) return model::Verdict::fault;
    return has(model::Verdict::healthy) && !has(model::Verdict::inconclusive) ? model::Verdict::healthy
                                                                              : model::Verdict::inconclusive;
}

bool is_open(const model::Incident& i) { return i.state == model::IncidentState::open; }

}  // namespace

base::Result<model::Diagnosis> diagnose(const knowledge::Index& catalogue, ports::EvidenceTree& tree,
                                        const Request& request) {
    auto reading = read(catalogue, tree, request);
    if (!reading) return tl::make_unexpected(reading.error());
    auto nodes = only_node(diagnosis::diagnose(catalogue, reading->evidence), request.node);
    if (!nodes) return tl::make_unexpected(nodes.error());

    model::Diagnosis answer;
    answer.catalogue = catalogue.catalogue().version;
    answer.verdict = worst(*nodes);
    const bool spoke = std::ranges::any_of(*nodes, &diagnosis::NodeFindings::gpu_evidence);
    for (auto& node : *nodes) {
        if (nodes->size() > 1) answer.nodes.push_back({node.node, node.verdict});
        for (auto& finding : node.findings) plan::add_plan(catalogue, finding);
        append(answer, node);
    }
    std::ranges::stable_sort(answer.incidents, [](const auto& a, const auto& b) {
        return std::tuple(!is_open(a), -a.confidence) < std::tuple(!is_open(b), -b.confidence);
    });
    for (std::size_t i = 0; i < answer.incidents.size(); ++i) answer.incidents[i].id = std::to_string(i + 1);
    answer.sources = std::move(reading->evidence.sources);
    answer.stats = {{"records", reading->records},
                    {"signals", reading->evidence.signals.size()},
                    {"dropped_signals", reading->dropped}};
    answer.summary = summarise(answer, spoke ? GpuEvidence::some : GpuEvidence::none);
    if (answer.verdict == model::Verdict::inconclusive) answer.missing = what_to_collect(catalogue);
    return answer;
}

}  // namespace gpumedic::pipeline
