// The small pure parts: paths, layout, pacing, the words of a refusal.
#include <gmock/gmock.h>

#include "adapters/kube/answer.h"
#include "adapters/kube/exec_plugin.h"
#include "adapters/kube/json_layout.h"
#include "adapters/kube/pacing.h"

namespace gpumedic::adapters::kube {
namespace {

using base::ErrorCode;
using testing::HasSubstr;
using namespace std::chrono_literals;

TEST(Paths, OfResources) {
    const ports::ResourceType vms{"kubevirt.io", "v1", "virtualmachines", "VirtualMachine"};
    EXPECT_EQ(path_of({{}, "v1", "nodes", "Node"}, {}, "a/../b"), "/api/v1/nodes/a%2F..%2Fb");
    EXPECT_EQ(path_of(vms, "web", {}), "/apis/kubevirt.io/v1/namespaces/web/virtualmachines");
    EXPECT_EQ(escape("a=b,c d\xc3\xa9"), "a%3Db%2Cc%20d%C3%A9");
}

TEST(Refusal, NamesVerbAndResource) {
    const Asked asked{"get", {"kubevirt.io", "v1", "virtualmachines", "VirtualMachine"}, "web", "db-1", {}};
    const auto error =
        error_of_status(asked, 403, R"({"kind":"Status","message":"User \"x\" cannot get"})", "https://api");
    EXPECT_EQ(error.code, ErrorCode::denied);
    EXPECT_EQ(error.what, R"(get virtualmachines.kubevirt.io web/db-1: not allowed: User "x" cannot get)");
    EXPECT_EQ(error.where, "https://api");
    EXPECT_THAT(
        error.help,
        HasSubstr(R"(verb "get" on the resource "virtualmachines" of API group "kubevirt.io" in namespace web)"));
    const Asked log{"get", {"x.io", "v1", "pods/log", {}}, {}, "p", {}};
    EXPECT_EQ(words_of(log), "get pods.x.io/log p");
}

TEST(Refusal, EachStatusHasItsKind) {
    const Asked asked{"list", {{}, "v1", "pods", "Pod"}, {}, {}, {}};
    for (const auto& [status, code] : {std::pair{401L, ErrorCode::unauthorised},
                                       {404L, ErrorCode::not_found},
                                       {410L, ErrorCode::gone},
                                       {429L, ErrorCode::throttled},
                                       {500L, ErrorCode::unreachable},
                                       {302L, ErrorCode::malformed},
                                       {400L, ErrorCode::malformed},
                                       {0L, ErrorCode::malformed}}) {
        EXPECT_EQ(error_of_status(asked, status, {}, {}).code, code) << status;
    }
    EXPECT_LT(error_of_status(asked, 500, std::string(100'000, 'x'), {}).what.size(), 1000U);
}

TEST(Layout, IsThatOfKubectl) {
    std::string text;
    append_laid_out(text, R"({"a":[],"b":{ },"c":[1,{"d":"x,{\"}"}]})", 0);
    EXPECT_EQ(
        text,
        "{\n    \"a\": [],\n    \"b\": {},\n    \"c\": [\n        1,\n        {\n            \"d\": \"x,{\\\"}\"\n"
        "        }\n    ]\n}");
}

TEST(Layout, TakesAnyText) {
    constexpr std::string_view json = R"({"a":["\\",{"b":"]"}]})";
    for (std::size_t at = 0; at <= json.size(); ++at) {
        std::string text;
        append_laid_out(text, json.substr(0, at), 3);
        std::erase_if(text, [](char c) { return c == ' ' || c == '\n'; });
        EXPECT_EQ(text, json.substr(0, at));
    }
    std::string deep;
    append_laid_out(deep, std::string(5000, '[') + std::string(9000, ']'), 0);
    EXPECT_LT(deep.size(), 14'000U * 300);
}

TEST(Layout, KindIsAddedWhereItIsMissing) {
    EXPECT_EQ(with_kind(R"({"a":1})", "v1", "Pod"), R"({"apiVersion":"v1","kind":"Pod","a":1})");
    EXPECT_EQ(with_kind("{}", "v1", "Pod"), R"({"apiVersion":"v1","kind":"Pod"})");
    EXPECT_EQ(with_kind(R"({"kind":"X"})", "v1", "Pod"), R"({"kind":"X"})");
    EXPECT_EQ(with_kind("[1]", "v1", "Pod"), "[1]");
}

TEST(Pacing, TheBucketGivesItsBurstThenWaits) {
    RateLimit rate(10, 3);
    const Moment start{1000s};
    for (int i = 0; i < 3; ++i) EXPECT_EQ(rate.take(start), 0ms);
    EXPECT_EQ(rate.take(start), 100ms);
    EXPECT_EQ(rate.take(start), 200ms);
    EXPECT_EQ(rate.take(start + 300ms), 0ms);
    EXPECT_EQ(rate.take(start + 100s), 0ms);  // full again, not fuller
    EXPECT_EQ(rate.take(start + 100s), 0ms);
    EXPECT_EQ(rate.take(start + 100s), 0ms);
    EXPECT_EQ(rate.take(start + 100s), 100ms);
}

TEST(Pacing, BackoffDoublesWithinItsBounds) {
    Backoff backoff(100ms, 1000ms, 7);
    for (const auto whole : {100ms, 200ms, 400ms, 800ms, 1000ms, 1000ms}) {
        const auto span = backoff.next();
        EXPECT_GE(span, whole / 2);
        EXPECT_LE(span, whole);
    }
    backoff.reset();
    EXPECT_LE(backoff.next(), 100ms);
    EXPECT_NE(Backoff(1000s, 1000s, 1).next(), Backoff(1000s, 1000s, 2).next());
}

TEST(Pacing, AStopEndsTheWait) {
    std::stop_source stop;
    stop.request_stop();
    EXPECT_EQ(wait(1h, stop.get_token()), Waited::cancelled);
    EXPECT_EQ(wait(1ms, {}), Waited::whole);
}

TEST(ExecCredential, AtEveryCut) {
    const ExecPlugin plugin{.command = "p", .api_version = "client.authentication.k8s.io/v1"};
    constexpr std::string_view text =
        R"({"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1","status":{"token":"hush","expirationTimestamp":"2030-01-02T03:04:05Z"}})";
    const auto answer = parse_exec_credential(text, plugin);
    ASSERT_TRUE(answer);
    EXPECT_EQ(answer->token, "hush");
    EXPECT_EQ(answer->expires->time_since_epoch(), 1893553445s);
    for (std::size_t at = 0; at < text.size(); ++at) {
        const auto cut = parse_exec_credential(text.substr(0, at), plugin);
        ASSERT_FALSE(cut) << at;
        EXPECT_EQ(cut.error().what.find("hush"), std::string::npos);
    }
}

TEST(ExecCredential, AnExpiryBeyondTheClocksRangeIsHeldToIt) {
    const ExecPlugin plugin{.command = "p", .api_version = "client.authentication.k8s.io/v1"};
    const auto expiry = [&](const std::string& time) {
        const auto answer = parse_exec_credential(
            R"({"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1","status":{"token":"t","expirationTimestamp":")" +
                time + R"("}})",
            plugin);
        return answer && answer->expires ? *answer->expires : std::chrono::system_clock::time_point::min();
    };
    EXPECT_GT(expiry("9999-12-31T23:59:59Z"), std::chrono::system_clock::now());
    EXPECT_EQ(expiry("0001-01-01T00:00:00Z").time_since_epoch(), 0s) << "Go's zero time: expired";
}

}  // namespace
}  // namespace gpumedic::adapters::kube
