#include "adapters/kube/kubeconfig_user.h"

#include <fmt/format.h>

#include <filesystem>
#include <tuple>

namespace gpumedic::adapters::kube {

using codec::Value;

namespace {

using Reading = base::Result<std::string> (Entry::*)(std::string_view) const;

base::Result<void> fill(const Entry& entry, std::string_view field, Reading reading, std::string& target) {
    auto text = (entry.*reading)(field);
    if (!text) return tl::make_unexpected(text.error());
    target = std::move(*text);
    return {};
}

base::Result<void> fill_environment(const Entry& exec, ExecPlugin& plugin) {
    const Value* list = exec.body->find("env");
    if (list == nullptr || list->kind == Value::Kind::null) return {};
    if (!list->is_list()) return exec.mistake(list, "exec.env", "must be a list");
    for (const auto& item : list->items) {
        if (item.text({"name"}).empty()) return exec.mistake(&item, "exec.env", "has an entry without a name");
        plugin.environment.emplace_back(item.text({"name"}), item.text({"value"}));
    }
    return {};
}

base::Result<ExecPlugin> read_plugin(const Entry& user, const Value& body) {
    if (!body.is_map()) return user.mistake(&body, "exec", "must hold fields");
    const Entry exec{user.list, user.name, user.path, &body};
    ExecPlugin plugin;
    for (const auto& [field, target] :
         {std::pair{"command", &plugin.command}, std::pair{"apiVersion", &plugin.api_version},
          std::pair{"installHint", &plugin.install_hint}}) {
        if (auto done = fill(exec, field, &Entry::text, *target); !done) return tl::make_unexpected(done.error());
    }
    if (plugin.command.empty()) return exec.mistake(&body, "exec.command", "is missing");
    if (plugin.command.find('/') != std::string::npos && !plugin.command.starts_with('/')) {
        plugin.command = (std::filesystem::path(user.path).parent_path() / plugin.command).lexically_normal().string();
    }
    if (plugin.api_version != "client.authentication.k8s.io/v1" &&
        plugin.api_version != "client.authentication.k8s.io/v1beta1") {
        return exec.mistake(&body, "exec.apiVersion",
                            "must be client.authentication.k8s.io/v1 or client.authentication.k8s.io/v1beta1");
    }
    if (body.text({"interactiveMode"}) == "Always") {
        return exec.mistake(body.find("interactiveMode"), "exec.interactiveMode",
                            "is Always: such a program asks its user, which is not possible here");
    }
    if (const Value* arguments = body.find("args"); arguments != nullptr) {
        for (const auto& argument : arguments->items) plugin.arguments.push_back(argument.scalar);
    }
    if (auto done = fill_environment(exec, plugin); !done) return tl::make_unexpected(done.error());
    const auto provided = exec.choice("provideClusterInfo");
    if (!provided) return tl::make_unexpected(provided.error());
    if (*provided == Choice::yes) plugin.cluster_info = ExecPlugin::ClusterInfo::provided;
    return plugin;
}

/// What the old clients could and we do not: said, not passed over, since the server would only say "unauthorised".
base::Result<void> check_unsupported(const Entry& user) {
    for (const auto* field : {"auth-provider", "as", "as-uid", "as-groups", "as-user-extra"}) {
        const Value* value = user.body->find(field);
        if (value == nullptr || value->kind == Value::Kind::null) continue;
        return user.mistake(value, field, "is not supported",
                            std::string_view(field) == "auth-provider"
                                ? "Kubernetes removed it in 1.26; use an exec plugin or a token."
                                : "Use a user of its own instead of impersonation.");
    }
    return {};
}

base::Result<void> check_pairs(const Entry& user, const Identity& identity) {
    const bool certificate = !identity.certificate.empty() || !identity.certificate_file.empty();
    const bool key = !identity.key.empty() || !identity.key_file.empty();
    if (certificate && !key) return user.mistake(user.body, "client-key", "is missing beside client-certificate");
    if (key && !certificate) return user.mistake(user.body, "client-certificate", "is missing beside client-key");
    const auto pem = [&](std::string_view field, const std::string& text) -> base::Result<void> {
        if (text.empty() || text.find("-----BEGIN ") != std::string::npos) return {};
        return user.mistake(user.body->find(field), field, "is not in PEM form");
    };
    if (auto done = pem("client-certificate-data", identity.certificate); !done) return done;
    return pem("client-key-data", identity.key);
}

}  // namespace

base::Result<Identity> read_identity(const Entry& user) {
    Identity identity;
    if (user.body == nullptr || !user.body->is_map()) return identity;
    if (auto done = check_unsupported(user); !done) return tl::make_unexpected(done.error());
    using Field = std::tuple<std::string_view, Reading, std::string*>;
    for (const auto& [field, reading, target] :
         {Field{"client-certificate-data", &Entry::data, &identity.certificate},
          Field{"client-certificate", &Entry::file, &identity.certificate_file},
          Field{"client-key-data", &Entry::data, &identity.key}, Field{"client-key", &Entry::file, &identity.key_file},
          Field{"token", &Entry::text, &identity.token}, Field{"tokenFile", &Entry::file, &identity.token_file},
          Field{"username", &Entry::text, &identity.user}, Field{"password", &Entry::text, &identity.password}}) {
        if (auto done = fill(user, field, reading, *target); !done) return tl::make_unexpected(done.error());
    }
    if (auto done = check_pairs(user, identity); !done) return tl::make_unexpected(done.error());
    if (const Value* exec = user.body->find("exec"); exec != nullptr && exec->kind != Value::Kind::null) {
        auto plugin = read_plugin(user, *exec);
        if (!plugin) return tl::make_unexpected(plugin.error());
        identity.exec = std::move(*plugin);
    }
    return identity;
}

}  // namespace gpumedic::adapters::kube
