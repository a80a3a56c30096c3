// Parsing and choosing; the search for files and all mistakes by name are in tests/kube/test_configuration.py.
#include "adapters/kube/kubeconfig.h"

#include <gmock/gmock.h>

namespace gpumedic::adapters::kube {
namespace {

using testing::HasSubstr;

constexpr std::string_view kConfig = R"(apiVersion: v1
kind: Config
current-context: yard
clusters:
- name: yard-cluster
  cluster:
    server: https://api.yard.test:6443/
    tls-server-name: kubernetes
    certificate-authority-data: LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0t
users:
- name: nurse
  user:
    token: hush
- name: doctor
  user:
    exec:
      apiVersion: client.authentication.k8s.io/v1
      command: bin/sign-in
      args: [--realm, yard]
      env:
      - {name: REALM, value: yard}
      provideClusterInfo: true
contexts:
- name: yard
  context: {cluster: yard-cluster, user: nurse, namespace: ward}
- name: night
  context: {cluster: yard-cluster, user: doctor}
)";

base::Result<Access> resolve(std::string_view text, const std::string& context = {}) {
    auto file = parse_kubeconfig(std::string(text), "/etc/yard/config");
    if (!file) return tl::make_unexpected(file.error());
    return resolve_context({*file}, context);
}

TEST(Kubeconfig, TheCurrentContext) {
    const auto access = resolve(kConfig);
    ASSERT_TRUE(access) << access.error().what;
    EXPECT_EQ(access->url, "https://api.yard.test:6443");
    EXPECT_EQ(access->tls_server_name, "kubernetes");
    EXPECT_EQ(access->namespace_, "ward");
    EXPECT_EQ(access->identity.token, "hush");
    EXPECT_EQ(access->ca, "-----BEGIN CERTIFICATE-----");
    EXPECT_EQ(access->trust, Access::Trust::verified);
    EXPECT_EQ(access->origin, "/etc/yard/config, context yard");
}

TEST(Kubeconfig, AnotherContextWithAPlugin) {
    const auto access = resolve(kConfig, "night");
    ASSERT_TRUE(access) << access.error().what;
    ASSERT_TRUE(access->identity.exec);
    EXPECT_EQ(access->identity.exec->command, "/etc/yard/bin/sign-in");
    EXPECT_THAT(access->identity.exec->arguments, testing::ElementsAre("--realm", "yard"));
    EXPECT_EQ(access->identity.exec->cluster_info, ExecPlugin::ClusterInfo::provided);
    EXPECT_EQ(access->namespace_, "default");
}

TEST(Kubeconfig, TheFirstFileOfAListCounts) {
    const auto first = parse_kubeconfig("users: [{name: nurse, user: {token: louder}}]", "/a");
    const auto second = parse_kubeconfig(std::string(kConfig), "/b");
    ASSERT_TRUE(first && second);
    EXPECT_EQ(resolve_context({*first, *second}, {})->identity.token, "louder");
    EXPECT_EQ(resolve_context({*second, *first}, {})->identity.token, "hush");
}

TEST(Kubeconfig, AMistakeHasItsPlace) {
    auto text = std::string(kConfig);
    text.replace(text.find("https://api"), 8, "api.yard");
    const auto access = resolve(text);
    ASSERT_FALSE(access);
    EXPECT_EQ(access.error().where, "/etc/yard/config:7:13");
    EXPECT_THAT(access.error().what, HasSubstr("clusters \"yard-cluster\": server"));
}

TEST(Kubeconfig, CutAnywhereItIsReadOrRefused) {
    for (std::size_t at = 0; at < kConfig.size(); ++at) {
        for (const auto* context : {"", "night"}) {
            const auto access = resolve(kConfig.substr(0, at), context);
            EXPECT_TRUE(access || access.error().where.starts_with("/etc/yard/config")) << at;
        }
    }
}

TEST(Kubeconfig, HostileForms) {
    for (const auto* text :
         {"", "null", "[]", "x", "clusters: {}", "clusters: [1]", "clusters: [{name: [a]}]",
          "contexts: [{name: a, context: x}]", "current-context: {a: b}", "current-context: a\ncontexts: [{name: a}]",
          "current-context: a\ncontexts: [{name: a, context: {cluster: [], user: {}}}]",
          "current-context: a\ncontexts: [{name: a, context: {cluster: c, user: u}}]\nclusters: [{name: c}]"}) {
        EXPECT_FALSE(resolve(text)) << text;
    }
}

}  // namespace
}  // namespace gpumedic::adapters::kube
