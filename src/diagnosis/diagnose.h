// The engine's front door.
#pragma once

#include <string>
#include <vector>

#include "diagnosis/observation.h"
#include "knowledge/catalogue.h"
#include "model/diagnosis.h"

namespace gpumedic::diagnosis {

/// An incident with what the planner needs beside it.
struct Finding {
    model::Incident incident;                     // without action, verification and blast radius
    std::vector<const knowledge::Fault*> faults;  // the root first, then what follows from it
    std::vector<std::string> related_signals;     // ids about its devices, VMs or the node as a whole, sorted
    std::vector<std::string> node_vms;            // VMs that evidence places on the node ("namespace/name"), sorted
    std::vector<std::string> node_devices;        // devices known on the node, sorted
    std::vector<std::string> device_uuids;        // of the root device; for commands
    std::uint64_t boots{1};                       // in so many boots the same fault was found on the same device
};

struct NodeFindings {
    std::string node;
    std::vector<Finding> findings;  // the most important open one first
    std::vector<model::BenignFinding> benign;
    std::vector<model::EvidenceItem> unexplained;
    bool gpu_evidence{false};  // a source in which a GPU fault would have shown was read
    model::Verdict verdict{model::Verdict::inconclusive};
};

/// A verdict of `fault` needs at least this much.
inline constexpr double kFaultThreshold = 0.6;
/// Below this an incident is not worth a reader's time; its signals are listed as unexplained.
inline constexpr double kReportThreshold = 0.3;

/// A GPU fault would have shown where this signal stands: a kernel log that speaks of the GPU stack, a listing of GPUs.
[[nodiscard]] bool speaks_of_gpus(const model::Signal& signal);

/// One result per node, sorted by name. Pure: the same evidence gives the same answer. Not bounded by time: work is
/// proportional to faults x signals, and signals are bounded (signals::SignalSet).
[[nodiscard]] std::vector<NodeFindings> diagnose(const knowledge::Index& catalogue, const Evidence& evidence);

}  // namespace gpumedic::diagnosis
