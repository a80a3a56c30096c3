#include "signals/signal_set.h"

#include <gtest/gtest.h>

namespace gpumedic::signals {
namespace {

using namespace std::chrono_literals;

model::Signal signal(std::chrono::microseconds at, std::string text, std::string pci = "0000:ed:00.0") {
    model::Signal s;
    s.id = "xid.79";
    s.subject.pci = model::parse_pci_address(pci);
    s.first = s.last = base::Timestamp{.value = at};
    s.evidence.push_back({0, 1, s.first, std::move(text)});
    return s;
}

std::vector<model::Source> sources(std::size_t n) { return std::vector<model::Source>(n); }

TEST(SignalSet, TrueRepeatsCountAndKeepFirstAndLast) {
    SignalSet set;
    set.add(0, signal(5s, "a"));
    set.add(0, signal(2s, "b"));
    set.add(0, signal(9s, "c"));
    const auto folded = set.finish(sources(1));
    ASSERT_EQ(folded.size(), 1u);
    EXPECT_EQ(folded[0].signal.count, 3u);
    EXPECT_EQ(folded[0].signal.first->value, 2s);
    EXPECT_EQ(folded[0].signal.last->value, 9s);
}

TEST(SignalSet, TheSameLineInTwoSourcesIsOne) {
    SignalSet set;
    for (std::uint32_t source : {0u, 1u}) {
        set.add(source, signal(5s, "same"));
        set.add(source, signal(6s, "too"));
    }
    const auto folded = set.finish(sources(2));
    ASSERT_EQ(folded.size(), 1u);
    EXPECT_EQ(folded[0].signal.count, 2u);
    EXPECT_EQ(folded[0].signal.evidence.size(), 2u);
}

TEST(SignalSet, DifferentLinesOfTwoSourcesAddUp) {
    SignalSet set;
    set.add(0, signal(5s, "one"));
    set.add(1, signal(6s, "two"));
    EXPECT_EQ(set.finish(sources(2)).at(0).signal.count, 2u);
}

TEST(SignalSet, BootsAreToldApartAndCountedBackFromTheLast) {
    SignalSet set;
    set.add(0, signal(1s, "before"));
    set.mark_boot(0);
    set.add(0, signal(2s, "after"));
    const auto folded = set.finish(sources(1));
    ASSERT_EQ(folded.size(), 2u);
    EXPECT_EQ(folded[0].boot, 1u);
    EXPECT_EQ(folded[1].boot, 0u);
}

TEST(SignalSet, AReadingWithoutVantageJoinsTheGuestWhoseDeviceItNames) {
    const auto vantages = [](model::Vantage other, const std::string& pci) {
        SignalSet set;
        set.add(0, signal(5s, "guest", "0000:06:00.0"));
        set.add(1, signal(6s, "reading", pci));
        set.add(2, signal(7s, "third", "0000:99:00.0"));
        auto read = sources(3);
        read[0].vantage = model::Vantage::guest;
        read[2].vantage = other;
        std::vector<model::Vantage> seen;
        for (const auto& f : set.finish(read))
            if (f.source == 1) seen.push_back(f.signal.vantage);
        return seen;
    };
    using model::Vantage;
    EXPECT_TRUE(vantages(Vantage::unknown, "0000:06:00.0").empty()) << "folded with what the guest says";
    EXPECT_EQ(vantages(Vantage::unknown, "0000:41:00.0"), std::vector{Vantage::unknown}) << "names another device";
    EXPECT_EQ(vantages(Vantage::host, "0000:06:00.0"), std::vector{Vantage::unknown}) << "a host is there too";
}

TEST(SignalSet, BoundedAndTheDropIsCounted) {
    SignalSet set;
    for (std::size_t i = 0; i < SignalSet::kMaxSignals + 3; ++i) {
        auto s = signal(1s, "x");
        s.subject.link = static_cast<int>(i);
        set.add(0, std::move(s));
    }
    EXPECT_EQ(set.dropped(), 3u);
    EXPECT_EQ(set.finish(sources(1)).size(), SignalSet::kMaxSignals);
}

}  // namespace
}  // namespace gpumedic::signals
