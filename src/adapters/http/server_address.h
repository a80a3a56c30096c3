// The parts of a server's URL. Pure.
#pragma once

#include <string>
#include <string_view>

namespace gpumedic::adapters::http {

struct ServerAddress {
    std::string scheme{};  // "https"
    std::string host{};    // an IPv6 address keeps its brackets
    std::string port{};    // as written, else the scheme's own
    std::string prefix{};  // "/k8s/clusters/c-1", or empty
};

[[nodiscard]] ServerAddress split_server(std::string_view url);

}  // namespace gpumedic::adapters::http
