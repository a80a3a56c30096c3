// The answer: schema gpumedic.diagnosis/v1 as values. Renderers (src/report) turn it into bytes; nobody else formats
// it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/timestamp.h"
#include "model/localized.h"
#include "model/signal.h"

namespace gpumedic::model {

enum class Verdict : std::uint8_t { healthy, inconclusive, fault };
[[nodiscard]] std::string_view to_string(Verdict verdict);
/// Exit code of `diagnose`: healthy 0, fault 1, inconclusive 2.
[[nodiscard]] int exit_code(Verdict verdict);

enum class IncidentState : std::uint8_t { open, cleared, earlier_boot };
[[nodiscard]] std::string_view to_string(IncidentState state);

/// Whether evidence shows a thing, or it follows from other things.
enum class How : std::uint8_t { seen, inferred };
[[nodiscard]] std::string_view to_string(How how);

struct Holder {
    std::string vm{};
    std::string namespace_{};
    std::string pod{};
    [[nodiscard]] bool empty() const { return vm.empty() && pod.empty(); }
    bool operator==(const Holder&) const = default;
};

struct Device {
    std::string kind{"gpu"};  // gpu, nvswitch, nic, port, drive, usb, audio, pci (another function), vm
    std::string pci{};        // "0000:ed:00.0"
    std::string uuid{};
    std::optional<int> index{};
    std::optional<int> link{};
    std::optional<int> nvswitch{};
    std::string iommu_group{};
    enum class Role : std::uint8_t { root, victim } role{Role::root};
    How joined{How::seen};
    Holder holder{};
};

struct ChainLink {
    Localized from{};
    Localized to{};
    How how{How::inferred};
    std::vector<std::size_t> evidence{};  // indexes into Incident::evidence
};

/// A number or word of the line, said in words.
struct DecodedValue {
    std::string field{};
    std::string value{};
    std::string name{};
    Localized text{};
    bool operator==(const DecodedValue&) const = default;
};

struct EvidenceItem {
    std::string source{};
    std::uint64_t line{};
    std::optional<base::Timestamp> time{};
    std::string text{};
    std::string signal{};  // id
    Localized title{};     // of the signal
    std::uint64_t count{1};
    std::vector<DecodedValue> decoded{};
};

struct MissingEvidence {
    Localized what{};
    std::string command{};
};

struct Alternative {
    std::string fault{};
    std::string class_{};
    Localized title{};
    double confidence{};
    Localized why_less{};
};

struct PlanStep {
    Localized do_{};
    Localized why{};
    std::string command{};
    Localized risk{};
};

struct AlternativeAction {
    std::string class_{};
    Localized title{};
    std::vector<PlanStep> steps{};
    Localized when{};
};

struct ActionPlan {
    std::string class_{
        "none"};  // rung of the ladder: none, wait, investigate, restart_app, fix_config, reload_driver, ...
    Localized title{};
    std::vector<PlanStep> steps{};
    std::vector<Localized> must_not{};
    Localized why_not_less{};
    std::vector<AlternativeAction> alternatives{};
};

struct VerificationStep {
    Localized check{};
    std::string command{};
    Localized expect{};
};

struct BlastRadius {
    std::vector<std::string> vms{};  // "train/slurm-gpu-vm-07"
    std::vector<std::string> jobs{};
    std::vector<std::string> peers{};  // other devices that the action touches
    Localized scheduling{};
};

struct Incident {
    std::string id{};     // "1": position in the answer
    std::string fault{};  // catalogue id
    std::string class_{};
    Localized title{};
    Severity severity{Severity::error};
    IncidentState state{IncidentState::open};
    double confidence{};  // 0..1
    std::string node{};
    std::string boot{};
    std::uint64_t boots{1};          // in so many boots of the evidence the same fault was found on the same device
    std::string strategy{"advise"};  // the site's: observe, advise, act
    std::optional<base::Timestamp> first_seen{};
    std::optional<base::Timestamp> last_seen{};
    std::vector<Device> devices{};
    Localized cause{};
    std::vector<ChainLink> chain{};
    std::vector<EvidenceItem> evidence{};
    std::vector<EvidenceItem> against{};
    std::vector<MissingEvidence> missing{};
    std::vector<Alternative> alternatives{};
    BlastRadius blast_radius{};
    ActionPlan action{};
    std::vector<VerificationStep> verification{};
};

struct BenignFinding {
    std::string signal{};
    Localized title{};
    Localized why{};
    std::vector<EvidenceItem> evidence{};
};

/// ok, absent, denied, timed_out, truncated, blocked, failed, unrecognised, empty, binary
struct Source {
    std::string name{};
    std::string kind{};  // reader name, or "" where nothing recognised it
    std::string outcome{"ok"};
    std::string note{};  // why, where the outcome is not ok
    std::uint64_t records{};
    std::uint64_t malformed{};
    std::vector<std::string> malformed_at{};  // "kernel.log:17: why", the first few
    Vantage vantage{Vantage::unknown};
    bool speaks_of_gpus{false};  // a GPU fault would have shown here
};

struct NodeVerdict {
    std::string node{};
    Verdict verdict{Verdict::inconclusive};
};

struct Diagnosis {
    Verdict verdict{Verdict::inconclusive};
    Localized summary{};               // one sentence below the verdict
    std::string catalogue{};           // version
    std::vector<NodeVerdict> nodes{};  // only where there are several
    std::vector<Incident> incidents{};
    std::vector<BenignFinding> benign{};
    std::vector<EvidenceItem> unexplained{};  // signals of weight that no incident explains
    std::vector<MissingEvidence> missing{};   // what to collect when the verdict is healthy or inconclusive
    std::vector<Source> sources{};
    std::map<std::string, std::uint64_t> stats{};
};

}  // namespace gpumedic::model
