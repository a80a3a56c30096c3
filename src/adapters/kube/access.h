// Where a cluster's API is and as whom it is asked: what kubeconfig files and service accounts come down to.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "adapters/http/http.h"
#include "base/result.h"

namespace gpumedic::adapters::kube {

/// A program that prints credentials (client.authentication.k8s.io ExecCredential).
struct ExecPlugin {
    std::string command{};  // a path, or a name that PATH finds
    std::vector<std::string> arguments{};
    std::vector<std::pair<std::string, std::string>> environment{};  // added to ours
    std::string api_version{};
    std::string install_hint{};
    enum class ClusterInfo : std::uint8_t { withheld, provided } cluster_info{ClusterInfo::withheld};
    std::chrono::milliseconds deadline{10'000};
};

/// Texts are PEM. Of a file and a text for the same thing the text counts, as kubectl has it.
struct Identity {
    std::string certificate{};
    std::string certificate_file{};
    std::string key{};
    std::string key_file{};
    std::string token{};
    std::string token_file{};  // counts before token
    std::string user{};        // basic authentication (old clusters, proxies in front of the API)
    std::string password{};
    std::optional<ExecPlugin> exec{};
};

struct Access : http::Server {
    std::string namespace_{"default"};
    Identity identity{};
};

/// What the search for a configuration may ask of the process's surroundings. Tests give their own.
struct Surroundings {
    std::function<std::optional<std::string>(const std::string& name)> variable;
    std::string service_account{"/var/run/secrets/kubernetes.io/serviceaccount"};
};

struct AccessRequest {
    std::string kubeconfig{};  // a file; empty: searched for
    std::string context{};     // empty: the current one
};

/// In this order: the file that was asked for; the files that $KUBECONFIG lists (":" between them, the first that says
/// something counts, missing ones are passed over); ~/.kube/config; the service account of the pod we run in. An error
/// names file, line and field, or all places that were searched. Reads files, asks no server. Thread-safe where
/// `surroundings` is.
[[nodiscard]] base::Result<Access> read_access(const AccessRequest& request, const Surroundings& surroundings);

}  // namespace gpumedic::adapters::kube
