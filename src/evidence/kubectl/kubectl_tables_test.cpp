#include <gmock/gmock.h>

#include "evidence/kubectl/kubectl_test_reading.h"

namespace gpumedic::evidence {
namespace {

using model::RecordType;
using ::testing::Contains;
using ::testing::IsEmpty;
using ::testing::Pair;
using ::testing::SizeIs;
using testing_kubectl::read;
using Fields = std::map<std::string, std::string>;

constexpr std::string_view kVmAndVmi =
    "NAME        AGE   STATUS    READY\n"
    "gpu-vm-01   20d   Running   True\n"
    "gpu-vm-02   20d   Stopped   False\n"
    "NAME        AGE   PHASE       IP           NODENAME   READY   LIVE-MIGRATABLE   PAUSED\n"
    "gpu-vm-01   3d    Running     10.52.0.17   node-a     True    False             \n"
    "gpu-vm-03   9s    Scheduled                node-b     False   False             \n";

TEST(KubectlTables, ReadsVmsAndVmisOneAfterAnother) {
    const auto seen = read(kVmAndVmi, "kubectl get vm,vmi -n lab -o wide");
    ASSERT_THAT(seen, SizeIs(4));
    EXPECT_EQ(seen[1].type, RecordType::k8s_vm);
    EXPECT_EQ(seen[1].fields,
              (Fields{{"namespace", "lab"}, {"name", "gpu-vm-02"}, {"status", "Stopped"}, {"ready", "False"}}));
    EXPECT_EQ(seen[1].text, "Stopped");
    EXPECT_EQ(seen[1].raw, "gpu-vm-02   20d   Stopped   False");
    EXPECT_EQ(seen[1].line, 3U);
    EXPECT_EQ(seen[3].type, RecordType::k8s_vmi);
    EXPECT_EQ(seen[3].fields, (Fields{{"namespace", "lab"},
                                      {"name", "gpu-vm-03"},
                                      {"phase", "Scheduled"},
                                      {"node", "node-b"},
                                      {"ready", "False"}}));
}

TEST(KubectlTables, TakesTheNamespaceOfTheRow) {
    const auto seen =
        read("NAMESPACE   NAME   AGE   STATUS             READY\nlab         vm-1   2d    CrashLoopBackOff   False\n",
             "kubectl get vm -A");
    ASSERT_THAT(seen, SizeIs(1));
    EXPECT_THAT(seen[0].fields, Contains(Pair("namespace", "lab")));
    EXPECT_THAT(seen[0].fields, Contains(Pair("status", "CrashLoopBackOff")));
}

TEST(KubectlTables, AMissingNamespaceIsAbsent) {
    const auto seen = read("NAME   AGE   STATUS    READY\nvm-1   2d    Stopped   False\n");
    ASSERT_THAT(seen, SizeIs(1));
    EXPECT_EQ(seen[0].fields.count("namespace"), 0U);
}

TEST(KubectlTables, ReadsPods) {
    const auto seen = read(
        "NAME                           READY   STATUS                     RESTARTS      AGE     IP       NODE     "
        "NOMINATED NODE   READINESS GATES\n"
        "virt-launcher-gpu-vm-1-x2k9p   0/1     UnexpectedAdmissionError   0             2m11s   <none>   node-a   "
        "<none>           <none>\n"
        "cuda-validator-rr9qz           0/1     Init:Error                 6 (3m ago)    19m     <none>   node-a   "
        "<none>           <none>\n",
        "oc get pods --namespace=lab -o wide");
    ASSERT_THAT(seen, SizeIs(2));
    EXPECT_EQ(seen[0].type, RecordType::k8s_pod);
    EXPECT_EQ(seen[0].fields, (Fields{{"namespace", "lab"},
                                      {"name", "virt-launcher-gpu-vm-1-x2k9p"},
                                      {"status", "UnexpectedAdmissionError"},
                                      {"ready", "0/1"},
                                      {"restarts", "0"},
                                      {"node", "node-a"},
                                      {"vmi", "gpu-vm-1"}}));
    EXPECT_THAT(seen[1].fields, Contains(Pair("restarts", "6")));
    EXPECT_EQ(seen[1].fields.count("vmi"), 0U);
}

TEST(KubectlTables, ReadsEventsAndUndoesGoQuoting) {
    const auto seen = read(
        "LAST SEEN   TYPE      REASON       OBJECT                            MESSAGE\n"
        "2m11s       Warning   SyncFailed   virtualmachineinstance/gpu-vm-1   server error. command SyncVMI failed: "
        "\"LibvirtError(Code=1, Domain=0, Message='internal error: Unknown PCI header type '127' for device "
        "'0000:4e:00.0'\\nmore')\"\n"
        "58m         Normal    Pulled       pod/p-1                           Container image \"reg/x:1\" already "
        "present on machine\n",
        "kubectl -n lab get events");
    ASSERT_THAT(seen, SizeIs(2));
    EXPECT_EQ(seen[0].text,
              "server error. command SyncVMI failed: LibvirtError(Code=1, Domain=0, Message='internal error: Unknown "
              "PCI header type "
              "'127' for device '0000:4e:00.0' more')");
    EXPECT_EQ(seen[0].fields, (Fields{{"type", "Warning"},
                                      {"reason", "SyncFailed"},
                                      {"kind", "virtualmachineinstance"},
                                      {"name", "gpu-vm-1"},
                                      {"namespace", "lab"}}));
    EXPECT_EQ(seen[1].text, "Container image \"reg/x:1\" already present on machine");
}

TEST(KubectlTables, AMessageThatWasCutLosesItsOpeningQuote) {
    const auto seen = read(
        "LAST SEEN   TYPE      REASON       OBJECT       MESSAGE\n"
        "2m          Warning   SyncFailed   vmi/vm-1     command failed: \"x \\\"y\\\" Unknown PCI hea\n"
        "2m          Warning   Failed       pod/p-1      images: \"a\" and \"b\"\n");
    ASSERT_THAT(seen, SizeIs(2));
    EXPECT_EQ(seen[0].text, "command failed: x \"y\" Unknown PCI hea");
    EXPECT_EQ(seen[1].text, "images: \"a\" and \"b\"");
}

TEST(KubectlTables, ReadsWideEvents) {
    const auto seen = read(
        "NAMESPACE   LAST SEEN   TYPE      REASON       OBJECT                        SUBOBJECT   SOURCE               "
        "  MESSAGE      FIRST SEEN   COUNT   NAME\n"
        "lab         2m          Warning   SyncFailed   virtualmachineinstance/vm-1               virt-handler, node-a "
        "  it failed    5m           12      vm-1.17\n");
    ASSERT_THAT(seen, SizeIs(1));
    EXPECT_EQ(seen[0].text, "it failed");
    EXPECT_EQ(seen[0].host, "node-a");
    EXPECT_THAT(seen[0].fields, Contains(Pair("count", "12")));
    EXPECT_THAT(seen[0].fields, Contains(Pair("from", "virt-handler")));
}

TEST(KubectlTables, RowsWiderThanTheHeaderAreReadByTheirGaps) {
    const auto seen = read(
        "NAME   AGE   STATUS    READY\nvm-1   2d    Stopped   False\nvm-with-a-long-name   2d   CrashLoopBackOff   "
        "False\n");
    ASSERT_THAT(seen, SizeIs(2));
    EXPECT_THAT(seen[1].fields, Contains(Pair("status", "CrashLoopBackOff")));
    EXPECT_THAT(seen[1].fields, Contains(Pair("ready", "False")));
}

TEST(KubectlTables, ARowThatDoesNotFitIsCountedAndKeptAsText) {
    std::uint64_t malformed = 0;
    const auto seen = read("NAME   AGE   STATUS    READY\nvm-1\n", {}, &malformed);
    EXPECT_EQ(malformed, 1U);
    ASSERT_THAT(seen, SizeIs(1));
    EXPECT_EQ(seen[0].type, RecordType::text);
}

TEST(KubectlTables, ReadsRowsWithoutHeaderByTheCommand) {
    const auto vm = read("gpu-vm-02   20d   Stopped   False\n", "kubectl get vm -n lab | grep gpu-vm-02");
    ASSERT_THAT(vm, SizeIs(1));
    EXPECT_THAT(vm[0].fields, Contains(Pair("status", "Stopped")));
    const auto vmi = read("lab   gpu-vm-03   9s   Scheduled      node-b   False\n", "kubectl get vmi -A --no-headers");
    ASSERT_THAT(vmi, SizeIs(1));
    EXPECT_EQ(vmi[0].fields, (Fields{{"namespace", "lab"},
                                     {"name", "gpu-vm-03"},
                                     {"phase", "Scheduled"},
                                     {"node", "node-b"},
                                     {"ready", "False"}}));
}

TEST(KubectlTables, OtherTablesAndMessagesDoNoHarm) {
    EXPECT_THAT(read("NAME   PHASE       PROGRESS   RESTARTS   AGE\ndv-1   Succeeded   100.0%                20d\n"),
                IsEmpty());
    const auto seen = read("Error from server (NotFound): virtualmachineinstances.kubevirt.io \"vm-1\" not found\n",
                           "kubectl get vmi vm-1");
    ASSERT_THAT(seen, SizeIs(1));
    EXPECT_EQ(seen[0].type, RecordType::text);
}

TEST(KubectlTables, ATranscriptThatNobodySplitIsStillRead) {
    const auto seen = read(
        "$ kubectl get vm -n lab\nNAME   AGE   STATUS    READY\nvm-1   2d    Stopped   False\n"
        "$ kubectl get vm -n dev\nNAME   AGE   STATUS    READY\nvm-1   2d    Running   True\n");
    ASSERT_THAT(seen, SizeIs(2));
    EXPECT_THAT(seen[0].fields, Contains(Pair("namespace", "lab")));
    EXPECT_THAT(seen[1].fields, Contains(Pair("namespace", "dev")));
}

TEST(KubectlTables, SurvivesTruncationAtEveryByte) {
    for (std::size_t length = 0; length <= kVmAndVmi.size(); ++length)
        EXPECT_LE(read(kVmAndVmi.substr(0, length)).size(), 4U) << length;
}

TEST(KubectlTables, SurvivesHostileInput) {
    EXPECT_THAT(read(""), IsEmpty());
    EXPECT_THAT(read("NAME   " + std::string(100000, 'A') + "\n"), IsEmpty());
    EXPECT_THAT(read("NAME  STATUS  AGE  READY\n\xff\xff  \xfe  \n" + std::string(5000, ' ') + "x\n"), SizeIs(2));
}

TEST(Kubectl, RecognisesByCommandOrContent) {
    const auto recognise = kubectl_kind().recognise;
    EXPECT_GE(recognise({"x", "kubectl get vm -n train"}), 90);
    EXPECT_GE(recognise({"x", "sudo k3s kubectl -n lab describe vmi vm-1"}), 90);
    EXPECT_GE(recognise({kVmAndVmi, {}}), 90);
    EXPECT_GE(recognise({"Events:\n  Type     Reason      Age   From          Message\n", {}}), 80);
    EXPECT_GE(
        recognise({"{\n  \"apiVersion\": \"v1\",\n  \"items\": [\n {\"kind\": \"Event\"}], \"kind\": \"List\"}", {}}),
        90);
    EXPECT_GE(recognise({"apiVersion: kubevirt.io/v1\nkind: VirtualMachine\nmetadata:\n", {}}), 90);
    EXPECT_GE(recognise({"Name:         vm-1\nNamespace:    lab\nKind:         VirtualMachineInstance\n", {}}), 80);
    EXPECT_EQ(recognise({kVmAndVmi, "kubectl -n lab logs pod-1"}), 0);
    EXPECT_GE(recognise({"NAME     STATUS   ROLES    AGE   VERSION\n", "kubectl get nodes"}), 90);
    EXPECT_GE(recognise({"Capacity:\n  cpu: 1\n  nvidia.com/gpu: 8\n", {}}), 80);
    EXPECT_EQ(recognise({"apiVersion: kubevirt.io/v1\nkind: ConfigMap\nspec: {}\n", {}}), 0);
    EXPECT_EQ(recognise({"{\"kind\":\"Event\",\"apiVersion\":\"audit.k8s.io/v1\"}", {}}), 0);
    EXPECT_EQ(recognise({"{\"component\":\"virt-handler\",\"kind\":\"VirtualMachineInstance\",\"msg\":\"x\"}", {}}), 0);
    EXPECT_EQ(recognise({"Capacity:\n  cpu: 1\n", {}}), 0);
}

}  // namespace
}  // namespace gpumedic::evidence
