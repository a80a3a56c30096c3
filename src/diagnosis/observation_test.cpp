#include "diagnosis/observation.h"

#include <gtest/gtest.h>

namespace gpumedic::diagnosis {
namespace {

using namespace std::chrono_literals;

signals::FoldedSignal signal(std::uint32_t source, std::string host, std::string pci = "",
                             std::optional<std::chrono::seconds> at = std::nullopt) {
    signals::FoldedSignal f;
    f.source = source;
    f.signal.id = "s";
    f.signal.host = std::move(host);
    if (!pci.empty()) f.signal.subject.pci = model::parse_pci_address(pci);
    if (at) f.signal.first = f.signal.last = base::Timestamp{.value = *at};
    return f;
}

Evidence evidence(std::vector<std::string> sources, std::vector<signals::FoldedSignal> signals) {
    Evidence e;
    for (auto& name : sources) {
        e.sources.emplace_back();
        e.sources.back().name = name;
    }
    e.signals = std::move(signals);
    return e;
}

TEST(ViewNodes, EvidenceWithoutHostJoinsTheOnlyNode) {
    const auto e = evidence({"kernel.log", "lspci.txt"}, {signal(0, "n1"), signal(1, "", "ed:00.0")});
    const auto nodes = view_nodes(e);
    ASSERT_EQ(nodes.size(), 1u);
    EXPECT_EQ(nodes[0].name, "n1");
    EXPECT_EQ(nodes[0].observations.size(), 2u);
}

TEST(ViewNodes, SeveralNodesStayApartAndFoldersTell) {
    const auto e = evidence({"a/kernel.log", "b/kernel.log", "b/lspci.txt"},
                            {signal(0, "n1"), signal(1, "n2.lan"), signal(2, "", "ed:00.0")});
    const auto nodes = view_nodes(e);
    ASSERT_EQ(nodes.size(), 2u);
    EXPECT_EQ(nodes[1].name, "n2");
    EXPECT_EQ(nodes[1].observations.size(), 2u);
}

TEST(ViewNodes, OneFileWithSeveralHosts) {
    const auto e = evidence({"all.log"}, {signal(0, "n1"), signal(0, "n2")});
    EXPECT_EQ(view_nodes(e).size(), 2u);
}

TEST(ViewNodes, AGuestBelongsToTheOnlyHostAndKeepsItsOwnAddresses) {
    auto e = evidence({"host.log", "guest.log"}, {signal(0, "n1", "05:00.0"), signal(1, "vm-guest", "05:00.0")});
    e.sources[1].vantage = model::Vantage::guest;
    e.signals[1].signal.vantage = model::Vantage::guest;
    const auto nodes = view_nodes(e);
    ASSERT_EQ(nodes.size(), 1u);
    EXPECT_EQ(nodes[0].devices.size(), 2u);
    EXPECT_NE(nodes[0].observations[0].device, nodes[0].observations[1].device);
}

TEST(ViewNodes, TimesPlaceOtherSourcesBeforeTheLastBoot) {
    auto e = evidence({"kernel.log", "virt.log"},
                      {signal(0, "n1", "", 1000s), signal(1, "", "ed:00.0", 400s), signal(1, "", "ed:00.0", 2000s)});
    e.signals[0].signal.id = kBootStart;
    const auto nodes = view_nodes(e);
    EXPECT_EQ(nodes.at(0).observations[1].epoch, 1u);
    EXPECT_EQ(nodes.at(0).observations[2].epoch, 0u);
}

}  // namespace
}  // namespace gpumedic::diagnosis
