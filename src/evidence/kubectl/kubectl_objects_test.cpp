#include <gmock/gmock.h>

#include "evidence/kubectl/kubectl_test_reading.h"

namespace gpumedic::evidence {
namespace {

using model::RecordType;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;
using ::testing::SizeIs;
using ::testing::StartsWith;
using testing_kubectl::of_type;
using testing_kubectl::read;
using Fields = std::map<std::string, std::string>;

constexpr std::string_view kVmYaml = R"##(apiVersion: kubevirt.io/v1
kind: VirtualMachine
metadata:
  name: gpu-vm-1
  namespace: lab
spec:
  runStrategy: RerunOnFailure
status:
  conditions:
  - lastProbeTime: "2025-10-10T13:30:00Z"
    lastTransitionTime: "2025-10-10T13:30:00Z"
    message: VMI does not exist
    reason: VMINotExists
    status: "False"
    type: Ready
  created: false
  printableStatus: CrashLoopBackOff
  startFailure:
    consecutiveFailCount: 4
)##";

TEST(KubectlObjects, ReadsAVmOfYaml) {
    const auto seen = read(kVmYaml);
    ASSERT_THAT(seen, SizeIs(1));
    EXPECT_EQ(seen[0].type, RecordType::k8s_vm);
    EXPECT_EQ(seen[0].fields, (Fields{{"namespace", "lab"},
                                      {"name", "gpu-vm-1"},
                                      {"status", "CrashLoopBackOff"},
                                      {"ready", "False"},
                                      {"run_strategy", "RerunOnFailure"},
                                      {"created", "false"},
                                      {"ready_reason", "VMINotExists"},
                                      {"fail_count", "4"}}));
    EXPECT_EQ(seen[0].text, "CrashLoopBackOff");
    EXPECT_EQ(seen[0].line, 17U);
    EXPECT_EQ(seen[0].raw, "  printableStatus: CrashLoopBackOff");
}

TEST(KubectlObjects, OldRunningFlagBecomesAStrategy) {
    const auto seen = read(
        "kind: VirtualMachine\napiVersion: kubevirt.io/v1\nmetadata: {name: a}\nspec: {running: false}\nstatus: "
        "{ready: true}\n",
        "kubectl get vm a -n dev -o yaml");
    ASSERT_THAT(seen, SizeIs(1));
    EXPECT_EQ(seen[0].fields,
              (Fields{{"namespace", "dev"}, {"name", "a"}, {"run_strategy", "Halted"}, {"ready", "True"}}));
}

constexpr std::string_view kVmiYaml = R"##(apiVersion: kubevirt.io/v1
kind: VirtualMachineInstance
metadata:
  labels:
    kubevirt.io/nodeName: node-a
  name: gpu-vm-1
  namespace: lab
status:
  conditions:
  - message: Guest VM is not reported as running
    reason: GuestNotRunning
    status: "False"
    type: Ready
  - lastTransitionTime: "2025-10-10T13:30:05Z"
    message: 'server error. command SyncVMI failed: "LibvirtError(Code=1, Domain=10,
      Message=''internal error: Unknown PCI header type ''127'' for device ''0000:4e:00.0''\nsee log'')"'
    reason: Synchronizing with the Domain failed.
    status: "False"
    type: Synchronized
  phase: Scheduled
)##";

TEST(KubectlObjects, ReadsAVmiThatCannotStart) {
    const auto seen = read(kVmiYaml);
    ASSERT_THAT(seen, SizeIs(1));
    EXPECT_EQ(seen[0].fields, (Fields{{"namespace", "lab"},
                                      {"name", "gpu-vm-1"},
                                      {"phase", "Scheduled"},
                                      {"node", "node-a"},
                                      {"ready", "False"},
                                      {"synchronized", "False"},
                                      {"synchronized_reason", "Synchronizing with the Domain failed."}}));
    EXPECT_THAT(seen[0].text, HasSubstr("Unknown PCI header type '127' for device '0000:4e:00.0' see log')"));
    EXPECT_EQ(seen[0].time, "2025-10-10T13:30:05Z");
    EXPECT_EQ(seen[0].line, 15U);
    EXPECT_THAT(seen[0].raw, StartsWith("    message: 'server error."));
}

TEST(KubectlObjects, AVmWithItsVmisErrorGivesBoth) {
    std::string text(kVmiYaml);
    text.replace(text.find("VirtualMachineInstance"), 22, "VirtualMachine");
    const auto seen = read(text + "  printableStatus: Starting\n");
    ASSERT_THAT(of_type(seen, RecordType::k8s_vmi), SizeIs(1));
    ASSERT_THAT(of_type(seen, RecordType::k8s_vm), SizeIs(1));
    EXPECT_THAT(of_type(seen, RecordType::k8s_vmi)[0].text, HasSubstr("header type '127'"));
}

constexpr std::string_view kListJson = R"##({
    "apiVersion": "v1",
    "items": [
        {
            "apiVersion": "v1",
            "count": 7,
            "eventTime": null,
            "involvedObject": {"kind": "VirtualMachineInstance", "name": "gpu-vm-1", "namespace": "lab"},
            "kind": "Event",
            "lastTimestamp": "2025-10-10T13:31:40Z",
            "message": "server error. command SyncVMI failed: \"LibvirtError(Code=1, Message='x \\\"y\\\" z\\nw')\"",
            "reason": "SyncFailed",
            "source": {"component": "virt-handler", "host": "node-a"},
            "type": "Warning"
        },
        {
            "apiVersion": "v1",
            "kind": "Node",
            "metadata": {"name": "node-a"}
        },
        {
            "apiVersion": "v1",
            "kind": "Pod",
            "metadata": {
                "annotations": {"kubevirt.io/domain": "gpu-vm-1"},
                "labels": {"kubevirt.io": "virt-launcher"},
                "name": "virt-launcher-gpu-vm-1-x2k9p",
                "namespace": "lab"
            },
            "spec": {"nodeName": "node-a"},
            "status": {
                "message": "Pod was rejected: Allocate failed",
                "phase": "Failed",
                "reason": "UnexpectedAdmissionError"
            }
        }
    ],
    "kind": "List"
})##";

TEST(KubectlObjects, ReadsAMixedListOfJson) {
    const auto seen = read(kListJson);
    ASSERT_THAT(seen, SizeIs(2));
    EXPECT_EQ(seen[0].type, RecordType::k8s_event);
    EXPECT_EQ(seen[0].text, "server error. command SyncVMI failed: LibvirtError(Code=1, Message='x \"y\" z w')");
    EXPECT_EQ(seen[0].time, "2025-10-10T13:31:40Z");
    EXPECT_EQ(seen[0].host, "node-a");
    EXPECT_EQ(seen[0].fields, (Fields{{"type", "Warning"},
                                      {"reason", "SyncFailed"},
                                      {"kind", "virtualmachineinstance"},
                                      {"name", "gpu-vm-1"},
                                      {"namespace", "lab"},
                                      {"count", "7"},
                                      {"from", "virt-handler"}}));
    EXPECT_EQ(seen[0].line, 11U);
    EXPECT_EQ(seen[1].fields, (Fields{{"namespace", "lab"},
                                      {"name", "virt-launcher-gpu-vm-1-x2k9p"},
                                      {"status", "UnexpectedAdmissionError"},
                                      {"node", "node-a"},
                                      {"vmi", "gpu-vm-1"},
                                      {"reason", "UnexpectedAdmissionError"}}));
    EXPECT_EQ(seen[1].text, "Pod was rejected: Allocate failed");
    EXPECT_EQ(seen[1].line, 32U);
    EXPECT_THAT(seen[1].raw, HasSubstr("Pod was rejected"));
}

TEST(KubectlObjects, ReadsContainersOfAPod) {
    const auto seen = read(
        R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"p","namespace":"lab"},"status":{"phase":"Running",)"
        R"("containerStatuses":[{"ready":true,"restartCount":1,"state":{"running":{}}},)"
        R"({"ready":false,"restartCount":5,"state":{"waiting":{"reason":"CrashLoopBackOff","message":"back-off 5m"}}}]}})");
    ASSERT_THAT(seen, SizeIs(1));
    EXPECT_EQ(seen[0].fields, (Fields{{"namespace", "lab"},
                                      {"name", "p"},
                                      {"status", "CrashLoopBackOff"},
                                      {"ready", "1/2"},
                                      {"restarts", "6"},
                                      {"reason", "CrashLoopBackOff"}}));
    EXPECT_EQ(seen[0].text, "back-off 5m");
}

TEST(KubectlObjects, ReadsObjectsOneAfterAnother) {
    const std::string event =
        R"({"apiVersion":"events.k8s.io/v1","kind":"Event","note":"n}","regarding":{"kind":"Pod","name":"p"},"type":"Normal","reason":"R"})";
    const auto seen = read(event + "\n" + event + "\n");
    ASSERT_THAT(seen, SizeIs(2));
    EXPECT_EQ(seen[1].text, "n}");
    EXPECT_EQ(seen[1].line, 2U);
    const auto yaml = read(std::string(kVmYaml) + "---\n" + std::string(kVmYaml) + std::string(kVmiYaml));
    ASSERT_THAT(yaml, SizeIs(3));
    EXPECT_EQ(yaml[1].line, 37U);
}

TEST(KubectlObjects, OtherKindsAndBrokenDocumentsStayVisibleAsText) {
    const auto seen = read("apiVersion: kubevirt.io/v1\nkind: KubeVirt\nspec:\n  memoryOvercommit: 200\n");
    EXPECT_THAT(of_type(seen, RecordType::text), SizeIs(4));
    std::uint64_t malformed = 0;
    const auto broken = read(kListJson.substr(0, 600), {}, &malformed);
    EXPECT_EQ(malformed, 1U);
    EXPECT_FALSE(broken.empty()) << "the items before the cut count";
}

constexpr std::string_view kDescribeVm = R"##(Name:         gpu-vm-1
Namespace:    lab
Labels:       app=x
              tier=y
Annotations:  kubevirt.io/latest-observed-api-version: v1
API Version:  kubevirt.io/v1
Kind:         VirtualMachine
Metadata:
  Creation Timestamp:  2025-09-01T00:00:00Z
  Name:                other
Spec:
  Run Strategy:  Always
  Template:
    Spec:
      Domain:
        Devices:
          Gpus:
            Device Name:  nvidia.com/GH100
            Name:         gpu1
Status:
  Conditions:
    Last Probe Time:       2025-10-10T13:30:00Z
    Last Transition Time:  2025-10-10T13:30:00Z
    Message:               VMI does not exist
    Reason:                VMINotExists
    Status:                False
    Type:                  Ready
    Status:                True
    Type:                  Initialized
  Created:                 false
  Printable Status:        CrashLoopBackOff
  Start Failure:
    Consecutive Fail Count:  3
Events:
  Type    Reason            Age                  From                       Message
  ----    ------            ----                 ----                       -------
  Normal  SuccessfulCreate  6m (x2 over 10m)     virtualmachine-controller  Started the virtual machine
)##";

TEST(KubectlDescribe, ReadsAVm) {
    const auto seen = read(kDescribeVm);
    ASSERT_THAT(seen, SizeIs(2));
    EXPECT_EQ(seen[0].fields, (Fields{{"namespace", "lab"},
                                      {"name", "gpu-vm-1"},
                                      {"status", "CrashLoopBackOff"},
                                      {"ready", "False"},
                                      {"run_strategy", "Always"},
                                      {"created", "false"},
                                      {"ready_reason", "VMINotExists"},
                                      {"fail_count", "3"}}));
    EXPECT_EQ(seen[0].raw, "  Printable Status:        CrashLoopBackOff");
    EXPECT_EQ(seen[1].fields, (Fields{{"type", "Normal"},
                                      {"reason", "SuccessfulCreate"},
                                      {"count", "2"},
                                      {"from", "virtualmachine-controller"},
                                      {"kind", "virtualmachine"},
                                      {"name", "gpu-vm-1"},
                                      {"namespace", "lab"}}));
}

TEST(KubectlDescribe, ReadsAVmiAndItsLongEvents) {
    const auto seen = read(R"##(Name:         gpu-vm-1
Namespace:    lab
API Version:  kubevirt.io/v1
Kind:         VirtualMachineInstance
Status:
  Conditions:
    Message:  server error. command SyncVMI failed: "LibvirtError(Code=1, Message='Unknown PCI header type '127' for device '0000:4e:00.0'')"
    Reason:   Synchronizing with the Domain failed.
    Status:   False
    Type:     Synchronized
  Node Name:  node-a
  Phase:      Scheduled
Events:
  Type     Reason      Age                From                  Message
  ----     ------      ----               ----                  -------
  Warning  SyncFailed  7s (x14 over 52s)  virt-handler, node-a  server error.  command SyncVMI failed: "a\nb"
)##");
    ASSERT_THAT(seen, SizeIs(2));
    EXPECT_THAT(seen[0].text, HasSubstr("header type '127' for device"));
    EXPECT_THAT(seen[0].fields, Contains(Pair("node", "node-a")));
    EXPECT_EQ(seen[1].text, "server error.  command SyncVMI failed: a b");
    EXPECT_EQ(seen[1].host, "node-a");
    EXPECT_THAT(seen[1].fields, Contains(Pair("count", "14")));
    EXPECT_THAT(seen[1].fields, Contains(Pair("from", "virt-handler")));
}

TEST(KubectlDescribe, ReadsAPod) {
    const auto seen = read(
        "Name:         virt-launcher-gpu-vm-1-x2k9p\nNamespace:    lab\nNode:         node-a/10.0.0.5\nStatus:       "
        "Failed\n"
        "Reason:       UnexpectedAdmissionError\nMessage:      Pod was rejected\nContainers:\n  compute:\n    State:  "
        "Waiting\n"
        "Events:       <none>\n");
    ASSERT_THAT(seen, SizeIs(1));
    EXPECT_EQ(seen[0].text, "Pod was rejected");
    EXPECT_EQ(seen[0].fields, (Fields{{"namespace", "lab"},
                                      {"name", "virt-launcher-gpu-vm-1-x2k9p"},
                                      {"status", "UnexpectedAdmissionError"},
                                      {"node", "node-a"},
                                      {"vmi", "gpu-vm-1"},
                                      {"reason", "UnexpectedAdmissionError"}}));
}

TEST(KubectlDescribe, EventsAloneTellWhatTheyAreAbout) {
    const auto seen = read(
        "Events:\n  Type     Reason            Age  From                       Message\n"
        "  Normal   SuccessfulCreate  52s  virtualmachine-controller  Created virtual machine pod "
        "virt-launcher-vmi-a-7bq2p\n"
        "  Warning  SyncFailed        8s   virt-handler               it failed\n");
    ASSERT_THAT(seen, SizeIs(2));
    EXPECT_THAT(seen[1].fields, Contains(Pair("kind", "virtualmachineinstance")));
    EXPECT_THAT(seen[1].fields, Contains(Pair("name", "vmi-a")));
    const auto named =
        read("Events:\n  Type     Reason      Age  From          Message\n  Warning  Failed  8s   kubelet  x\n",
             "kubectl describe pod p-1 -n lab");
    ASSERT_THAT(named, SizeIs(1));
    EXPECT_THAT(named[0].fields, Contains(Pair("name", "p-1")));
    EXPECT_THAT(named[0].fields, Contains(Pair("namespace", "lab")));
}

TEST(KubectlObjects, AStatusWithoutItsObjectIsAPods) {
    const std::string text =
        R"({"status": {"phase": "Pending", "conditions": [{"type": "PodScheduled", "status": "False", "message": "1 Insufficient nvidia.com/gpu."}]}})"
        "\n"
        R"({"status": {"phase": "Failed", "reason": "Evicted", "conditions": [{"type": "PodScheduled", "status": "True"}]}})";
    const auto seen = read(text);
    ASSERT_THAT(seen, SizeIs(2));
    EXPECT_EQ(seen[0].type, RecordType::k8s_pod);
    EXPECT_EQ(seen[0].text, "1 Insufficient nvidia.com/gpu.");
    EXPECT_THAT(seen[1].fields, Contains(Pair("reason", "Evicted")));
    EXPECT_GE(kubectl_kind().recognise({text, {}}), 80);
}

TEST(KubectlObjects, SurviveTruncationAtEveryByte) {
    for (const auto text : {kVmYaml, kVmiYaml, kListJson, kDescribeVm})
        for (std::size_t length = 0; length <= text.size(); ++length)
            EXPECT_LE(read(text.substr(0, length)).size(), 60U);
}

TEST(KubectlObjects, SurviveHostileInput) {
    EXPECT_THAT(read("{}"), SizeIs(1));
    EXPECT_THAT(read(std::string(100000, '[')), SizeIs(1));
    EXPECT_THAT(read("[[[[[[[[]]]]]]]]"), SizeIs(1));
    EXPECT_THAT(
        of_type(
            read(
                R"({"kind":"List","items":[{"kind":"VirtualMachine"},{"kind":["Pod"]},{"kind":"Event","message":{"a":1}},1,null]})"),
            RecordType::text),
        IsEmpty());
    std::string escaped = "{\"kind\":\"EventList\",\"items\":[{}";
    for (int i = 0; i < 20000; ++i) escaped += ",\n{\"message\":\"\\u0041bc\"}";
    EXPECT_THAT(read(escaped + "]}"), SizeIs(20001));
    std::string deep = "Name:  x\n";
    for (std::size_t i = 0; i < 3000; ++i) deep += std::string(i, ' ') + "Key:\n";
    EXPECT_FALSE(read(deep).empty());
    EXPECT_FALSE(read("apiVersion: v1\nkind: Pod\n  bad: [\n\xff\xfe").empty());
    EXPECT_FALSE(read("Events:\n  Type  Reason  Age  From  Message\n  x\n").empty());
}

}  // namespace
}  // namespace gpumedic::evidence
