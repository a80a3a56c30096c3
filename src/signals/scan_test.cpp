#include "signals/scan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gpumedic::signals {
namespace {

using model::RecordType;
using testing::ElementsAre;

knowledge::Signal pattern_signal(std::string id, std::string pattern, std::string literal, std::vector<RecordType> in) {
    knowledge::Signal s;
    s.id = std::move(id);
    s.pattern = std::move(pattern);
    s.literal = std::move(literal);
    s.in = std::move(in);
    return s;
}

knowledge::Catalogue small_catalogue() {
    knowledge::Catalogue c;
    auto xid = pattern_signal("xid", R"(NVRM: Xid \(PCI:(?P<pci>[0-9a-fA-F:.]+)\): (?P<code>\d+), pid=(?P<pid>\d+))",
                              "nvrm: xid (pci:", {RecordType::kernel});
    xid.codes = {{"79", {}, {}, model::Severity::fatal, ""}};
    c.signals.push_back(xid);
    knowledge::Signal dead;
    dead.id = "pci.dead";
    dead.in = {RecordType::pci_device};
    dead.where = {{"config", knowledge::FieldCondition::Test::any_of, {"all_ones"}},
                  {"driver", knowledge::FieldCondition::Test::none_of, {"nouveau"}}};
    c.signals.push_back(dead);
    knowledge::Signal hot;
    hot.id = "gpu.hot";
    hot.in = {RecordType::gpu};
    hot.where = {{"temperature", knowledge::FieldCondition::Test::at_least, {"95"}}};
    c.signals.push_back(hot);
    return c;
}

model::Record record(RecordType type, std::string_view text, std::vector<model::Field> fields = {}) {
    model::Record r;
    r.type = type;
    r.line = 7;
    r.text = r.raw = text;
    r.fields = std::move(fields);
    return r;
}

std::vector<std::string> ids(const std::vector<model::Signal>& signals) {
    std::vector<std::string> out;
    for (const auto& s : signals) out.push_back(s.id);
    return out;
}

TEST(Scan, CodeBecomesPartOfTheIdAndNamesTheDevice) {
    const auto catalogue = small_catalogue();
    Scanner scanner(catalogue);
    const auto signals = scanner.scan(3, record(RecordType::kernel, "NVRM: Xid (PCI:0000:A1:00): 79, pid=411, name=x"));
    ASSERT_THAT(ids(signals), ElementsAre("xid.79"));
    EXPECT_EQ(signals[0].severity, model::Severity::fatal);
    EXPECT_EQ(signals[0].subject.pci->to_string(), "0000:a1:00.0");
    EXPECT_EQ(signals[0].field("pid"), "411");
    EXPECT_EQ(signals[0].evidence.at(0).source, 3u);
    EXPECT_EQ(signals[0].evidence.at(0).line, 7u);
}

TEST(Scan, UnlistedCodeIsStillASignalOfItsFamily) {
    const auto catalogue = small_catalogue();
    Scanner scanner(catalogue);
    EXPECT_THAT(ids(scanner.scan(0, record(RecordType::kernel, "NVRM: Xid (PCI:0000:A1:00): 9999, pid=1"))),
                ElementsAre("xid.other"));
}

TEST(Scan, LooksOnlyInTheRecordTypesOfTheDefinition) {
    const auto catalogue = small_catalogue();
    Scanner scanner(catalogue);
    EXPECT_TRUE(scanner.scan(0, record(RecordType::syslog, "NVRM: Xid (PCI:0000:A1:00): 79, pid=411")).empty());
}

TEST(Scan, WhoLooksInTextLooksInListingLinesToo) {
    auto catalogue = small_catalogue();
    catalogue.signals[0].in = {RecordType::text};
    Scanner scanner(catalogue);
    const auto line = "NVRM: Xid (PCI:0000:A1:00): 79, pid=411";
    EXPECT_EQ(scanner.scan(0, record(RecordType::dcgm, line)).size(), 1u);
    EXPECT_TRUE(scanner.scan(0, record(RecordType::virt, line)).empty());
}

TEST(Scan, ConditionsOnFields) {
    const auto catalogue = small_catalogue();
    Scanner scanner(catalogue);
    EXPECT_THAT(ids(scanner.scan(0, record(RecordType::pci_device, "",
                                           {{"pci", "0000:ed:00.0"}, {"config", "all_ones"}, {"driver", "vfio-pci"}}))),
                ElementsAre("pci.dead"));
    EXPECT_TRUE(
        scanner.scan(0, record(RecordType::pci_device, "", {{"config", "all_ones"}, {"driver", "nouveau"}})).empty());
    EXPECT_TRUE(scanner.scan(0, record(RecordType::pci_device, "", {{"config", "all_ones"}})).empty())
        << "none_of needs the field";
    EXPECT_THAT(ids(scanner.scan(0, record(RecordType::gpu, "", {{"temperature", "96"}}))), ElementsAre("gpu.hot"));
    EXPECT_TRUE(scanner.scan(0, record(RecordType::gpu, "", {{"temperature", "N/A"}})).empty());
}

}  // namespace
}  // namespace gpumedic::signals
