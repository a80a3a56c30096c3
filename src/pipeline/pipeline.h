// One run: evidence -> records -> signals -> diagnosis -> plan -> the answer as values.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "base/timestamp.h"
#include "knowledge/catalogue.h"
#include "model/diagnosis.h"
#include "model/record.h"
#include "ports/evidence_tree.h"

namespace gpumedic::pipeline {

struct Request {
    std::vector<std::string> paths;        // files, folders, "-"
    std::optional<base::Timestamp> since;  // records before are left out (undated ones stay)
    std::optional<base::Timestamp> until;
    std::optional<int> boot;  // 0 the last boot, -1 the one before (journalctl's habit)
    std::string node;         // only this node's evidence
    base::TimeContext time;   // for times without zone or year
    /// Sees every record and its source's index in Diagnosis::sources; views are valid during the call.
    std::function<void(std::uint32_t source, const model::Record& record)> on_record{};
};

/// Errors: no readable input (not_found, denied), unknown node (usage). The answer is the same for the same input, byte
/// for byte.
[[nodiscard]] base::Result<model::Diagnosis> diagnose(const knowledge::Index& catalogue, ports::EvidenceTree& evidence,
                                                      const Request& request);

/// What the catalogue knows of one thing a user typed: "Xid 79", "79", a signal, fault, class, action, or a pasted
/// line.
struct Explanation {
    std::string query;
    std::string kind;  // "signal", "fault", "class", "action", "check", "value" (of a table); empty: unknown
    std::string id;    // "xid.79"
    model::Localized title;
    model::Localized meaning;
    std::string severity;
    std::string source;
    std::vector<std::pair<std::string, std::string>> fields;       // what was read from a line: pci, pid ...
    std::vector<model::DecodedValue> decoded;                      // those of them that a table says in words
    std::vector<std::pair<std::string, model::Localized>> faults;  // usual causes: faults that show it (id, title)
    std::vector<std::pair<std::string, model::Localized>>
        actions;  // classes of action those faults propose (class, title)
};

/// Answers for codes, names and lines. Holds a scanner, so that many lines cost little each. Not thread-safe; the
/// catalogue must outlive it.
class Explainer {
public:
    explicit Explainer(const knowledge::Index& catalogue);
    ~Explainer();
    Explainer(Explainer&&) noexcept;
    Explainer& operator=(Explainer&&) noexcept;
    /// A line can carry several signals: one explanation each, the gravest first. Nothing known: one with an empty
    /// kind.
    [[nodiscard]] std::vector<Explanation> explain(std::string_view query);

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

/// One question, answered by an Explainer of its own.
[[nodiscard]] std::vector<Explanation> explain(const knowledge::Index& catalogue, std::string_view query);

}  // namespace gpumedic::pipeline
