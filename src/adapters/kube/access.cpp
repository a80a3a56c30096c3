#include "adapters/kube/access.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "adapters/http/small_file.h"
#include "adapters/kube/kubeconfig.h"
#include "base/text.h"

namespace gpumedic::adapters::kube {
namespace {

using base::ErrorCode;

enum class Missing : std::uint8_t { refused, passed_over };

base::Result<Access> from_files(const std::vector<std::string>& paths, const std::string& context, Missing missing) {
    std::vector<ConfigFile> files;
    for (const auto& path : paths) {
        auto text = http::read_small_file(path);
        if (!text && text.error().code == ErrorCode::not_found && missing == Missing::passed_over) continue;
        if (!text) {
            auto error = text.error();
            error.what = "this kubeconfig cannot be read: " + error.what;
            return tl::make_unexpected(error);
        }
        auto file = parse_kubeconfig(*text, path);
        if (!file) return tl::make_unexpected(file.error());
        files.push_back(std::move(*file));
    }
    if (files.empty()) {
        return base::fail(ErrorCode::not_found, "none of the kubeconfig files of $KUBECONFIG exists",
                          fmt::format("{}", fmt::join(paths, ":")));
    }
    return resolve_context(files, context);
}

base::Result<Access> from_service_account(const std::string& host, const Surroundings& surroundings) {
    const std::string& folder = surroundings.service_account;
    const std::string help = "The pod needs automountServiceAccountToken and a service account.";
    Access access;
    access.origin = fmt::format("service account in {}", folder);
    access.identity.token_file = folder + "/token";
    if (auto token = http::read_small_file(access.identity.token_file); !token) {
        return base::fail(token.error().code, "the service account's token: " + token.error().what,
                          access.identity.token_file, help);
    }
    auto ca = http::read_small_file(folder + "/ca.crt");
    if (!ca)
        return base::fail(ca.error().code, "the cluster's certificate: " + ca.error().what, ca.error().where, help);
    access.ca = std::move(*ca);
    if (auto space = http::read_small_file(folder + "/namespace")) access.namespace_ = base::trim(*space);
    const auto port = surroundings.variable("KUBERNETES_SERVICE_PORT").value_or("443");
    const bool bare_ipv6 = host.find(':') != std::string::npos;
    access.url = bare_ipv6 ? fmt::format("https://[{}]:{}", host, port) : fmt::format("https://{}:{}", host, port);
    return access;
}

}  // namespace

base::Result<Access> read_access(const AccessRequest& request, const Surroundings& surroundings) {
    if (!request.kubeconfig.empty()) return from_files({request.kubeconfig}, request.context, Missing::refused);
    if (const auto listed = surroundings.variable("KUBECONFIG"); listed && !listed->empty()) {
        std::vector<std::string> paths;
        for (const auto path : base::split(*listed, ':')) {
            if (!path.empty()) paths.emplace_back(path);
        }
        return from_files(paths, request.context, Missing::passed_over);
    }
    const auto home = surroundings.variable("HOME");
    const std::string in_home = home ? *home + "/.kube/config" : std::string{};
    if (home) {
        if (const auto probe = http::read_small_file(in_home); probe || probe.error().code != ErrorCode::not_found) {
            return from_files({in_home}, request.context, Missing::refused);
        }
    }
    if (const auto host = surroundings.variable("KUBERNETES_SERVICE_HOST"); host && !host->empty()) {
        return from_service_account(*host, surroundings);
    }
    return base::fail(ErrorCode::not_found, "no configuration of a Kubernetes cluster was found", in_home,
                      "Searched: $KUBECONFIG (not set), ~/.kube/config (not there), the service account of a pod "
                      "(KUBERNETES_SERVICE_HOST is not set).");
}

}  // namespace gpumedic::adapters::kube
