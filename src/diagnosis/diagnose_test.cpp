// The engine on a small causal graph: mask -> dead -> blocked, fell (a rival), benign.
#include "diagnosis/diagnose.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace gpumedic::diagnosis {
namespace {

using namespace std::chrono_literals;
using knowledge::About;
using knowledge::Effect;
using knowledge::Scope;
using knowledge::Strength;
using knowledge::Weight;
using model::RecordType;
using model::Severity;

knowledge::Signal defined(std::string id, Severity severity, RecordType in) {
    knowledge::Signal s;
    s.id = std::move(id);
    s.severity = severity;
    s.in = {in};
    s.obtain = {"read it", "읽으십시오"};
    s.obtain_command = "look " + s.id;
    return s;
}

Effect shows(std::string signal, Scope scope, Weight weight) {
    return {.signals = {std::move(signal)}, .scope = scope, .strength = Strength::sometimes, .weight = weight};
}
Effect leads_to(std::string fault, Scope scope, bool inferred) {
    return {.fault = std::move(fault), .scope = scope, .inferred = inferred};
}

knowledge::Fault fault(std::string id, About about, std::vector<Effect> effects) {
    knowledge::Fault f;
    f.id = id;
    f.class_ = id + "_class";
    f.about = about;
    f.title = {id + " {device} {vm}", id + " {device} {vm}"};
    f.effects = std::move(effects);
    f.chain = {{{id + " happened", id}, {}}};
    for (const auto& e : f.effects)
        f.chain.front().shown_by.insert(f.chain.front().shown_by.end(), e.signals.begin(), e.signals.end());
    return f;
}

knowledge::Catalogue graph() {
    knowledge::Catalogue c;
    c.signals = {defined("mask", Severity::error, RecordType::kernel),
                 defined("dead", Severity::error, RecordType::virt),
                 defined("stopped", Severity::warning, RecordType::k8s_vm),
                 defined("alive", Severity::info, RecordType::pci_device),
                 defined("fell", Severity::fatal, RecordType::kernel),
                 defined("noise", Severity::warning, RecordType::kernel),
                 defined("running", Severity::info, RecordType::k8s_vm),
                 defined("odd", Severity::error, RecordType::kernel),
                 defined("link_down", Severity::error, RecordType::kernel),
                 defined("hung", Severity::error, RecordType::kernel),
                 defined("near", Severity::info, RecordType::kernel),
                 defined("ended", Severity::warning, RecordType::kernel),
                 defined(std::string(kBootStart), Severity::info, RecordType::kernel)};
    auto mask =
        fault("f.mask", About::device,
              {shows("mask", Scope::same_device, Weight::strong), leads_to("f.dead", Scope::same_device, true)});
    mask.ask_for = {"alive"};
    auto dead =
        fault("f.dead", About::device,
              {shows("dead", Scope::same_device, Weight::strong), leads_to("f.blocked", Scope::holder_vm, false)});
    dead.contradicted_by = {{{"alive"}, Scope::same_device, Weight::strong, true}};
    dead.cleared_by = {{{"running"}, Scope::holder_vm, Weight::strong, true}};
    auto blocked = fault("f.blocked", About::vm, {shows("stopped", Scope::same_vm, Weight::weak)});
    auto fell =
        fault("f.fell", About::device,
              {shows("fell", Scope::same_device, Weight::decisive), shows("dead", Scope::same_device, Weight::weak)});
    auto linked =
        fault("f.linked", About::device,
              {shows("link_down", Scope::same_device, Weight::strong), shows("link_down", Scope::peer, Weight::weak),
               shows("near", Scope::same_device, Weight::moderate), leads_to("f.ended", Scope::same_device, false)});
    auto ended = fault("f.ended", About::device, {shows("ended", Scope::same_device, Weight::strong)});
    auto benign = fault("b.noise", About::node, {shows("noise", Scope::same_node, Weight::strong)});
    benign.class_ = "healthy";
    auto hung = fault("f.hung", About::device, {shows("hung", Scope::same_device, Weight::moderate)});
    hung.contradicted_by = {{{"alive"}, Scope::same_device, Weight::strong, true}};
    hung.cleared_by = {{{"alive"}, Scope::same_device, Weight::strong, true}};
    c.faults = {mask, dead, blocked, fell, benign, linked, ended, hung};
    return c;
}

struct Builder {
    Evidence evidence;
    Builder() {
        evidence.sources.resize(1);
        evidence.sources[0].name = "all.log";
        evidence.record_types = {0xffffffff};
    }
    Builder& add(std::string id, Severity severity, std::optional<std::chrono::seconds> at, std::string pci = "",
                 std::string vm = "", std::uint32_t boot = 0) {
        signals::FoldedSignal f;
        f.signal.id = std::move(id);
        f.signal.severity = severity;
        f.signal.record =
            f.signal.id == "stopped" || f.signal.id == "running" ? RecordType::k8s_vm : RecordType::kernel;
        if (!pci.empty()) f.signal.subject.pci = model::parse_pci_address(pci);
        f.signal.subject.vm = vm;
        if (at) f.signal.first = f.signal.last = base::Timestamp{.value = *at};
        f.signal.evidence.push_back({0, evidence.signals.size() + 1, f.signal.first, "line"});
        f.boot = boot;
        evidence.signals.push_back(f);
        return *this;
    }
    Builder& boots(std::chrono::seconds at) { return add(std::string(kBootStart), Severity::info, at); }
    Builder& mask() { return add("mask", Severity::error, 100s); }
    Builder& dead(std::string pci = "ed:00.0") { return add("dead", Severity::error, 160s, std::move(pci), "vm7"); }
    Builder& stopped() { return add("stopped", Severity::warning, std::nullopt, "", "vm7"); }
};

NodeFindings run(const Evidence& evidence) {
    static const auto catalogue = graph();
    static const knowledge::Index index(catalogue);
    return diagnose(index, evidence).at(0);
}

TEST(Diagnose, EffectsFoldUnderTheirRoot) {
    const auto node = run(Builder().mask().dead().stopped().evidence);
    ASSERT_EQ(node.findings.size(), 1u);
    const auto& incident = node.findings[0].incident;
    EXPECT_EQ(incident.fault, "f.mask");
    EXPECT_EQ(node.verdict, model::Verdict::fault);
    ASSERT_EQ(incident.chain.size(), 2u);
    EXPECT_EQ(incident.chain[0].from.en, "f.mask happened");
    EXPECT_EQ(incident.chain[1].to.en, "f.blocked happened");
    EXPECT_EQ(incident.evidence.size(), 3u);
}

TEST(Diagnose, AnAddresslessRootTakesTheDeviceByInference) {
    const auto node = run(Builder().mask().dead().evidence);
    const auto& devices = node.findings.at(0).incident.devices;
    ASSERT_GE(devices.size(), 2u);
    EXPECT_EQ(devices[0].pci, "0000:ed:00.0");
    EXPECT_EQ(devices[0].role, model::Device::Role::root);
    EXPECT_EQ(devices[0].joined, model::How::inferred);
    EXPECT_EQ(devices[1].holder.vm, "vm7");
    EXPECT_EQ(devices[1].role, model::Device::Role::victim);
}

TEST(Diagnose, AloneItNamesNoDevice) {
    const auto node = run(Builder().mask().evidence);
    EXPECT_EQ(node.verdict, model::Verdict::fault);
    EXPECT_TRUE(node.findings.at(0).incident.devices.empty());
    EXPECT_EQ(node.findings[0].incident.missing.size(), 1u);
}

TEST(Diagnose, ARootThatExplainsMoreWins) {
    const auto node = run(Builder().add("fell", Severity::fatal, 10s, "ed:00.0").dead().evidence);
    ASSERT_EQ(node.findings.size(), 1u);
    EXPECT_EQ(node.findings[0].incident.fault, "f.fell");
    ASSERT_EQ(node.findings[0].incident.alternatives.size(), 1u);
    EXPECT_EQ(node.findings[0].incident.alternatives[0].fault, "f.dead");
    EXPECT_LT(node.findings[0].incident.alternatives[0].confidence, node.findings[0].incident.confidence);
}

TEST(Diagnose, TwoDevicesWithTheSameFaultAreOneIncident) {
    const auto node = run(
        Builder().add("fell", Severity::fatal, 10s, "1a:00.0").add("fell", Severity::fatal, 11s, "1b:00.0").evidence);
    ASSERT_EQ(node.findings.size(), 1u);
    EXPECT_EQ(node.findings[0].incident.devices.size(), 2u);
}

TEST(Diagnose, AConsequenceLongBeforeItsCauseIsNone) {
    const auto node =
        run(Builder().add("dead", Severity::error, 10s, "ed:00.0").add("mask", Severity::error, 10000s).evidence);
    EXPECT_EQ(node.findings.size(), 2u);
}

TEST(Diagnose, AContradictionCostsConfidenceAndIsNamed) {
    const auto plain = run(Builder().dead().evidence);
    const auto doubted = run(Builder().dead().add("alive", Severity::info, std::nullopt, "ed:00.0").evidence);
    ASSERT_FALSE(doubted.findings.empty());
    EXPECT_LT(doubted.findings[0].incident.confidence, plain.findings.at(0).incident.confidence);
    EXPECT_FALSE(doubted.findings[0].incident.against.empty());
}

TEST(Diagnose, ALaterStateClearsIt) {
    const auto node = run(Builder().dead().add("running", Severity::info, 500s, "", "vm7").evidence);
    ASSERT_EQ(node.findings.size(), 1u);
    EXPECT_EQ(node.findings[0].incident.state, model::IncidentState::cleared);
    EXPECT_NE(node.verdict, model::Verdict::fault);
}

TEST(Diagnose, AnEarlierBootIsNotOpen) {
    auto builder = Builder();
    builder.add("fell", Severity::fatal, 10s, "ed:00.0", "", 1)
        .add(std::string(kBootStart), Severity::info, 500s)
        .add("alive", Severity::info, std::nullopt, "ed:00.0");
    const auto node = run(builder.evidence);
    ASSERT_EQ(node.findings.size(), 1u);
    EXPECT_EQ(node.findings[0].incident.state, model::IncidentState::earlier_boot);
    EXPECT_EQ(node.verdict, model::Verdict::healthy);
}

TEST(Diagnose, BenignExplanationsAreNoIncident) {
    const auto node = run(Builder().add("noise", Severity::warning, 10s).evidence);
    EXPECT_TRUE(node.findings.empty());
    ASSERT_EQ(node.benign.size(), 1u);
    EXPECT_EQ(node.verdict, model::Verdict::healthy);
}

TEST(Diagnose, WeakEvidenceAloneIsInconclusive) {
    const auto node = run(Builder().stopped().evidence);
    EXPECT_EQ(node.verdict, model::Verdict::inconclusive);
}

TEST(Diagnose, AnErrorThatNothingExplainsIsNotHealthy) {
    const auto node = run(Builder().add("odd", Severity::error, 10s).evidence);
    EXPECT_EQ(node.verdict, model::Verdict::inconclusive);
    EXPECT_EQ(node.unexplained.size(), 1u);
}

TEST(Diagnose, AHarmlessPastedLineDoesNotProveHealth) {
    auto evidence = Builder().add("noise", Severity::warning, 10s).evidence;
    evidence.signals[0].signal.record = RecordType::text;
    EXPECT_EQ(run(evidence).verdict, model::Verdict::inconclusive);
}

TEST(Diagnose, NoEvidenceOfGpusIsNotHealthy) {
    EXPECT_EQ(run(Builder().evidence).verdict, model::Verdict::inconclusive);
}

TEST(Diagnose, TheOrderOfSignalsDoesNotMatter) {
    auto evidence = Builder().mask().dead().stopped().add("fell", Severity::fatal, 10s, "1a:00.0").evidence;
    const auto forward = run(evidence);
    std::ranges::reverse(evidence.signals);
    const auto backward = run(evidence);
    ASSERT_EQ(forward.findings.size(), backward.findings.size());
    for (std::size_t i = 0; i < forward.findings.size(); ++i) {
        EXPECT_EQ(forward.findings[i].incident.fault, backward.findings[i].incident.fault);
        EXPECT_DOUBLE_EQ(forward.findings[i].incident.confidence, backward.findings[i].incident.confidence);
    }
}

/// One fault that only counts.
NodeFindings run_counting(const Evidence& evidence, Effect counted) {
    auto catalogue = graph();
    catalogue.faults.push_back(fault("f.repeats", About::device, {std::move(counted)}));
    const knowledge::Index index(catalogue);
    return diagnose(index, evidence).at(0);
}

std::vector<std::string> faults_of(const NodeFindings& node) {
    std::vector<std::string> ids;
    for (const auto& f : node.findings) ids.push_back(f.incident.fault);
    return ids;
}

TEST(Diagnose, RepeatsAreCounted) {
    auto thrice = shows("odd", Scope::same_device, Weight::strong);
    thrice.min_count = 3;
    thrice.apart = 1h;
    Builder often;
    often.add("odd", Severity::error, 100s, "ed:00.0").evidence.signals[0].signal.count = 3;
    EXPECT_TRUE(faults_of(run_counting(often.evidence, thrice)).empty()) << "three in one second are one event";
    often.evidence.signals[0].signal.last = base::Timestamp{.value = 2h};
    EXPECT_EQ(faults_of(run_counting(often.evidence, thrice)), std::vector<std::string>{"f.repeats"});
    often.evidence.signals[0].signal.count = 2;
    EXPECT_TRUE(faults_of(run_counting(often.evidence, thrice)).empty());
}

TEST(Diagnose, RepeatsOfEarlierBootsCountOnlyForTheSameDevice) {
    auto boots = shows("odd", Scope::same_device, Weight::strong);
    boots.min_boots = 3;
    const auto story = [](const std::string& earlier_device) {
        return Builder()
            .add("odd", Severity::error, 100s, earlier_device)
            .boots(5000s)
            .add("odd", Severity::error, 10000s, earlier_device)
            .boots(15000s)
            .add("odd", Severity::error, 20000s, "ed:00.0")
            .evidence;
    };
    EXPECT_EQ(faults_of(run_counting(story("ed:00.0"), boots)), std::vector<std::string>{"f.repeats"});
    EXPECT_TRUE(faults_of(run_counting(story("3b:00.0"), boots)).empty());
}

TEST(Diagnose, TheSameFaultBootAfterBootIsCounted) {
    const auto node = run(Builder()
                              .add("fell", Severity::fatal, 100s, "ed:00.0")
                              .boots(5000s)
                              .add("fell", Severity::fatal, 9000s, "ed:00.0")
                              .add("fell", Severity::fatal, 9000s, "3b:00.0")
                              .evidence);
    ASSERT_EQ(node.findings.size(), 2u);
    EXPECT_EQ(node.findings[0].boots, 2u);
    EXPECT_EQ(node.findings[0].incident.boots, 2u);
    const auto other = run(Builder()
                               .add("fell", Severity::fatal, 100s, "3b:00.0")
                               .boots(5000s)
                               .add("fell", Severity::fatal, 9000s, "ed:00.0")
                               .evidence);
    EXPECT_EQ(other.findings.at(0).boots, 1u) << "another device failed then";
}

TEST(Diagnose, AReadingTakenLongAfterStillIsTheCause) {
    // f.mask -> f.dead: the cause is known from a reading two hours after the line that follows from it.
    Builder story;
    story.dead();
    story.add("mask", Severity::error, 3h, "ed:00.0").evidence.signals[1].signal.record = RecordType::gpu;
    EXPECT_EQ(faults_of(run(story.evidence)), std::vector<std::string>{"f.mask"});
    story.evidence.signals[1].signal.record = RecordType::kernel;  // an event at that time is none
    EXPECT_EQ(faults_of(run(story.evidence)).size(), 2u);
}

TEST(Diagnose, AReadingOfAnotherClockEndsWhatTheLogTold) {
    Builder story;
    story.dead();
    auto& line = story.evidence.signals[0].signal;
    line.first = line.last = base::Timestamp{.clock = base::Timestamp::Clock::boot, .value = 160s};
    story.add("running", Severity::info, 9000s, "", "vm7");
    EXPECT_EQ(run(story.evidence).findings.at(0).incident.state, model::IncidentState::cleared);
    story.evidence.signals[1].signal.record = RecordType::kernel;
    EXPECT_EQ(run(story.evidence).findings.at(0).incident.state, model::IncidentState::open);
}

TEST(Diagnose, OfSeveralThatShowTheSameNoneIsPickedByItsName) {
    Builder story;
    for (const auto* pci : {"1a:00.0", "3b:00.0", "9c:00.0"}) story.add("link_down", Severity::error, 100s, pci);
    const auto node = run(story.evidence);
    ASSERT_EQ(node.findings.size(), 1U);
    const auto& devices = node.findings[0].incident.devices;
    EXPECT_EQ(std::ranges::count(devices, model::Device::Role::root, &model::Device::role), 3);
}

TEST(Diagnose, WhatOnlyItsSurroundingsShowIsNoRoot) {
    Builder story;
    story.add("near", Severity::info, 90s, "1a:00.0").add("ended", Severity::warning, 100s, "1a:00.0");
    EXPECT_EQ(faults_of(run(story.evidence)), std::vector<std::string>{"f.ended"});
    story.add("link_down", Severity::error, 95s, "1a:00.0");
    EXPECT_EQ(faults_of(run(story.evidence)), std::vector<std::string>{"f.linked"});
}

TEST(Diagnose, WhatIsOverIsNotUnsure) {
    Builder story;
    story.add("hung", Severity::error, 100s, "1a:00.0").add("alive", Severity::info, 200s, "1a:00.0");
    const auto node = run(story.evidence);
    ASSERT_EQ(node.findings.size(), 1U);
    EXPECT_EQ(node.findings[0].incident.state, model::IncidentState::cleared);
    EXPECT_EQ(node.verdict, model::Verdict::healthy);
}

TEST(Diagnose, InTheSameSecondTheLaterLineClears) {
    const auto state = [](bool running_first) {
        Builder story;
        if (running_first) story.add("running", Severity::info, 160s, "", "vm7");
        story.dead();
        if (!running_first) story.add("running", Severity::info, 160s, "", "vm7");
        return run(story.evidence).findings.at(0).incident.state;
    };
    EXPECT_EQ(state(false), model::IncidentState::cleared);
    EXPECT_EQ(state(true), model::IncidentState::open);
}

TEST(Diagnose, ADeviceIsWhatItsLinesSay) {
    Builder story;
    story.add("fell", Severity::fatal, 100s, "61:00.0").evidence.signals[0].signal.device_kind = "nic";
    EXPECT_EQ(run(story.evidence).findings.at(0).incident.devices.at(0).kind, "nic");
}

}  // namespace
}  // namespace gpumedic::diagnosis
