// Each check with what passes, what fails, and the near miss that is only unknown.
#include "verify/verify.h"

#include <gmock/gmock.h>

namespace gpumedic::verify {
namespace {

using model::CheckResult;
using model::Record;
using model::RecordType;
using testing::HasSubstr;
using namespace std::chrono_literals;

constexpr std::chrono::microseconds kFault = std::chrono::hours{500'000};
constexpr const char* kGpu = "0000:ed:00.0";

base::Timestamp at(std::chrono::microseconds after) { return {.value = kFault + after, .zone = 0min}; }

class Verifying : public testing::Test {
protected:
    Verifying() {
        repair_.fault = "nvlink.rx_detect_failed";
        repair_.action = "cold_reboot";
        repair_.devices = {kGpu};
        repair_.vms = {"hpc/vm-3"};
        repair_.last_seen = kFault;
        diagnosis_.verdict = model::Verdict::healthy;
    }
    void see(RecordType type, std::vector<model::Field> fields, std::string text = {},
             std::optional<base::Timestamp> time = {}, std::uint32_t source = 0) {
        builder_.take(source, {.type = type, .time = time, .text = text, .raw = text, .fields = std::move(fields)});
    }
    void see_healthy_node() {
        see(RecordType::kernel, {}, "Linux version 6.8.0 (x)", at(1h));
        see(RecordType::bmc_event, {}, "System ACPI Power State: S4/S5: soft-off", at(30min));
        see(RecordType::pci_device, {{"pci", kGpu},
                                     {"kind", "gpu"},
                                     {"vendor", "10de"},
                                     {"device", "2330"},
                                     {"config", "answers"},
                                     {"driver", "vfio-pci"},
                                     {"lnksta_width", "16"},
                                     {"lnkcap_width", "16"},
                                     {"iommu_group", "12"}});
        see(RecordType::nvlink, {{"pci", kGpu}, {"active", "18"}, {"links", "18"}});
        see(RecordType::k8s_node, {{"resource", "nvidia.com/gpu"}, {"capacity", "8"}, {"allocatable", "8"}});
        see(RecordType::k8s_vm, {{"namespace", "hpc"}, {"name", "vm-3"}, {"status", "Running"}, {"ready", "True"}});
        see(RecordType::text, {}, "/dev/vfio/12: held by process 4711 (qemu-system-x86), guest hpc_vm-3");
        see(RecordType::gpu, {{"index", "0"}, {"uuid", "GPU-1"}, {"name", "H100"}}, {}, {}, 1);
    }
    model::Verification run() {
        diagnosis_.sources.resize(2);
        diagnosis_.sources[1].vantage = model::Vantage::guest;
        seen_ = builder_.finish(diagnosis_.sources);
        return verify({.diagnosis = diagnosis_,
                       .seen = seen_,
                       .repair = has_repair_ ? &repair_ : nullptr,
                       .baseline = baseline_ ? &*baseline_ : nullptr,
                       .guests = guests_});
    }
    static const model::Check* find(const model::Verification& answer, std::string_view id) {
        for (const auto& check : answer.checks)
            if (check.id == id) return &check;
        return nullptr;
    }
    CheckResult result(std::string_view id) {
        const auto answer = run();
        const auto* check = find(answer, id);
        if (check == nullptr) ADD_FAILURE() << id << " does not apply";
        return check == nullptr ? CheckResult::unknown : check->result;
    }
    bool applies(std::string_view id) { return find(run(), id) != nullptr; }

    InventoryBuilder builder_{};
    model::Diagnosis diagnosis_{};
    Seen seen_{};
    Repair repair_{};
    bool has_repair_{true};
    std::optional<Baseline> baseline_{};
    std::vector<GuestAnswer> guests_{};
};

TEST_F(Verifying, AllPassOnANodeThatCameBack) {
    see_healthy_node();
    const auto answer = run();
    for (const auto& check : answer.checks) EXPECT_EQ(check.result, CheckResult::pass) << check.id << check.seen.en;
    EXPECT_EQ(answer.checks.size(), 12U);
    EXPECT_EQ(answer.result, CheckResult::pass);
    for (const auto& check : answer.checks)
        for (const auto* text : {&check.title, &check.expected, &check.seen}) {
            EXPECT_FALSE(text->en.empty()) << check.id;
            EXPECT_FALSE(text->ko.empty()) << check.id;
        }
}

TEST_F(Verifying, NothingSeenIsNeverPass) {
    const auto answer = run();
    EXPECT_EQ(answer.result, CheckResult::unknown);
    for (const auto& check : answer.checks) {
        EXPECT_EQ(check.result, CheckResult::unknown) << check.id;
        EXPECT_FALSE(check.why.en.empty()) << check.id;
        EXPECT_FALSE(check.why.ko.empty()) << check.id;
        EXPECT_FALSE(check.command.empty()) << check.id;
    }
    has_repair_ = false;
    EXPECT_THAT(run().checks, testing::SizeIs(1)) << "only the check for faults";
}

TEST_F(Verifying, TheBootMustBeNew) {
    see(RecordType::kernel, {}, "Linux version 6.8.0 (x)", at(-1h));
    EXPECT_EQ(result("booted_anew"), CheckResult::fail);
    see(RecordType::kernel, {}, "Linux version 6.8.0 (x)", at(1min));
    EXPECT_EQ(result("booted_anew"), CheckResult::pass);
    repair_.boot_id = "b1";
    see(RecordType::text, {}, "/proc/sys/kernel/random/boot_id:b1");
    EXPECT_EQ(result("booted_anew"), CheckResult::fail);
    repair_.action = "reload_driver";
    EXPECT_FALSE(applies("booted_anew"));
}

TEST_F(Verifying, ABootIdAloneIsNoColdReboot) {
    see(RecordType::kernel, {}, "Linux version 6.8.0 (x)", at(1min));
    EXPECT_EQ(result("power_was_cut"), CheckResult::unknown) << "no BMC was asked";
    see(RecordType::bmc_event, {}, "Fan 3: Lower Critical going low", at(1min));
    EXPECT_EQ(result("power_was_cut"), CheckResult::fail) << "its log knows of no power-off";
    see(RecordType::bmc_event, {}, "Power Unit: Power off/down", at(-1min));
    EXPECT_EQ(result("power_was_cut"), CheckResult::fail) << "before the fault";
    see(RecordType::bmc_event, {}, "Power Unit: Power off/down", at(1min));
    EXPECT_EQ(result("power_was_cut"), CheckResult::pass);
    repair_.action = "warm_reboot";
    EXPECT_FALSE(applies("power_was_cut"));
}

TEST_F(Verifying, ABmcWithoutZoneProvesNothingWithinADay) {
    see(RecordType::bmc_event, {}, "Power Unit: Power off/down", base::Timestamp{.value = kFault + 9h});
    EXPECT_EQ(result("power_was_cut"), CheckResult::unknown);
    see(RecordType::bmc_event, {}, "Power Unit: Power off/down", base::Timestamp{.value = kFault + 24h});
    EXPECT_EQ(result("power_was_cut"), CheckResult::pass);
}

TEST_F(Verifying, OldLinesOfTheSameBootAreOldOnlyWhenTheLogGoesOn) {
    model::Incident incident;
    incident.fault = repair_.fault;
    incident.last_seen = at(0min);
    diagnosis_.incidents = {incident};
    see(RecordType::kernel, {}, "NVRM: something", at(0min));
    EXPECT_EQ(result("no_new_fault"), CheckResult::fail) << "a cold reboot leaves no old lines in the boot's log";
    repair_.action = "reload_driver";
    EXPECT_EQ(result("no_new_fault"), CheckResult::unknown) << "the log ends with the fault";
    see(RecordType::kernel, {}, "usb 1-1: new device", at(10min));
    EXPECT_EQ(result("no_new_fault"), CheckResult::pass);
    diagnosis_.incidents[0].last_seen = at(1min);
    EXPECT_EQ(result("no_new_fault"), CheckResult::fail) << "it came again";
}

TEST_F(Verifying, AnInconclusiveDiagnosisProvesNothing) {
    see(RecordType::kernel, {}, "usb 1-1: new device", at(10min));
    EXPECT_EQ(result("no_new_fault"), CheckResult::pass);
    diagnosis_.verdict = model::Verdict::inconclusive;
    EXPECT_EQ(result("no_new_fault"), CheckResult::unknown);
}

TEST_F(Verifying, ADeviceThatAListingLeavesOutIsMissing) {
    see(RecordType::pci_device, {{"pci", "0000:19:00.0"}, {"kind", "gpu"}, {"vendor", "10de"}, {"device", "2330"}});
    EXPECT_EQ(result("devices"), CheckResult::fail);
    see(RecordType::pci_device, {{"pci", kGpu}, {"config", "all_ones"}, {"vendor", "10de"}, {"device", "2330"}});
    EXPECT_EQ(result("devices"), CheckResult::pass);
    EXPECT_EQ(result("config_answers"), CheckResult::fail);
}

TEST_F(Verifying, ANarrowLinkFailsUnlessTheGpuIdles) {
    see(RecordType::pci_device, {{"pci", kGpu}, {"lnksta_width", "8"}, {"lnkcap_width", "16"}});
    EXPECT_EQ(result("pcie_width"), CheckResult::fail);
    see(RecordType::gpu, {{"pci", kGpu}, {"pstate", "P8"}});
    EXPECT_EQ(result("pcie_width"), CheckResult::unknown);
    baseline_ = Baseline{.devices = {{kGpu, {.width = "8"}}}};
    EXPECT_EQ(result("pcie_width"), CheckResult::pass) << "a slot of eight lanes by design";
}

TEST_F(Verifying, LinksAreCountedAgainstTheBaseline) {
    see(RecordType::nvlink, {{"pci", kGpu}, {"link", "0"}, {"state", "active"}});
    see(RecordType::nvlink, {{"pci", kGpu}, {"link", "1"}, {"state", "active"}});
    EXPECT_EQ(result("nvlink_active"), CheckResult::pass);
    baseline_ = Baseline{.devices = {{kGpu, {.links = 18}}}};
    EXPECT_EQ(result("nvlink_active"), CheckResult::fail);
    see(RecordType::nvlink, {{"pci", kGpu}, {"link", "2"}, {"state", "inactive"}});
    baseline_.reset();
    EXPECT_EQ(result("nvlink_active"), CheckResult::fail);
}

TEST_F(Verifying, TheWholeGroupIsOnVfioButForItsBridge) {
    see(RecordType::pci_device, {{"pci", kGpu}, {"driver", "vfio-pci"}, {"iommu_group", "12"}});
    see(RecordType::pci_device,
        {{"pci", "0000:ec:00.0"}, {"driver", "pcieport"}, {"kind", "bridge"}, {"iommu_group", "12"}});
    EXPECT_EQ(result("driver"), CheckResult::pass);
    see(RecordType::pci_device, {{"pci", "0000:ed:00.1"}, {"driver", "snd_hda_intel"}, {"iommu_group", "12"}});
    EXPECT_EQ(result("driver"), CheckResult::fail);
}

TEST_F(Verifying, AllocatableZeroOfZeroIsNoPass) {
    see(RecordType::k8s_node, {{"resource", "nvidia.com/gpu"}, {"capacity", "0"}, {"allocatable", "0"}});
    EXPECT_EQ(result("allocatable"), CheckResult::fail);
    baseline_ = Baseline{.allocatable = {{"nvidia.com/gpu", "8"}}};
    EXPECT_EQ(result("allocatable"), CheckResult::fail);
    see(RecordType::k8s_node, {{"resource", "nvidia.com/gpu"}, {"allocatable", "8"}});
    EXPECT_EQ(result("allocatable"), CheckResult::pass);
}

TEST_F(Verifying, AVmMustRunAndBeReady) {
    see(RecordType::k8s_vm, {{"namespace", "other"}, {"name", "vm-3"}, {"status", "Running"}, {"ready", "True"}});
    EXPECT_EQ(result("vm_running"), CheckResult::unknown) << "another namespace's VM of that name";
    see(RecordType::k8s_vmi, {{"namespace", "hpc"}, {"name", "vm-3"}, {"phase", "Running"}});
    EXPECT_EQ(result("vm_running"), CheckResult::unknown) << "readiness was not shown";
    see(RecordType::k8s_vmi, {{"namespace", "hpc"}, {"name", "vm-3"}, {"ready", "False"}});
    EXPECT_EQ(result("vm_running"), CheckResult::fail);
    see(RecordType::k8s_vmi, {{"namespace", "hpc"}, {"name", "vm-3"}, {"ready", "True"}});
    EXPECT_EQ(result("vm_running"), CheckResult::pass);
}

TEST_F(Verifying, TheVmMustHoldTheDeviceThatWasRepaired) {
    see(RecordType::pci_device, {{"pci", kGpu}, {"iommu_group", "12"}});
    EXPECT_EQ(result("vm_devices"), CheckResult::unknown) << "who holds it was not read";
    see(RecordType::text, {}, "/dev/vfio/13: held by process 9 (qemu-system-x86), guest hpc_vm-3");
    EXPECT_EQ(result("vm_devices"), CheckResult::fail) << "the VM runs with another device";
    see(RecordType::text, {}, "/dev/vfio/12: held by process 8 (qemu-system-x86), guest hpc_vm-9");
    EXPECT_EQ(result("vm_devices"), CheckResult::fail);
    see(RecordType::text, {}, "/dev/vfio/12: held by process 8 (qemu-system-x86), guest hpc_vm-3");
    EXPECT_EQ(result("vm_devices"), CheckResult::pass);
    repair_.vms.clear();
    EXPECT_FALSE(applies("vm_devices"));
}

TEST_F(Verifying, TheGuestIsAskedOrSaidToBeMissing) {
    EXPECT_EQ(result("guest"), CheckResult::unknown);
    guests_ = {{.vm = "hpc/vm-3", .end = GuestAnswer::End::failed, .why = "no route to host"}};
    EXPECT_EQ(result("guest"), CheckResult::unknown);
    guests_[0] = {.vm = "hpc/vm-3", .end = GuestAnswer::End::answered, .gpus = 0};
    EXPECT_EQ(result("guest"), CheckResult::fail);
    guests_[0].gpus = 8;
    EXPECT_EQ(result("guest"), CheckResult::pass);
    guests_[0].shows_errors = true;
    EXPECT_EQ(result("guest"), CheckResult::fail);
}

TEST_F(Verifying, ADrainedSlurmNodeIsNotRecovered) {
    EXPECT_FALSE(applies("slurm"));
    see(RecordType::slurm_node, {{"name", "gn1"}, {"state", "idle"}});
    EXPECT_EQ(result("slurm"), CheckResult::pass);
    see(RecordType::slurm_node, {{"name", "gn1"}, {"state", "idle+drain"}});
    EXPECT_EQ(result("slurm"), CheckResult::fail);
}

TEST(Baselines, WhatIsSavedIsReadBackAndDiffersInNothing) {
    Inventory seen;
    seen.devices[kGpu] = {.kind = "gpu",
                          .id = "10de:2330",
                          .model = "NVIDIA \"H100\" \\ 80",
                          .driver = "vfio-pci",
                          .iommu_group = "12",
                          .width = "16",
                          .links_active = 18,
                          .links = 18};
    seen.devices["0000:ed:00.1"] = {.kind = "audio", .id = "10de:1111", .driver = "vfio-pci", .iommu_group = "12"};
    seen.devices["0000:01:00.0"] = {.kind = "other", .id = "8086:1572", .driver = "i40e", .iommu_group = "3"};
    seen.driver_version = "550.90.07";
    seen.resources["nvidia.com/gpu"] = {"8", "8"};
    seen.resources["cpu"] = {"8", "8"};
    seen.vms["hpc/vm-3"] = {.status = "Running", .ready = "True"};
    const auto baseline = baseline_of(seen, "n1", "2026-01-01T00:00:00Z");
    EXPECT_EQ(baseline.devices.size(), 2U) << "NVIDIA's, and nothing else";
    const auto again = parse_baseline(render_yaml(baseline), "b.yaml");
    ASSERT_TRUE(again) << again.error().what << again.error().where;
    EXPECT_EQ(again->devices, baseline.devices);
    EXPECT_EQ(again->allocatable, baseline.allocatable);
    EXPECT_EQ(again->vms, baseline.vms);
    EXPECT_TRUE(differences(*again, seen).empty());
    seen.devices[kGpu].driver = "nouveau";
    seen.devices.erase("0000:ed:00.1");
    EXPECT_EQ(differences(*again, seen).size(), 2U);
}

TEST(Baselines, AMistakeHasItsPlace) {
    const auto wrong = [](const std::string& body) {
        const auto baseline = parse_baseline("schema: gpumedic.baseline/v1\n" + body, "b.yaml");
        return baseline ? std::string("was read") : baseline.error().where + " " + baseline.error().what;
    };
    EXPECT_THAT(wrong("device: {}\n"), HasSubstr("b.yaml:2:1 unknown field \"device\""));
    EXPECT_THAT(wrong("devices:\n  \"zz\": {}\n"), HasSubstr("is no PCI address"));
    EXPECT_THAT(wrong("devices:\n  \"ed:00.0\": {nvlinks: many}\n"), HasSubstr("must be a number"));
    EXPECT_THAT(wrong("devices:\n  \"ed:00.0\": {drivr: x}\n"), HasSubstr("unknown field \"drivr\""));
    EXPECT_FALSE(parse_baseline("node: x\n", "b.yaml")) << "no schema";
    EXPECT_FALSE(parse_baseline("", "b.yaml"));
}

TEST(Repairs, TheOpenIncidentOfASavedDiagnosis) {
    const auto repair = parse_repair(
        R"({"schema":"gpumedic.diagnosis/v1","incidents":[{"fault":"a","state":"earlier_boot"},
            {"fault":"b","state":"open","last_seen":"2026-04-16T21:44:21+09:00","action":{"class":"cold_reboot"},
             "devices":[{"pci":"0000:ed:00.0","holder":{"vm":"v","namespace":"n"}},{"kind":"vm","holder":{"vm":"v","namespace":"n"}}],
             "blast_radius":{"vms":["n/v","n/w"]}}]})",
        "d.json");
    ASSERT_TRUE(repair);
    EXPECT_EQ(repair->fault, "b");
    EXPECT_EQ(repair->devices, std::vector<std::string>{"0000:ed:00.0"});
    EXPECT_EQ(repair->vms, (std::vector<std::string>{"n/v", "n/w"}));
    EXPECT_FALSE(parse_repair("{}", "d.json"));
    EXPECT_FALSE(parse_repair("x", "d.json"));
    EXPECT_EQ(parse_repair(R"({"schema":"gpumedic.diagnosis/v1","incidents":[]})", "d").error().code,
              base::ErrorCode::not_found);
}

}  // namespace
}  // namespace gpumedic::verify
