// Against a fake cluster: what is asked, what is kept, what is said. The wire is tested in tests/kube.
#include "adapters/kube/node_objects.h"

#include <gmock/gmock.h>

#include <map>

namespace gpumedic::adapters::kube {
namespace {

using base::ErrorCode;
using ports::Flow;
using testing::HasSubstr;

/// Answers lists by the plural; a missing one is not_found. `after` items the list fails with `error`.
class FakeCluster final : public ports::Cluster {
public:
    std::map<std::string, std::vector<std::string>> lists;
    std::map<std::string, base::Error> errors;
    std::string log{"line\n"};
    std::string asked;
    int restarts{0};

    base::Result<std::string> version(const ports::CallLimits& /*limits*/) override { return std::string("v1.0.0"); }
    base::Result<std::string> get(const ports::ResourceType& type, const std::string& /*namespace_*/,
                                  const std::string& name, const ports::CallLimits& /*limits*/) override {
        asked += "get " + type.plural + " " + name + "; ";
        if (errors.contains(type.plural)) return tl::make_unexpected(errors.at(type.plural));
        return R"({"kind":"Node","metadata":{"name":")" + name + "\"}}";
    }
    base::Result<ports::ListAnswer> list(const ports::ListQuery& query, const ports::ListSink& sink,
                                         const ports::CallLimits& /*limits*/) override {
        asked += "list " + query.type.plural + " " + query.field_selector + query.label_selector + "; ";
        ports::ListAnswer answer;
        for (int round = 0; round <= restarts; ++round) {
            if (round > 0) sink.restarted();
            for (const auto& item : lists[query.type.plural]) {
                ++answer.items;
                if (sink.item(item) == Flow::stop) return answer;
            }
        }
        if (errors.contains(query.type.plural)) return tl::make_unexpected(errors.at(query.type.plural));
        return answer;
    }
    base::Result<void> watch(const ports::ListQuery& /*query*/, const ports::WatchSink& /*sink*/,
                             const std::stop_token& /*stop*/) override {
        return {};
    }
    base::Result<ports::LogAnswer> pod_log(const ports::LogQuery& query,
                                           const std::function<Flow(std::string_view)>& sink,
                                           const ports::CallLimits& /*limits*/) override {
        asked += "log " + query.namespace_ + "/" + query.pod + "; ";
        sink(log);
        return ports::LogAnswer{log.size(), ports::LogAnswer::End::whole};
    }
};

FakeCluster with_a_handler() {
    FakeCluster cluster;
    cluster.lists["pods"] = {R"({"metadata":{"name":"h","namespace":"cnv","labels":{"kubevirt.io":"virt-handler"}}})"};
    return cluster;
}

const NodeObject& piece(const std::vector<NodeObject>& all, std::string_view name) {
    for (const auto& one : all)
        if (one.name.find(name) != std::string::npos) return one;
    ADD_FAILURE() << "no piece " << name;
    return all.front();
}

TEST(NodeObjects, AsksForThisNodeOnly) {
    auto cluster = with_a_handler();
    const auto all = read_node_objects(cluster, {.node = "n1"});
    EXPECT_EQ(
        cluster.asked,
        "get nodes n1; list pods spec.nodeName=n1; list virtualmachineinstances kubevirt.io/nodeName=n1; list events ; "
        "list virtualmachines ; list kubevirts ; log cnv/h; ");
    EXPECT_EQ(piece(all, "virt-handler").text, "line\n");
    EXPECT_EQ(piece(all, "pods").command, "kubectl get pods -A --field-selector spec.nodeName=n1 -o json");
    EXPECT_EQ(piece(all, "virtualmachines.").outcome, Outcome::absent);
}

TEST(NodeObjects, ARestartedListingCountsOnce) {
    auto cluster = with_a_handler();
    cluster.restarts = 2;
    EXPECT_EQ(piece(read_node_objects(cluster, {.node = "n1"}), "pods").objects, 1U);
}

TEST(NodeObjects, OutcomesOfErrors) {
    for (const auto& [code, outcome] : {std::pair{ErrorCode::denied, Outcome::denied},
                                        {ErrorCode::unauthorised, Outcome::denied},
                                        {ErrorCode::not_found, Outcome::absent},
                                        {ErrorCode::timed_out, Outcome::timed_out},
                                        {ErrorCode::unreachable, Outcome::failed},
                                        {ErrorCode::throttled, Outcome::failed},
                                        {ErrorCode::too_large, Outcome::truncated},
                                        {ErrorCode::malformed, Outcome::failed}}) {
        FakeCluster cluster;
        cluster.errors["kubevirts"] = {code, "what", "where", "help"};
        const auto got = piece(read_node_objects(cluster, {.node = "n1"}), "kubevirts");
        EXPECT_EQ(got.outcome, outcome) << name_of(outcome);
        EXPECT_EQ(got.why, "what (where)");
        EXPECT_EQ(got.text, "");
    }
}

TEST(NodeObjects, WhatCameBeforeAnErrorIsKept) {
    auto cluster = with_a_handler();
    cluster.errors["pods"] = {ErrorCode::malformed, "cut off", {}, {}};
    const auto all = read_node_objects(cluster, {.node = "n1"});
    EXPECT_EQ(piece(all, "pods").outcome, Outcome::truncated);
    EXPECT_THAT(piece(all, "pods").text, HasSubstr("virt-handler"));
    EXPECT_EQ(piece(all, "virt-handler").outcome, Outcome::ok);
}

TEST(NodeObjects, TheCapTruncates) {
    FakeCluster cluster;
    cluster.lists["pods"].assign(100,
                                 R"({"metadata":{"name":"p","namespace":"n"},"x":")" + std::string(1000, 'x') + "\"}");
    const auto got = piece(read_node_objects(cluster, {.node = "n1", .max_bytes = 10'000}), "pods");
    EXPECT_EQ(got.outcome, Outcome::truncated);
    EXPECT_EQ(got.objects, 8U);
    EXPECT_LT(got.text.size(), 11'000U);
}

TEST(NodeObjects, NothingIsSentWhenTheTimeIsOver) {
    auto cluster = with_a_handler();
    const auto all = read_node_objects(cluster, {.node = "n1", .timeout = std::chrono::milliseconds(0)});
    EXPECT_EQ(cluster.asked, "");
    for (const auto& one : all) EXPECT_EQ(one.outcome, Outcome::timed_out) << one.name;
}

TEST(NodeObjects, ItemsThatAreNoObjectsDoNoHarm) {
    FakeCluster cluster;
    for (const auto* plural : {"pods", "virtualmachineinstances", "events", "virtualmachines"}) {
        cluster.lists[plural] = {
            "", "1", "[]", "{", "{\"metadata\":[]}", "\xff", R"({"metadata":{"labels":"x","ownerReferences":{}}})"};
    }
    EXPECT_EQ(read_node_objects(cluster, {.node = "n1"}).size(), 7U);
}

}  // namespace
}  // namespace gpumedic::adapters::kube
