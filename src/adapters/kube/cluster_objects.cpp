#include "adapters/kube/cluster_objects.h"

#include <cstdlib>
#include <filesystem>

#include "adapters/kube/access.h"
#include "adapters/kube/client.h"
#include "adapters/kube/node_objects.h"

namespace gpumedic::adapters::kube {
namespace {

using ports::ServiceText;

Surroundings of_this_process() {
    Surroundings surroundings;
    surroundings.variable = [](const std::string& name) -> std::optional<std::string> {
        const char* const value = std::getenv(name.c_str());  // NOLINT(concurrency-mt-unsafe): nobody sets variables
        return value == nullptr ? std::nullopt : std::optional<std::string>(value);
    };
    return surroundings;
}

/// What somebody configured counts; else the kubelet's own identity, where this user may read it.
base::Result<Access> find_access() {
    auto access = read_access({}, of_this_process());
    std::error_code unknown;
    if (access || access.error().code != base::ErrorCode::not_found ||
        !std::filesystem::exists(NodeObjectsOfApi::kKubeletConfig, unknown))
        return access;
    return read_access({.kubeconfig = NodeObjectsOfApi::kKubeletConfig, .context = {}}, of_this_process());
}

ServiceText::Outcome port_outcome(Outcome outcome) {
    switch (outcome) {
        case Outcome::ok: return ServiceText::Outcome::ok;
        case Outcome::absent: return ServiceText::Outcome::absent;
        case Outcome::denied: return ServiceText::Outcome::denied;
        case Outcome::timed_out: return ServiceText::Outcome::timed_out;
        case Outcome::truncated: return ServiceText::Outcome::truncated;
        case Outcome::failed: break;
    }
    return ServiceText::Outcome::failed;
}

std::string with_help(const std::string& why, const std::string& help) {
    return help.empty() ? why : why + "; " + help;
}

/// A broken configuration is somebody's mistake and is told as one; none at all is a machine without a cluster.
ServiceText not_configured(const base::Error& error) {
    const auto where = error.where.empty() ? error.what : error.where + ": " + error.what;
    const bool none = error.code == base::ErrorCode::not_found;
    const auto outcome = none                                    ? ServiceText::Outcome::absent
                         : error.code == base::ErrorCode::denied ? ServiceText::Outcome::denied
                                                                 : ServiceText::Outcome::failed;
    return {.name = {}, .text = {}, .outcome = outcome, .why = with_help(where, error.help)};
}

}  // namespace

std::vector<ServiceText> NodeObjectsOfApi::about(const std::string& node, std::chrono::milliseconds timeout) {
    const auto access = find_access();
    if (!access) return {not_configured(access.error())};
    Client client(*access);
    std::vector<ServiceText> objects;
    const auto named = of_this_process().variable("NODE_NAME");
    for (auto& seen : read_node_objects(client, {.node = named.value_or(node), .timeout = timeout}))
        objects.push_back(
            {seen.name, std::move(seen.text), port_outcome(seen.outcome), with_help(seen.why, seen.help)});
    return objects;
}

}  // namespace gpumedic::adapters::kube
