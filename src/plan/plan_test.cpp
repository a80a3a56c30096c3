#include "plan/plan.h"

#include <gtest/gtest.h>

namespace gpumedic::plan {
namespace {

knowledge::Action action(std::string id, knowledge::Reach reach) {
    knowledge::Action a;
    a.id = a.class_ = std::move(id);
    a.reach = reach;
    a.title = {a.id, a.id};
    a.steps = {
        {{"do it on {node}", "{node}에서 하십시오"}, {}, "kubectl cordon {node}; lspci -s {pci}; echo {uuid}", {}}};
    a.must_not = {{"never", "금지"}};
    return a;
}

struct World {
    knowledge::Catalogue catalogue;
    knowledge::Fault fault;
    diagnosis::Finding finding;

    World() {
        catalogue.actions = {action("cold_reboot", knowledge::Reach::node),
                             action("investigate", knowledge::Reach::none),
                             action("reload_driver", knowledge::Reach::node)};
        catalogue.checks = {
            {"vm_running", {"VM", "VM"}, "kubectl get vm {vm} -n {namespace}", {"Running", "Running"}, "", ""}};
        fault.id = "f";
        fault.plan = {{"cold_reboot",
                       {.any = {"pci.dead", "fault:g"}, .none = {"pci.alive"}},
                       {"because", "이유"},
                       {"not less", "낮은 단계 불가"}},
                      {"investigate", {}, {}, {"unclear", "불명확"}}};
        fault.alternatives = {{"reload_driver", {"when it answers", "응답할 때"}}, {"investigate", {"same", "같음"}}};
        fault.must_not = {{"never", "금지"}, {"delete the VM", "VM 삭제 금지"}};
        fault.checks = {"vm_running", "vm_running"};
        finding.faults = {&fault};
        auto& incident = finding.incident;
        incident.node = "n1";
        model::Device device;
        device.pci = "0000:ed:00.0";
        device.holder = {"vm7", "train", ""};
        incident.devices = {device};
        finding.node_vms = {"train/vm6", "train/vm7"};
        finding.node_devices = {"0000:1a:00.0", "0000:ed:00.0"};
    }
    model::Incident& planned(std::vector<std::string> signals) {
        finding.related_signals = std::move(signals);
        const knowledge::Index index(catalogue);
        add_plan(index, finding);
        return finding.incident;
    }
};

TEST(Plan, TheFirstRuleThatHolds) {
    World w;
    const auto& incident = w.planned({"pci.dead"});
    EXPECT_EQ(incident.action.class_, "cold_reboot");
    EXPECT_EQ(incident.action.why_not_less.en, "not less");
    EXPECT_EQ(incident.action.steps.at(0).command, "kubectl cordon n1; lspci -s 0000:ed:00.0; echo <uuid>");
    EXPECT_EQ(incident.action.steps.at(0).why.en, "because");
}

TEST(Plan, AnOpposingSignalTakesTheNextRule) {
    World w;
    EXPECT_EQ(w.planned({"pci.dead", "pci.alive"}).action.class_, "investigate");
}

TEST(Plan, AFaultOfTheChainIsACondition) {
    World w;
    knowledge::Fault follower;
    follower.id = "g";
    w.finding.faults.push_back(&follower);
    EXPECT_EQ(w.planned({}).action.class_, "cold_reboot");
}

TEST(Plan, BlastRadiusFollowsTheReach) {
    World node;
    const auto& rebooted = node.planned({"pci.dead"});
    EXPECT_EQ(rebooted.blast_radius.vms, (std::vector<std::string>{"train/vm6", "train/vm7"}));
    EXPECT_EQ(rebooted.blast_radius.peers, (std::vector<std::string>{"0000:1a:00.0"}));
    World look;
    EXPECT_EQ(look.planned({}).blast_radius.vms, (std::vector<std::string>{"train/vm7"}));
}

TEST(Plan, ProhibitionsChecksAndAlternativesOnceEach) {
    World w;
    const auto& incident = w.planned({"pci.dead"});
    EXPECT_EQ(incident.action.must_not.size(), 2u);
    EXPECT_EQ(incident.verification.size(), 1u);
    EXPECT_EQ(incident.verification.at(0).command, "kubectl get vm vm7 -n train");
    ASSERT_EQ(incident.action.alternatives.size(), 2u);
    EXPECT_EQ(incident.action.alternatives[0].class_, "reload_driver");
}

TEST(Plan, ARuleForTheFaultThatComesBackBootAfterBoot) {
    World w;
    w.fault.plan.insert(w.fault.plan.begin(), {"reload_driver", {.boots = 2}, {"again", "반복"}, {}});
    EXPECT_EQ(w.planned({"pci.dead"}).action.class_, "cold_reboot");
    w.finding.boots = 2;
    EXPECT_EQ(w.planned({"pci.dead"}).action.class_, "reload_driver");
}

}  // namespace
}  // namespace gpumedic::plan
