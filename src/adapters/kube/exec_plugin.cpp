#include "adapters/kube/exec_plugin.h"

#include <fmt/format.h>

#include <algorithm>

#include "adapters/kube/child_process.h"
#include "base/text.h"
#include "base/timestamp.h"
#include "codec/base64.h"
#include "codec/json_writer.h"
#include "codec/value.h"

namespace gpumedic::adapters::kube {

using base::ErrorCode;

namespace {

std::string exec_info(const ExecPlugin& plugin, const Access& access) {
    codec::JsonWriter json(codec::JsonWriter::Layout::compact);
    json.begin_object().member("apiVersion", plugin.api_version).member("kind", "ExecCredential");
    json.key("spec").begin_object();
    if (plugin.cluster_info == ExecPlugin::ClusterInfo::provided) {
        json.key("cluster").begin_object().member("server", access.url);
        if (!access.tls_server_name.empty()) json.member("tls-server-name", access.tls_server_name);
        if (!access.proxy_url.empty()) json.member("proxy-url", access.proxy_url);
        if (access.trust == Access::Trust::unverified) json.key("insecure-skip-tls-verify").boolean(true);
        if (!access.ca.empty()) json.member("certificate-authority-data", codec::encode_base64(access.ca));
        json.end_object();
    }
    json.key("interactive").boolean(false).end_object().end_object();
    return json.take();
}

std::string last_words(std::string_view text) {
    auto said = base::trim(text);
    if (const auto line = said.rfind('\n'); line != std::string_view::npos && said.size() > 300)
        said.remove_prefix(line + 1);
    if (said.size() > 300) said.remove_prefix(said.size() - 300);
    return said.empty() ? std::string("it says nothing") : base::printable(said);
}

}  // namespace

base::Result<PluginAnswer> parse_exec_credential(std::string_view text, const ExecPlugin& plugin) {
    const auto wrong = [&](std::string what) {
        return base::fail(ErrorCode::malformed, "the credential plugin's answer: " + std::move(what), plugin.command);
    };
    const auto tree = codec::parse_json(text, {.bytes = 1 << 20, .nodes = 10'000, .depth = 50});
    if (!tree || !tree->is_map()) return wrong("is not JSON");
    if (tree->text({"kind"}) != "ExecCredential") return wrong("its kind is not ExecCredential");
    if (tree->text({"apiVersion"}) != plugin.api_version) {
        return wrong(fmt::format("its apiVersion is \"{}\", the kubeconfig asks for \"{}\"",
                                 base::printable(tree->text({"apiVersion"}).substr(0, 80)), plugin.api_version));
    }
    PluginAnswer answer;
    answer.token = tree->text({"status", "token"});
    answer.certificate = tree->text({"status", "clientCertificateData"});
    answer.key = tree->text({"status", "clientKeyData"});
    if (answer.certificate.empty() != answer.key.empty()) {
        return wrong("clientCertificateData and clientKeyData must come together");
    }
    if (answer.token.empty() && answer.certificate.empty()) return wrong("it holds neither token nor certificate");
    if (const auto expires = tree->text({"status", "expirationTimestamp"}); !expires.empty()) {
        const auto time = base::parse_iso_time(expires, {});
        if (!time) return wrong("expirationTimestamp is no time");
        // The system clock counts nanoseconds until 2262 only; a plugin may say 9999 for "never".
        using Clock = std::chrono::system_clock;
        const auto latest = std::chrono::floor<std::chrono::microseconds>(Clock::time_point::max().time_since_epoch());
        answer.expires = Clock::time_point(std::clamp(time->time.value, std::chrono::microseconds{0}, latest));
    }
    return answer;
}

base::Result<PluginAnswer> run_plugin(const ExecPlugin& plugin, const Access& access,
                                      std::chrono::milliseconds deadline, const std::stop_token& stop) {
    auto environment = plugin.environment;
    environment.emplace_back("KUBERNETES_EXEC_INFO", exec_info(plugin, access));
    const auto allowed = std::min(deadline, plugin.deadline);
    const auto output = run_child(plugin.command, plugin.arguments, environment, allowed, stop);
    if (!output) {
        return base::fail(output.error().code, "the credential plugin " + output.error().what, plugin.command,
                          plugin.install_hint);
    }
    switch (output->end) {
        case ChildOutput::End::deadline:
            return base::fail(ErrorCode::timed_out,
                              fmt::format("the credential plugin did not answer within {} ms", allowed.count()),
                              plugin.command);
        case ChildOutput::End::stopped:
            return base::fail(ErrorCode::cancelled, "stopped while the credential plugin ran", plugin.command);
        case ChildOutput::End::too_much_output:
            return base::fail(ErrorCode::too_large, "the credential plugin prints without end", plugin.command);
        case ChildOutput::End::by_itself: break;
    }
    if (output->status != 0) {
        return base::fail(ErrorCode::unauthorised,
                          fmt::format("the credential plugin failed with exit status {}: {}", output->status,
                                      last_words(output->err)),
                          plugin.command, plugin.install_hint);
    }
    return parse_exec_credential(output->out, plugin);
}

}  // namespace gpumedic::adapters::kube
