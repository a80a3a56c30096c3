// Checks what no single file can show, and fills what is derived. Private to the module.
#pragma once

#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "knowledge/collector.h"

namespace gpumedic::knowledge {

/// Ids that a reference can mean. Holds views into the collected definitions.
class KnownNames {
public:
    explicit KnownNames(const Collected& collected);

    enum class Kind : std::uint8_t { signal, fault, action, check, fault_class };
    /// Does `name` mean something? Always true for a kind of which a file could not be read.
    [[nodiscard]] bool has(Kind kind, std::string_view name) const;
    /// What to write instead, or "".
    [[nodiscard]] std::string help_for(Kind kind, std::string_view name) const;

private:
    struct Names {
        std::unordered_set<std::string> set;
        std::vector<std::string_view> list;
        bool complete{true};
        void add(std::string name);
    };
    [[nodiscard]] const Names& names(Kind kind) const { return names_[static_cast<std::size_t>(kind)]; }
    void add_signals(const std::vector<Definition<Signal>>& signals);

    Names names_[5];
    std::unordered_set<std::string> with_codes_;  // "xid": seen only as "xid.<code>"
};

/// One name that a definition uses, and the key of the definition below which it stands.
struct Reference {
    KnownNames::Kind kind;
    std::string name;
    std::string_view section;
};

/// Fills Signal::literal and reports what is wrong with patterns, groups, codes and examples.
void compile_signals(Collected& collected, ProblemList& problems);
/// Rows against the keys of their table, and the tables that signals decode with.
void compile_tables(const Collected& collected, ProblemList& problems);
/// A site's wishes, laid into the definitions that they name.
void apply_overrides(Collected& collected, const KnownNames& known, ProblemList& problems);
/// Everything that a fault names, in the order of its keys.
[[nodiscard]] std::vector<Reference> references_of(const Fault& fault);
void compile_faults(const Collected& collected, const KnownNames& known, ProblemList& problems);
/// Reports faults that cause themselves.
void check_cycles(const Collected& collected, ProblemList& problems);
void compile_actions(const Collected& collected, ProblemList& problems);

/// The place of the scalar `text` below `section` of the definition; the definition's own place where it is not found.
[[nodiscard]] Place locate(const codec::Value* node, const Place& definition, std::string_view section,
                           std::string_view text);

/// Names in braces ("{pci}") that are none of `known`; "${X}" and awk's programs are not meant.
[[nodiscard]] std::vector<std::string> unknown_placeholders(std::string_view text,
                                                            const std::vector<std::string_view>& known);
/// Warns about placeholders that no command has.
void check_command(const std::string& command, const Place& place, ProblemList& problems);

}  // namespace gpumedic::knowledge
