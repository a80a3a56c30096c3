#include "knowledge/loader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "knowledge/test_catalogue.h"

namespace gpumedic::knowledge {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::MatchesRegex;
using ::testing::SizeIs;

std::string all(const std::vector<Problem>& problems) {
    std::string out;
    for (const auto& problem : problems) out += problem.render();
    return out;
}

LoadResult load_whole() { return load_catalogue({}, {{test::whole_catalogue()}}); }

TEST(Loader, ReadsEverythingTheDocumentShowsWithoutAMistake) {
    const auto result = load_whole();
    EXPECT_THAT(result.problems, IsEmpty()) << all(result.problems);
    EXPECT_THAT(result.catalogue.signals, SizeIs(2));
    EXPECT_THAT(result.catalogue.faults, SizeIs(2));
    EXPECT_THAT(result.catalogue.actions, SizeIs(2));
    EXPECT_THAT(result.catalogue.checks, SizeIs(1));
    EXPECT_THAT(result.catalogue.classes, SizeIs(1));
}

TEST(Loader, ReadsASignalWithItsCodes) {
    const auto catalogue = load_whole().catalogue;
    const Signal& xid = catalogue.signals.at(0);
    EXPECT_EQ(xid.id, "xid");
    EXPECT_EQ(xid.family, "xid");
    EXPECT_EQ(xid.file, "signals/xid.yaml:4");
    EXPECT_THAT(xid.in, ElementsAre(model::RecordType::kernel, model::RecordType::text));
    EXPECT_THAT(xid.literal, HasSubstr("nvrm: xid"));
    EXPECT_EQ(xid.source, "a vendor's table");
    EXPECT_EQ(xid.obtain.ko, "커널 로그");
    ASSERT_THAT(xid.codes, SizeIs(2));
    EXPECT_EQ(xid.codes[0].severity, model::Severity::fatal);
    EXPECT_EQ(xid.codes[1].severity, model::Severity::error) << "the signal's own where the row names none";
    EXPECT_EQ(xid.codes[1].meaning, xid.meaning);
    ASSERT_THAT(xid.match, SizeIs(1));
    EXPECT_EQ(xid.match[0].gives_id, "xid.79");
    EXPECT_THAT(xid.match[0].gives, ElementsAre(std::pair<std::string, std::string>("pci", "0000:b1:00")));
    EXPECT_EQ(xid.no_match.at(0).type, "text");
}

TEST(Loader, ReadsConditionsOnFields) {
    const auto catalogue = load_whole().catalogue;
    using Kind = FieldCondition::Test;
    std::vector<std::pair<std::string, Kind>> conditions;
    for (const auto& condition : catalogue.signals.at(1).where)
        conditions.emplace_back(condition.field, condition.test);
    EXPECT_THAT(conditions, ElementsAre(std::pair("config", Kind::any_of), std::pair("driver", Kind::none_of),
                                        std::pair("kind", Kind::any_of), std::pair("iommu_group", Kind::at_least),
                                        std::pair("iommu_group", Kind::at_most), std::pair("header_type", Kind::absent),
                                        std::pair("lnksta_width", Kind::below)));
    EXPECT_THAT(catalogue.signals[1].where[1].values, ElementsAre("pcieport", "nvidia"));
    EXPECT_THAT(catalogue.signals[1].match.at(0).fields, SizeIs(7));
}

TEST(Loader, ReadsAFault) {
    const auto catalogue = load_whole().catalogue;
    const Fault& fault = catalogue.faults.at(0);
    EXPECT_EQ(fault.prior, Prior::common);
    ASSERT_THAT(fault.effects, SizeIs(3));
    EXPECT_EQ(fault.effects[0].within, std::chrono::minutes(10));
    EXPECT_EQ(fault.effects[0].weight, Weight::decisive);
    EXPECT_THAT(fault.effects[1].signals, ElementsAre("pci.config_all_ones", "xid.*"));
    EXPECT_EQ(fault.effects[1].strength, Strength::usual);
    EXPECT_EQ(fault.effects[2].fault, "vm.down");
    EXPECT_TRUE(fault.effects[2].inferred);
    EXPECT_TRUE(fault.contradicted_by.at(0).after_last_effect);
    EXPECT_FALSE(fault.cleared_by.at(0).after_last_effect);
    EXPECT_THAT(fault.plan.at(0).when.any, ElementsAre("pci.config_all_ones", "fault:vm.down"));
    EXPECT_TRUE(fault.plan.at(1).when.empty());
    EXPECT_TRUE(catalogue.faults.at(1).benign());
    EXPECT_EQ(catalogue.actions.at(0).reach, Reach::node);
    EXPECT_EQ(catalogue.actions.at(0).steps.at(0).command, "kubectl cordon {node}");
}

TEST(Loader, VersionNamesTheProgramAndTheTextsWhateverTheirOrder) {
    auto files = test::whole_catalogue();
    const auto version = load_catalogue({}, {{files}}).catalogue.version;
    EXPECT_THAT(version, MatchesRegex("[0-9.]+\\+[0-9a-f]{8}"));
    std::reverse(files.begin(), files.end());
    EXPECT_EQ(load_catalogue({}, {{files}}).catalogue.version, version);
    files.front().text += "# a remark\n";
    EXPECT_NE(load_catalogue({}, {{files}}).catalogue.version, version);
}

TEST(Loader, LaterLayerReplacesInPlaceAndAdds) {
    const auto base = load_whole().catalogue;
    auto action = test::kAction;
    action.replace(action.find("power cycle"), 11, "site's own");
    auto added = test::kLook;
    added.replace(added.find("look"), 4, "site_look");
    const CatalogueLayer site{{{"site/a.yaml", "actions", action}, {"site/b.yaml", "actions", added}}};
    const auto result = load_catalogue(base, {site});
    EXPECT_TRUE(result.ok()) << all(result.problems);
    ASSERT_THAT(result.catalogue.actions, SizeIs(3));
    EXPECT_EQ(result.catalogue.actions[0].title.en, "site's own");
    EXPECT_EQ(result.catalogue.actions[2].id, "site_look");
    EXPECT_NE(result.catalogue.version, base.version);
    EXPECT_EQ(load_catalogue(base, {}).catalogue.version, base.version);
}

TEST(Loader, TwoLayersOfOneLoadMayHoldTheSameId) {
    const CatalogueLayer site{{{"site/a.yaml", "actions", test::kAction}}};
    EXPECT_TRUE(load_catalogue({}, {{test::whole_catalogue()}, site}).ok());
}

TEST(Loader, LayerThatTakesAwayWhatTheBaseNamesIsAMistake) {
    const auto base = load_whole().catalogue;
    auto signals = test::kSignals;
    const auto row = signals.find("      79:");
    signals.erase(row, signals.find('\n', row) - row + 1);
    const auto result = load_catalogue(base, {{{{"site/xid.yaml", "signals", signals}}}});
    ASSERT_FALSE(result.ok());
    EXPECT_THAT(all(result.problems), HasSubstr("faults/pci.gone.yaml:1:1: error CAT-007: unknown signal 'xid.79'"));
}

TEST(Loader, AllMistakesOfAllFilesAreReportedAtOnceInOrder) {
    auto files = test::whole_catalogue();
    files.push_back({"actions/a.yaml", "actions", "id: a\nclass: pray\nreach: sky\ntitle: {en: a}\n"});
    files.push_back({"faults/z.yaml", "faults", "id: Z\nclass: nothing\n"});
    files.push_back({"signals/broken.yaml", "signals", "family: [\n"});
    const auto result = load_catalogue({}, {{files}});
    std::vector<std::string> seen;
    for (const auto& problem : result.problems) seen.push_back(problem.file + " " + problem.code);
    EXPECT_THAT(seen,
                ::testing::IsSupersetOf({"actions/a.yaml CAT-026", "actions/a.yaml CAT-005", "actions/a.yaml CAT-014",
                                         "actions/a.yaml CAT-016", "faults/z.yaml CAT-013", "faults/z.yaml CAT-011",
                                         "faults/z.yaml CAT-003", "signals/broken.yaml CAT-001"}));
    EXPECT_TRUE(std::is_sorted(result.problems.begin(), result.problems.end(), [](const auto& a, const auto& b) {
        return std::tie(a.file, a.line, a.column) < std::tie(b.file, b.line, b.column);
    }));
}

TEST(Loader, FileThatCannotBeReadDoesNotMakeEveryReferenceToItAMistake) {
    auto files = test::whole_catalogue();
    files[0].text += "  - id: [\n";
    const auto result = load_catalogue({}, {{files}});
    EXPECT_THAT(result.problems, SizeIs(1)) << all(result.problems);
}

TEST(Loader, ProblemRendersPlaceSnippetAndHelp) {
    Problem problem;
    problem.code = "CAT-007";
    problem.file = "catalog/faults/x.yaml";
    problem.line = 12;
    problem.column = 5;
    problem.snippet = "  - signal: xid.7979";
    problem.what = "unknown signal 'xid.7979'";
    problem.help = "did you mean 'xid.79'?";
    EXPECT_EQ(problem.render(),
              "catalog/faults/x.yaml:12:5: error CAT-007: unknown signal 'xid.7979'\n"
              "    12 |   - signal: xid.7979\n"
              "  help: did you mean 'xid.79'?\n");
    problem.level = Problem::Level::warning;
    EXPECT_THAT(problem.render(), HasSubstr("warning CAT-007"));
}

TEST(Loader, TextCutAtEveryByteOnlyReports) {
    for (const auto& file : test::whole_catalogue()) {
        for (std::size_t size = 0; size < file.text.size(); ++size) {
            const auto result = load_catalogue({}, {{{{file.path, file.kind, file.text.substr(0, size)}}}});
            for (const auto& problem : result.problems) EXPECT_FALSE(problem.what.empty());
        }
    }
}

TEST(Loader, HostileTextsAreProblemsNotCrashes) {
    const std::string deep(100'000, '[');
    const std::string binary("\x00\xff\xfe\x01", 4);
    for (const auto& text : {deep, binary, std::string("- a\n- b\n"), std::string("scalar"), std::string("&a {x: *a}"),
                             std::string("signals: {a: 1}\nfamily: {}\n"), std::string("? {a: b}\n: c\n")}) {
        for (const auto* kind : {"signals", "faults", "actions", "checks", "classes"}) {
            EXPECT_FALSE(load_catalogue({}, {{{{"x.yaml", kind, text}}}}).ok()) << kind << ": " << text.substr(0, 40);
        }
    }
}

TEST(Loader, LongChainOfFaultsDoesNotOverflowTheStack) {
    std::string text;
    for (int i = 0; i < 3000; ++i) {
        auto fault = test::kOtherFault;
        fault.replace(0, 11, "id: f" + std::to_string(i));
        const auto effects = fault.find("effects:");
        fault =
            fault.substr(0, effects) + "effects: [{fault: f" + std::to_string((i + 1) % 3000) + ", scope: same_vm}]\n";
        text += "---\n" + fault;
    }
    const auto result = load_catalogue({}, {{{{"faults/many.yaml", "faults", text}}}});
    ASSERT_THAT(result.problems, SizeIs(1));
    EXPECT_EQ(result.problems[0].code, "CAT-023");
}

}  // namespace
}  // namespace gpumedic::knowledge
