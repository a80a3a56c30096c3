#include "diagnosis/diagnose.h"

#include <algorithm>
#include <map>
#include <set>

#include "diagnosis/hypothesis.h"
#include "diagnosis/incident.h"
#include "diagnosis/select.h"

namespace gpumedic::diagnosis {
namespace {

using model::IncidentState;
using model::RecordType;
using model::Severity;
using model::Verdict;

void explain_epoch(const knowledge::Index& catalogue, const Evidence& evidence, const NodeView& node,
                   std::uint32_t epoch, NodeFindings& out) {
    const auto hypotheses = make_hypotheses(catalogue, node, epoch);
    const auto selection = select_roots(node, hypotheses, epoch);
    const Scene scene{catalogue, evidence, node, hypotheses};

    // The same fault on several devices is one incident; keyed by the first place so that the order of importance
    // stays.
    std::vector<std::vector<std::size_t>> groups;
    std::map<std::string, std::size_t> group_of;
    for (const auto root : selection.roots) {
        const auto& fault = *hypotheses[root].fault;
        if (fault.benign()) {
            if (epoch == 0) out.benign.push_back(make_benign(scene, root));
            continue;
        }
        const auto [it, fresh] = group_of.try_emplace(fault.id, groups.size());
        if (fresh) groups.emplace_back();
        groups[it->second].push_back(root);
    }
    for (const auto& roots : groups) {
        auto finding = make_finding(scene, roots);
        // What shows that it is over also speaks against it: well shown before, it is told as over, not as unsure.
        const bool shown_and_over =
            finding.incident.state == IncidentState::cleared && hypotheses[roots.front()].own_support >= kRootSupport;
        if (finding.incident.confidence >= kReportThreshold || shown_and_over) {
            out.findings.push_back(std::move(finding));
        } else if (epoch == 0) {
            out.unexplained.insert(out.unexplained.end(), finding.incident.evidence.begin(),
                                   finding.incident.evidence.end());
        }
    }
    if (epoch != 0) return;
    for (const auto i : selection.unexplained)
        for (auto& item : evidence_items(scene, i)) out.unexplained.push_back(std::move(item));
}

bool shares_root(const model::Incident& a, const model::Incident& b) {
    const auto same = [](const model::Device& x, const model::Device& y) {
        return x.role == model::Device::Role::root && y.role == x.role && x.kind == y.kind &&
               ((!x.pci.empty() && x.pci == y.pci) || (!x.uuid.empty() && x.uuid == y.uuid) ||
                (x.nvswitch && x.nvswitch == y.nvswitch));
    };
    return std::ranges::any_of(a.devices, [&](const auto& x) {
        return std::ranges::any_of(b.devices, [&](const auto& y) { return same(x, y); });
    });
}

/// A device that fails in the same way boot after boot is not helped by another boot.
void count_boots(std::vector<Finding>& findings) {
    for (auto& finding : findings) {
        std::set<std::string> boots{finding.incident.boot};
        for (const auto& other : findings)
            if (other.incident.fault == finding.incident.fault && shares_root(finding.incident, other.incident))
                boots.insert(other.incident.boot);
        finding.boots = boots.size();
        finding.incident.boots = boots.size();
    }
}

bool unexplained_error(const knowledge::Index& catalogue, const NodeFindings& node) {
    return std::ranges::any_of(node.unexplained, [&](const auto& item) {
        const auto* signal = catalogue.signal(item.signal);
        const auto* code = catalogue.code_of(item.signal);
        const auto severity = code != nullptr ? code->severity : signal != nullptr ? signal->severity : Severity::info;
        return severity >= Severity::error;
    });
}

Verdict verdict_of(const knowledge::Index& catalogue, const NodeFindings& node) {
    bool open = false;
    for (const auto& f : node.findings) {
        if (f.incident.state != IncidentState::open) continue;
        if (f.incident.confidence >= kFaultThreshold) return Verdict::fault;
        open = true;
    }
    if (open || unexplained_error(catalogue, node) || !node.gpu_evidence) return Verdict::inconclusive;
    return Verdict::healthy;
}

auto importance(const Finding& f) {
    const auto& i = f.incident;
    // Open before over; sure before unsure; grave before slight. The id decides between equals.
    return std::tuple(i.state != IncidentState::open, i.confidence < kFaultThreshold, -static_cast<int>(i.severity),
                      -i.confidence, i.fault);
}

}  // namespace

bool speaks_of_gpus(const model::Signal& signal) {
    if (starts_boot(signal.id)) return false;
    switch (signal.record) {
        case RecordType::kernel:
        case RecordType::gpu:
        case RecordType::nvlink:
        case RecordType::pci_device:
        case RecordType::pci_register:
        case RecordType::smi_line:
        case RecordType::dcgm: return true;
        default: return false;  // a pasted line shows what it shows, not that nothing else was there
    }
}

std::vector<NodeFindings> diagnose(const knowledge::Index& catalogue, const Evidence& evidence) {
    std::vector<NodeFindings> results;
    for (const auto& node : view_nodes(evidence)) {
        NodeFindings out;
        out.node = node.name;
        for (std::uint32_t epoch = 0; epoch < node.epochs; ++epoch)
            explain_epoch(catalogue, evidence, node, epoch, out);
        count_boots(out.findings);
        std::ranges::stable_sort(out.findings, {}, importance);
        for (std::size_t i = 0; i < out.findings.size(); ++i) out.findings[i].incident.id = std::to_string(i + 1);
        out.gpu_evidence =
            std::ranges::any_of(node.observations, [&](const auto& o) { return speaks_of_gpus(o.signal()); });
        out.verdict = verdict_of(catalogue, out);
        results.push_back(std::move(out));
    }
    return results;
}

}  // namespace gpumedic::diagnosis
