// The compiled catalogue: what a message means, what can be wrong, what to do. Plain values, read-only after loading.
// The YAML form is described in docs/catalogue.md; reader.h reads it, compiler.h checks it, blob.h embeds it.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "model/localized.h"
#include "model/record.h"
#include "model/signal.h"

namespace gpumedic::knowledge {

using model::Localized;

/// One condition on a record's field. All conditions of a signal must hold.
struct FieldCondition {
    enum class Test : std::uint8_t {
        any_of,    // the field is one of `values`
        none_of,   // the field is present and none of `values`
        at_least,  // a number >= values[0]
        at_most,   // a number <= values[0]
        below,     // a number less than what the table values[0] expects for the field values[1]
        reaches,   // a number not less than that
        absent     // the record has no such field
    };
    std::string field{};
    Test test{Test::any_of};
    std::vector<std::string> values{};
};

/// An example that a definition carries: either a line (for patterns) or a record's fields (for conditions).
struct Example {
    std::string line{};
    std::vector<std::pair<std::string, std::string>> fields{};
    std::string type{};                                        // record type; default: the first of `in`
    std::string gives_id{};                                    // expected id (families with codes)
    std::vector<std::pair<std::string, std::string>> gives{};  // expected captures
};

/// What a value of a table means: "0x65 is NV_ERR_TIMEOUT". One matcher for each key of the table, all must hold:
/// a number (equal as a number, decimal or 0x), a text (equal, case does not matter), a bit pattern ("--01", '-' is
/// either, lowest bit last), "bit:5" (that bit is set), or "has:H100" (the text contains it, case does not matter).
struct TableRow {
    std::vector<std::string> is{};
    std::string name{};  // NV_ERR_TIMEOUT; may be empty; a number where conditions compare with it
    Localized text{};
};

/// Numbers and words that lines carry, decoded. Rows are independent: a register word can match several bits.
struct CodeTable {
    std::string id{};
    Localized title{};
    std::vector<std::string> keys{};  // what the matchers of a row stand for; at least one
    std::string source{};
    std::vector<TableRow> rows{};
    std::string file{};
};

/// Which captures or fields of a signal are looked up in which table.
struct Decode {
    std::string table{};
    std::vector<std::string> of{};  // names of fields, in the order of the table's keys
    bool hexadecimal{false};        // the numbers are hexadecimal without 0x
};

struct Code {
    std::string code{};  // "79"
    Localized title{};
    Localized meaning{};
    model::Severity severity{model::Severity::error};
    std::string source{};
};

struct Signal {
    std::string id{};
    std::string family{};                 // the file's family
    std::vector<model::RecordType> in{};  // record types it is looked for in
    std::string pattern{};                // RE2; empty where only conditions count
    std::string literal{};                // what every match contains (filled by the compiler); empty: no pattern
    std::vector<FieldCondition> where{};
    model::Severity severity{model::Severity::error};
    Localized title{};
    Localized meaning{};
    std::string source{};       // of the fact
    std::vector<Code> codes{};  // by capture "code": id becomes "<id>.<code>"; a code not listed gives "<id>.other"
    std::vector<Decode> decode{};
    std::string device_kind{};  // of what it names, where that is no GPU or NVSwitch: nic, port, drive, usb, other
    Localized obtain{};         // what to collect to see it; empty: nothing to ask for
    std::string obtain_command{};
    std::vector<Example> match{};
    std::vector<Example> no_match{};
    std::string file{};  // where it is defined, "signals/xid.yaml:12"
};

enum class Scope : std::uint8_t {
    same_device,  // the same PCI function (or a name that resolves to it)
    same_card,    // any function of the same card
    same_group,   // any device of the same IOMMU group
    peer,         // another GPU or NVSwitch of the node: becomes a victim
    holder_vm,    // the VM that holds the device
    same_vm,      // for faults about a VM
    same_node
};

/// How often the fault shows the effect: what its absence costs where the source was read.
enum class Strength : std::uint8_t { sometimes, usual, always };
/// How much seeing the effect speaks for this fault and against others.
enum class Weight : std::uint8_t { weak, moderate, strong, decisive };

struct Effect {
    std::vector<std::string> signals{};  // any of them; "xid.*" means the family
    std::string fault{};                 // or: this fault follows
    Scope scope{Scope::same_device};
    Strength strength{Strength::usual};
    Weight weight{Weight::moderate};
    bool inferred{false};                          // the causal link itself is not observed
    std::optional<std::chrono::seconds> within{};  // of the fault's first own effect
    std::uint64_t min_count{1};                    // true repeats that it takes to count
    std::optional<std::chrono::seconds> apart{};   // the first and the last of them are at least so far apart
    std::uint64_t min_boots{1};                    // seen in so many boots; above 1 earlier boots count too
};

struct Opposition {
    std::vector<std::string> signals{};
    Scope scope{Scope::same_device};
    Weight weight{Weight::strong};
    bool after_last_effect{
        false};  // counts only when it is later than the last effect (an undated state read is "now")
};

struct ChainStep {
    Localized text{};
    std::vector<std::string> shown_by{};  // signals; empty or unseen: inferred
};

/// When a plan or an alternative applies. Names are signals ("xid.79", "xid.*") or "fault:<id>" for a fault in the
/// incident.
struct Condition {
    std::vector<std::string> any{};
    std::vector<std::string> all{};
    std::vector<std::string> none{};
    std::uint64_t boots{0};  // the same fault was found on the same device in at least so many boots
    [[nodiscard]] bool empty() const { return any.empty() && all.empty() && none.empty() && boots == 0; }
};

struct PlanRule {
    std::string action{};  // id
    Condition when{};      // empty: always
    Localized why{};
    Localized why_not_less{};
};

struct AlternativeRule {
    std::string action{};
    Localized when{};
};

/// What a site wants done about a fault: only record it, propose the step (the default), or let it be carried out.
enum class Strategy : std::uint8_t { observe, advise, act };
[[nodiscard]] std::string_view to_string(Strategy strategy);

enum class About : std::uint8_t { device, vm, node };
enum class Prior : std::uint8_t { rare, uncommon, common };

struct Fault {
    std::string id{};
    std::string class_{};  // "healthy" marks a benign explanation
    About about{About::device};
    Prior prior{Prior::uncommon};
    Strategy strategy{Strategy::advise};
    model::Severity severity{model::Severity::error};
    Localized title{};  // placeholders: {device} {vm} {node}
    Localized cause{};
    Localized why_less{};  // said where this fault is only an alternative
    Localized scheduling{};
    std::string source{};
    std::vector<Effect> effects{};
    std::vector<Opposition> contradicted_by{};
    std::vector<Opposition> cleared_by{};
    std::vector<ChainStep> chain{};
    std::vector<PlanRule> plan{};
    std::vector<AlternativeRule> alternatives{};
    std::vector<Localized> must_not{};
    std::vector<std::string> checks{};
    std::vector<std::string> ask_for{};  // signals whose absence from the evidence is worth a command
    std::string file{};

    [[nodiscard]] bool benign() const { return class_ == "healthy"; }
};

struct Step {
    Localized do_{};
    Localized why{};
    std::string command{};
    Localized risk{};
};

enum class Reach : std::uint8_t { none, app, device, vm, node };

struct Action {
    std::string id{};
    std::string class_{};  // a rung of the ladder
    Reach reach{Reach::none};
    Localized title{};
    std::vector<Step> steps{};
    std::vector<Localized> must_not{};
    std::string source{};
    std::string file{};
};

struct Check {
    std::string id{};
    Localized title{};
    std::string command{};
    Localized expect{};
    std::string source{};
    std::string file{};
};

struct FaultClass {
    std::string id{};
    Localized meaning{};
};

/// A site's wish about one definition that it does not rewrite. Applied by the loader; none is left in a Catalogue.
struct Override {
    std::string id{};  // "fault:gsp.timeout" or "signal:xid.13"
    std::optional<model::Severity> severity{};
    std::string action{};  // of a fault: this action in place of the plan's
    Localized why{};
    std::optional<Strategy> strategy{};
};

struct Catalogue {
    std::string version{};  // date and content hash: "2026.11+1f3a9c2d"
    std::vector<Signal> signals{};
    std::vector<Fault> faults{};
    std::vector<Action> actions{};
    std::vector<Check> checks{};
    std::vector<FaultClass> classes{};
    std::vector<CodeTable> tables{};
};

/// Read-only look-up over a catalogue, which must outlive it. Thread-safe.
class Index {
public:
    explicit Index(const Catalogue& catalogue);
    [[nodiscard]] const Catalogue& catalogue() const { return *catalogue_; }
    /// "xid.79" gives the signal "xid"; `code_of` the row of its table (or nullptr).
    [[nodiscard]] const Signal* signal(std::string_view id) const;
    [[nodiscard]] const Code* code_of(std::string_view id) const;
    [[nodiscard]] const Fault* fault(std::string_view id) const;
    [[nodiscard]] const Action* action(std::string_view id) const;
    [[nodiscard]] const Check* check(std::string_view id) const;
    [[nodiscard]] const FaultClass* fault_class(std::string_view id) const;
    [[nodiscard]] const CodeTable* table(std::string_view id) const;
    /// Title of a signal id, its code's where it has one.
    [[nodiscard]] const Localized& title_of(std::string_view signal_id) const;

private:
    const Catalogue* catalogue_;
    std::unordered_map<std::string_view, const Signal*> signals_;
    std::unordered_map<std::string_view, const Fault*> faults_;
    std::unordered_map<std::string_view, const Action*> actions_;
    std::unordered_map<std::string_view, const Check*> checks_;
    std::unordered_map<std::string_view, const FaultClass*> classes_;
    std::unordered_map<std::string_view, const CodeTable*> tables_;
};

/// Does `id` ("xid.79") fall under `wanted` ("xid.79", or the family form "xid.*")?
[[nodiscard]] bool matches_id(std::string_view wanted, std::string_view id);

}  // namespace gpumedic::knowledge
