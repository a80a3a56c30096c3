#include "signals/device_table.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace gpumedic::signals {
namespace {

model::Signal about(model::Subject subject) {
    model::Signal s;
    s.subject = std::move(subject);
    return s;
}

model::Subject pci(std::string_view text) { return {.pci = model::parse_pci_address(text)}; }

DeviceTable learn(const std::vector<model::Signal>& signals) {
    std::vector<const model::Signal*> pointers;
    for (const auto& s : signals) pointers.push_back(&s);
    DeviceTable table;
    table.learn(pointers);
    return table;
}

TEST(DeviceTable, TwoNamesOnOneSignalTieThemTogether) {
    auto both = pci("ed:00.0");
    both.uuid = "GPU-1";
    auto listed = model::Subject{.uuid = "GPU-1", .index = 7};
    const auto table = learn({about({.index = 7}), about(listed), about(both)});
    ASSERT_EQ(table.devices().size(), 1u);
    EXPECT_EQ(table.devices()[0].name(), "0000:ed:00.0");
    EXPECT_EQ(table.find({.index = 7}), 0u);
    EXPECT_EQ(table.find({.uuid = "GPU-1"}), 0u);
}

TEST(DeviceTable, OrderDoesNotMatter) {
    auto both = pci("ed:00.0");
    both.index = 3;
    std::vector<model::Signal> signals{about(pci("1a:00.0")), about({.index = 3}), about(both), about(pci("ed:00.0"))};
    std::ranges::sort(signals, {}, [](const auto& s) { return s.subject.pci; });
    const auto forward = learn(signals);
    std::ranges::reverse(signals);
    const auto backward = learn(signals);
    ASSERT_EQ(forward.devices().size(), 2u);
    ASSERT_EQ(backward.devices().size(), 2u);
    for (std::size_t i = 0; i < 2; ++i) EXPECT_EQ(forward.devices()[i].name(), backward.devices()[i].name());
}

TEST(DeviceTable, TheSameIndexOnAnotherAddressIsAnotherDevice) {
    auto a = pci("1a:00.0");
    a.uuid = "GPU-a";
    auto b = pci("1b:00.0");
    b.uuid = "GPU-b";
    EXPECT_EQ(learn({about(a), about(b)}).devices().size(), 2u);
}

TEST(DeviceTable, TheHolderIsLearnt) {
    auto attach = pci("ed:00.0");
    attach.vm = "slurm-3";
    attach.namespace_ = "train";
    const auto table = learn({about(attach)});
    EXPECT_EQ(table.held_by({"slurm-3", "train", ""}).size(), 1u);
    EXPECT_EQ(table.held_by({"slurm-3", "", ""}).size(), 1u) << "a bare name fits any namespace";
    EXPECT_TRUE(table.held_by({"slurm-3", "other", ""}).empty());
}

TEST(DeviceTable, SignalsWithoutNamesMakeNoDevice) {
    EXPECT_TRUE(learn({about({}), about({.vm = "x"})}).devices().empty());
    EXPECT_FALSE(learn({}).find(pci("ed:00.0")).has_value());
}

}  // namespace
}  // namespace gpumedic::signals
