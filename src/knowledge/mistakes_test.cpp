// Every CAT code by one edit of a sound catalogue: the code, and that the shown line is the guilty one.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <ostream>
#include <set>

#include "knowledge/test_catalogue.h"

namespace gpumedic::knowledge {
namespace {

using ::testing::HasSubstr;

struct Edit {
    std::string name;
    std::string code;
    std::string file;
    std::string from;  // replaced, once; empty: `to` is appended
    std::string to;
    std::string snippet;  // part of the shown line
    std::string said;     // part of what or help
};

void PrintTo(const Edit& edit, std::ostream* out) { *out << edit.name; }

const std::string kXid = "signals/xid.yaml";
const std::string kGone = "faults/pci.gone.yaml";
const std::string kPower = "actions/cold_reboot.yaml";
const std::string kCheck = "checks/checks.yaml";
const std::string kClass = "classes/classes.yaml";
const std::string kTable = "tables/tables.yaml";

// clang-format off: one line per mistake
const std::vector<Edit> kEdits{
    {"syntax", "CAT-001", kXid, "where: {}", "where: {", "", ""},
    {"duplicate_key", "CAT-001", kXid, "    severity: fatal\n", "    severity: fatal\n    severity: info\n", "severity", "severity"},
    {"not_utf8", "CAT-001", kXid, "a vendor's", "\xff", "", "UTF-8"},
    {"unknown_key", "CAT-002", kXid, "pattern:", "patern:", "patern", "did you mean 'pattern'?"},
    {"unknown_file_key", "CAT-002", kCheck, "checks:", "extra: 1\nchecks:", "extra", "'extra'"},
    {"comma_in_text", "CAT-002", kPower, "en: power cycle", "en: power, cycle", "power, cycle", "quote"},
    {"missing_title", "CAT-003", kXid, "    title: {en: Xid, ko: Xid 보고}\n", "", "- id: xid", "'title'"},
    {"missing_scope", "CAT-003", kGone, "scope: same_card", "strength: usual", "xid.*", "'scope'"},
    {"key_without_value", "CAT-003", kGone, "checks: [kernel_quiet]", "checks:", "checks:", "no value"},
    {"empty_text", "CAT-003", kPower, "source: a runbook", "source: ''", "source", "empty"},
    {"empty_effects", "CAT-003", "faults/vm.down.yaml", "[{signal: xid.31, scope: same_vm, within: 30s}]", "[]", "effects", "empty"},
    {"example_of_nothing", "CAT-003", kXid, "- line: 'note: NVRM printed an Xid 79 yesterday'", "- gives: {x: y}", "gives", "neither"},
    {"list_expected", "CAT-004", kXid, "in: [kernel, text]", "in: kernel", "in: kernel", "a list"},
    {"text_expected", "CAT-004", kGone, "class: fallen", "class: [fallen]", "[fallen]", "a text"},
    {"map_expected", "CAT-004", kXid, "where: {}", "where: []", "where", "a map"},
    {"unknown_severity", "CAT-005", kXid, "severity: error", "severity: eror", "eror", "did you mean 'error'?"},
    {"unknown_scope", "CAT-005", kGone, "same_card", "same_crad", "same_crad", "did you mean 'same_card'?"},
    {"unknown_record_type", "CAT-005", kXid, "[kernel, text]", "[kernl, text]", "kernl", "did you mean 'kernel'?"},
    {"unknown_example_type", "CAT-005", kXid, "in: text", "in: txt", "txt", "did you mean 'text'?"},
    {"unknown_flag", "CAT-005", kGone, "inferred: true", "inferred: yes", "inferred", "true"},
    {"unknown_after", "CAT-005", kGone, "last_effect", "first_effect", "first_effect", "last_effect"},
    {"absent_false", "CAT-005", kXid, "{absent: true}", "{absent: false}", "absent", "only be true"},
    {"bad_within", "CAT-006", kGone, "10m", "10min", "10min", "10m"},
    {"bad_count", "CAT-006", kGone, "min_count: 2", "min_count: none", "none", "whole number"},
    {"bad_apart", "CAT-006", kGone, "apart: 1h", "apart: long", "long", "10m"},
    {"bad_boots", "CAT-006", kGone, "boots: 2", "boots: 0", "0", "whole number"},
    {"unknown_strategy", "CAT-005", kGone, "strategy: advise", "strategy: advice", "advice", "did you mean 'advise'?"},
    {"unknown_device_kind", "CAT-005", kXid, "device_kind: nic", "device_kind: nick", "nick", "did you mean 'nic'?"},
    {"row_of_one_value", "CAT-032", kTable, "[DL, '--1']", "[DL]", "DL", "2 keys"},
    {"decode_of_two_fields", "CAT-032", kXid, "of: code", "of: [code, pci]", "verdicts", "1 keys"},
    {"expectation_of_no_table", "CAT-033", kXid, "below: widths", "below: widhts", "widhts", "did you mean 'widths'?"},
    {"expectation_by_two", "CAT-032", kXid, "below: widths", "below: words", "words", "2 keys"},
    {"expectation_by_nothing", "CAT-003", kXid, ", by: device", "", "widths", "'by'"},
    {"unknown_table", "CAT-033", kXid, "table: verdicts", "table: verdict", "verdict", "did you mean 'verdicts'?"},
    {"decode_of_no_field", "CAT-029", kXid, "of: code", "of: coda", "coda", "did you mean 'code'?"},
    {"bad_bound", "CAT-006", kXid, "min: 1", "min: one", "one", "number"},
    {"unknown_signal", "CAT-007", kGone, "signal: xid.79,", "signal: xid.7979,", "xid.7979", "xid.79"},
    {"family_without_code", "CAT-007", kGone, "signal: xid.79,", "signal: xid,", "signal: xid,", "xid.*"},
    {"unknown_family", "CAT-007", kGone, "'xid.*'", "'xyz.*'", "xyz", "xyz"},
    {"unknown_signal_in_plan", "CAT-007", kGone, "all: [xid.79]", "all: [xid.97]", "all: [xid.97]", "did you mean 'xid.79'?"},
    {"unknown_fault", "CAT-008", kGone, "fault: vm.down", "fault: vm.dwn", "vm.dwn", "did you mean 'vm.down'?"},
    {"unknown_fault_in_plan", "CAT-008", kGone, "'fault:vm.down'", "'fault:vm.up'", "fault:vm.up", "vm.up"},
    {"unknown_action", "CAT-009", kGone, "- action: cold_reboot", "- action: cold_boot", "cold_boot", "cold_reboot"},
    {"unknown_check", "CAT-010", kGone, "[kernel_quiet]", "[kernel_quit]", "kernel_quit", "did you mean 'kernel_quiet'?"},
    {"unknown_class", "CAT-011", kGone, "class: fallen", "class: felled", "felled", "fallen"},
    {"duplicate_id", "CAT-012", "actions/look.yaml", "id: look", "id: cold_reboot", "id: cold_reboot", "actions/cold_reboot.yaml:1"},
    {"code_is_signal", "CAT-012", kXid, "id: pci.config_all_ones", "id: xid.79", "xid.79", "code of 'xid'"},
    {"bad_id", "CAT-013", kPower, "id: cold_reboot", "id: Cold-Reboot", "Cold-Reboot", "no id"},
    {"bad_code", "CAT-013", kXid, "      31:", "      '3 1':", "3 1", "no code"},
    {"only_english", "CAT-014", kClass, ", ko: 떨어졌음", "", "it fell off", "'ko'"},
    {"only_korean", "CAT-014", kClass, "en: it fell off, ", "", "떨어졌음", "'en'"},
    {"not_korean", "CAT-015", kClass, "ko: 떨어졌음", "ko: fell off", "ko: fell off", "Hangul"},
    {"no_source", "CAT-016", kXid, "source: a vendor's table\n", "", "- id: xid", "source"},
    {"no_source_of_check", "CAT-016", kCheck, ", source: a runbook", "", "kernel_quiet", "source"},
    {"no_match", "CAT-017", kXid, "match:\n        - record: {pci: '0000:b1:00.0', config: all_ones, kind: gpu, driver: vfio-pci, iommu_group: 7, device: '2330', lnksta_width: 8}\n      no_match", "no_match", "", "must match"},
    {"no_near_miss", "CAT-018", kXid, "      no_match:\n        - record: {pci: '0000:b1:00.0', config: answers, kind: gpu}\n", "", "", "near miss"},
    {"bad_pattern", "CAT-019", kXid, "(?P<code>", "(?P<code", "pattern:", "does not compile"},
    {"no_literal", "CAT-020", kXid, "'NVRM: Xid \\(PCI:(?P<pci>[0-9A-Fa-f:.]+)\\): ", "'", "pattern:", "plain text"},
    {"group_name", "CAT-021", kXid, "(?P<pci>", "(?P<Pci>", "pattern:", "'Pci'"},
    {"code_without_group", "CAT-021", kXid, "(?P<code>", "(?P<number>", "pattern:", "captures no 'code'"},
    {"group_without_codes", "CAT-021", kXid, "where:\n      config: all_ones", "pattern: 'plain (?P<code>.)'\n    where:\n      config: all_ones", "pattern:", "no 'codes'"},
    {"matches_everything", "CAT-022", kXid, "    pattern: 'NVRM: Xid \\(PCI:(?P<pci>[0-9A-Fa-f:.]+)\\): (?P<code>\\d+)'\n", "", "- id: xid", "every record"},
    {"cycle", "CAT-023", "faults/vm.down.yaml", "{signal: xid.31,", "{fault: pci.gone,", "", "pci.gone"},
    {"own_effect", "CAT-023", "faults/vm.down.yaml", "{signal: xid.31,", "{fault: vm.down,", "vm.down", "vm.down -> vm.down"},
    {"no_plan", "CAT-024", "faults/vm.down.yaml", "class: healthy", "class: fallen", "id: vm.down", "plan"},
    {"conditional_end", "CAT-025", kGone, "{action: look, why: {en: not", "{action: look, when: {any: [xid.79]}, why: {en: not", "action: look", "last rule"},
    {"unreachable_rule", "CAT-025", kGone, "    when: {any: [pci.config_all_ones, 'fault:vm.down'], all: [xid.79], none: [xid.31], boots: 2}\n", "", "action: look", "never reached"},
    {"not_a_rung", "CAT-026", kPower, "class: cold_reboot", "class: cold_boot", "class: cold_boot", "cold_boot"},
    {"two_effects_in_one", "CAT-027", kGone, "{signal: xid.79,", "{signal: xid.79, fault: vm.down,", "fault: vm.down", "exactly one"},
    {"opposition_of_nothing", "CAT-027", kGone, "[{signal: xid.31, scope", "[{scope", "contradicted_by", "exactly one"},
    {"field_of_no_record", "CAT-029", kXid, "config: all_ones\n", "confg: all_ones\n", "confg", "did you mean 'config'?"},
    {"field_of_no_example", "CAT-029", kXid, "config: answers", "konfig: answers", "", "did you mean 'config'?"},
    {"placeholder", "CAT-030", kPower, "{node}'", "{nod}'", "{nod}", "did you mean 'node'?"},
    {"placeholder_in_title", "CAT-030", kGone, "'GPU {device} is gone'", "'GPU {gpu} is gone'", "{gpu}", "{device}"},
    {"nothing_to_obtain", "CAT-031", kGone, "ask_for: [xid.79]", "ask_for: [pci.config_all_ones]", "ask_for", "obtain"},
};
// clang-format on

class Mistakes : public ::testing::TestWithParam<Edit> {};

TEST_P(Mistakes, IsReportedAtItsPlace) {
    const Edit& edit = GetParam();
    auto files = test::whole_catalogue();
    const auto file = std::find_if(files.begin(), files.end(), [&](const auto& f) { return f.path == edit.file; });
    ASSERT_NE(file, files.end());
    const auto at = file->text.find(edit.from);
    ASSERT_NE(at, std::string::npos) << "the edit does not apply";
    file->text.replace(at, edit.from.size(), edit.to);

    const auto result = load_catalogue({}, {{files}});
    const auto found = std::find_if(result.problems.begin(), result.problems.end(), [&](const Problem& problem) {
        return problem.code == edit.code && (problem.what + problem.help).find(edit.said) != std::string::npos &&
               problem.snippet.find(edit.snippet) != std::string::npos;
    });
    std::string all;
    for (const auto& problem : result.problems) all += problem.render();
    ASSERT_NE(found, result.problems.end()) << all;
    EXPECT_EQ(found->file, edit.file);
    EXPECT_GT(found->line, 0U);
    const bool warning = edit.code == "CAT-030" || edit.code == "CAT-031";
    EXPECT_EQ(result.ok(), warning) << all;
}

INSTANTIATE_TEST_SUITE_P(Each, Mistakes, ::testing::ValuesIn(kEdits),
                         [](const auto& tested) { return tested.param.name; });

TEST(MistakesOfFiles, EmptyFileAndUnknownFolder) {
    const auto empty = load_catalogue({}, {{{{"faults/none.yaml", "faults", "# nothing\n"}}}});
    ASSERT_EQ(empty.problems.size(), 1U);
    EXPECT_EQ(empty.problems[0].code, "CAT-028");
    const auto folder = load_catalogue({}, {{{{"fault/x.yaml", "fault", test::kOtherFault}}}});
    ASSERT_EQ(folder.problems.size(), 1U);
    EXPECT_EQ(folder.problems[0].code, "CAT-028");
    EXPECT_THAT(folder.problems[0].help, HasSubstr("did you mean 'faults'?"));
}

TEST(MistakesOfFiles, EveryCodeHasATest) {
    std::set<std::string> tested{"CAT-028", "CAT-034"};  // the latter in decode_test.cpp: Overrides
    for (const auto& edit : kEdits) tested.insert(edit.code);
    EXPECT_EQ(tested.size(), 34U);
}

}  // namespace
}  // namespace gpumedic::knowledge
