#include <gmock/gmock.h>

#include "evidence/kubectl/kubectl_test_reading.h"

namespace gpumedic::evidence {
namespace {

using model::RecordType;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using testing_kubectl::of_type;
using testing_kubectl::read;
using Fields = std::map<std::string, std::string>;

constexpr std::string_view kDescribed =
    "Name:               node-a\n"
    "Roles:              worker\n"
    "Labels:             kubernetes.io/os=linux\n"
    "Taints:             nvidia.com/gpu=present:NoSchedule\n"
    "                    node.kubernetes.io/unschedulable:NoSchedule\n"
    "Unschedulable:      true\n"
    "Conditions:\n"
    "  Type             Status  LastHeartbeatTime                 LastTransitionTime                Reason            "
    "Message\n"
    "  ----             ------  -----------------                 ------------------                ------            "
    "-------\n"
    "  Ready            False   Sat, 01 Feb 2025 08:00:00 +0000   Sat, 01 Feb 2025 07:00:00 +0000   KubeletNotReady   "
    "runtime is down\n"
    "Capacity:\n"
    "  cpu:                          128\n"
    "  nvidia.com/GH100_H200:        8\n"
    "  devices.kubevirt.io/kvm:      1k\n"
    "Allocatable:\n"
    "  cpu:                          127\n"
    "  nvidia.com/GH100_H200:        6\n"
    "  devices.kubevirt.io/kvm:      1k\n"
    "Allocated resources:\n"
    "  Resource                Requests  Limits\n"
    "  nvidia.com/GH100_H200   6         6\n"
    "Events:\n"
    "  Type     Reason    Age  From     Message\n"
    "  ----     ------    ---  ----     -------\n"
    "  Warning  Rebooted  5m   kubelet  Node node-a has been rebooted\n";

TEST(KubectlNodes, ReadsADescription) {
    const auto seen = read(kDescribed, "kubectl describe node node-a");
    ASSERT_THAT(seen, SizeIs(7));
    EXPECT_EQ(seen[0].type, RecordType::k8s_node);
    EXPECT_EQ(seen[0].host, "node-a");
    EXPECT_EQ(seen[0].fields,
              (Fields{{"name", "node-a"}, {"taint", "nvidia.com/gpu=present"}, {"effect", "NoSchedule"}}));
    EXPECT_EQ(seen[1].fields,
              (Fields{{"name", "node-a"}, {"taint", "node.kubernetes.io/unschedulable"}, {"effect", "NoSchedule"}}));
    EXPECT_EQ(seen[2].fields, (Fields{{"name", "node-a"}, {"unschedulable", "true"}}));
    EXPECT_EQ(seen[3].fields,
              (Fields{{"name", "node-a"}, {"condition", "Ready"}, {"status", "False"}, {"reason", "KubeletNotReady"}}));
    EXPECT_EQ(seen[4].fields, (Fields{{"name", "node-a"},
                                      {"resource", "nvidia.com/GH100_H200"},
                                      {"capacity", "8"},
                                      {"allocatable", "6"},
                                      {"missing", "2"}}));
    EXPECT_EQ(seen[4].line, 17U);
    EXPECT_EQ(seen[4].text, "nvidia.com/GH100_H200:        6");
    EXPECT_EQ(seen[4].raw, "  nvidia.com/GH100_H200:        6");
    EXPECT_EQ(seen[5].fields.at("missing"), "0");
    EXPECT_EQ(seen[6].type, RecordType::k8s_event);
    EXPECT_EQ(seen[6].fields.at("kind"), "node");
    EXPECT_EQ(seen[6].fields.at("name"), "node-a");
}

TEST(KubectlNodes, ResourcesAloneAreEnough) {
    const auto seen =
        read("Capacity:\n nvidia.com/gpu:  8\nAllocatable:\n nvidia.com/gpu:  7\nCapacity:\n nvidia.com/gpu:  4\n");
    ASSERT_THAT(seen, SizeIs(2));
    EXPECT_EQ(seen[0].fields,
              (Fields{{"resource", "nvidia.com/gpu"}, {"capacity", "8"}, {"allocatable", "7"}, {"missing", "1"}}));
    EXPECT_EQ(seen[1].fields, (Fields{{"resource", "nvidia.com/gpu"}, {"capacity", "4"}}));
    const auto cut = read("  nvidia.com/gpu:     8\n  nvidia.com/gpu:     7\n  nvidia.com/gpu  7   7\n",
                          "kubectl describe node node-b | grep nvidia.com");
    const auto nodes = of_type(cut, RecordType::k8s_node);
    ASSERT_THAT(nodes, SizeIs(1));
    EXPECT_EQ(nodes[0].fields.at("missing"), "1");
    EXPECT_EQ(nodes[0].fields.at("name"), "node-b");
}

TEST(KubectlNodes, ReadsTheTable) {
    const auto seen = read(
        "NAME     STATUS                        ROLES    AGE   VERSION\n"
        "node-a   NotReady,SchedulingDisabled   worker   20d   v1.30.1\nnode-b   Ready                         <none>  "
        " 20d   v1.30.1\n",
        "kubectl get nodes");
    ASSERT_THAT(seen, SizeIs(2));
    EXPECT_EQ(seen[0].fields,
              (Fields{{"name", "node-a"}, {"condition", "Ready"}, {"status", "False"}, {"unschedulable", "true"}}));
    EXPECT_EQ(seen[1].fields, (Fields{{"name", "node-b"}, {"condition", "Ready"}, {"status", "True"}}));
    EXPECT_THAT(read("node-a   NotReady   worker   20d   v1.30.1\n", "kubectl get node --no-headers"), SizeIs(1));
}

TEST(KubectlNodes, ReadsObjects) {
    const auto seen = read(R"({
  "apiVersion": "v1",
  "kind": "Node",
  "metadata": {"name": "node-a"},
  "spec": {
    "taints": [{"effect": "NoExecute", "key": "example.org/broken"}],
    "unschedulable": true
  },
  "status": {
    "allocatable": {
      "cpu": "64",
      "nvidia.com/gpu": "7"
    },
    "capacity": {"cpu": "64", "nvidia.com/gpu": "8"},
    "conditions": [{"type": "Ready", "status": "True", "reason": "KubeletReady", "message": "kubelet is posting ready status"}]
  }
}
)");
    ASSERT_THAT(seen, SizeIs(4));
    EXPECT_EQ(seen[0].fields, (Fields{{"name", "node-a"}, {"taint", "example.org/broken"}, {"effect", "NoExecute"}}));
    EXPECT_EQ(seen[1].line, 7U);
    EXPECT_EQ(seen[2].fields, (Fields{{"name", "node-a"},
                                      {"resource", "nvidia.com/gpu"},
                                      {"capacity", "8"},
                                      {"allocatable", "7"},
                                      {"missing", "1"}}));
    EXPECT_EQ(seen[2].line, 12U);
    EXPECT_EQ(seen[3].text, "kubelet is posting ready status");
    const auto yaml = read(
        "apiVersion: v1\nkind: Node\nmetadata:\n  name: node-a\nstatus:\n  allocatable:\n    nvidia.com/gpu: \"8\"\n  "
        "capacity:\n    nvidia.com/gpu: \"8\"\n");
    ASSERT_THAT(yaml, SizeIs(1));
    EXPECT_EQ(yaml[0].line, 7U);
    EXPECT_EQ(yaml[0].fields.at("missing"), "0");
}

TEST(KubectlNodes, SurviveTruncationAtEveryByte) {
    for (std::size_t length = 0; length <= kDescribed.size(); ++length)
        EXPECT_LE(read(kDescribed.substr(0, length)).size(), 12U) << length;
}

TEST(KubectlNodes, SurviveHostileInput) {
    EXPECT_THAT(of_type(read("Capacity:\n /:\n a/b:\n x/y: -\n\xff/\xfe: 99999999999k\n"), RecordType::text),
                IsEmpty());
    EXPECT_FALSE(read("Capacity:\n").empty());
    EXPECT_FALSE(read("{\"apiVersion\":\"v1\",\"kind\":\"Node\",\"status\":{\"allocatable\":[1],\"conditions\":{\"a\":"
                      "1}},\"spec\":{\"taints\":[[],1,null]}}")
                     .empty());
    std::string many = "Capacity:\n";
    for (int i = 0; i < 5000; ++i) many += " a/" + std::to_string(i) + ": 1\n";
    EXPECT_LE(read(many).size(), 1024U);
}

}  // namespace
}  // namespace gpumedic::evidence
