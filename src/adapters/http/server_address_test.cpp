#include "adapters/http/server_address.h"

#include <gtest/gtest.h>

namespace gpumedic::adapters::http {
namespace {

TEST(ServerAddress, Parts) {
    const auto plain = split_server("https://api.test");
    EXPECT_EQ(plain.host, "api.test");
    EXPECT_EQ(plain.port, "443");
    const auto rancher = split_server("https://10.1.2.3:6443/k8s/clusters/c-1");
    EXPECT_EQ(rancher.host, "10.1.2.3");
    EXPECT_EQ(rancher.port, "6443");
    EXPECT_EQ(rancher.prefix, "/k8s/clusters/c-1");
    EXPECT_EQ(split_server("https://[fd00::1]:6443").host, "[fd00::1]");
    EXPECT_EQ(split_server("https://[fd00::1]:6443").port, "6443");
    EXPECT_EQ(split_server("http://[fd00::1]").port, "80");
}

}  // namespace
}  // namespace gpumedic::adapters::http
