#include "adapters/kube/kubeconfig.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <optional>
#include <string_view>

#include "adapters/http/small_file.h"
#include "adapters/kube/kubeconfig_user.h"
#include "codec/base64.h"

namespace gpumedic::adapters::kube {

using base::ErrorCode;
using codec::Value;

std::string Entry::place(const Value* at) const {
    if (at == nullptr || at->line == 0) return path;
    return fmt::format("{}:{}:{}", path, at->line, at->column);
}

tl::unexpected<base::Error> Entry::mistake(const Value* at, std::string_view field, std::string_view what,
                                           std::string help) const {
    return base::fail(ErrorCode::malformed, fmt::format("{} \"{}\": {} {}", list, name, field, what), place(at),
                      std::move(help));
}

base::Result<std::string> Entry::text(std::string_view field) const {
    const Value* value = body == nullptr ? nullptr : body->find(field);
    if (value == nullptr || value->kind == Value::Kind::null) return std::string{};
    if (!value->is_scalar()) return mistake(value, field, "must be a text");
    return value->scalar;
}

base::Result<std::string> Entry::file(std::string_view field) const {
    auto path_text = text(field);
    if (!path_text || path_text->empty()) return path_text;
    const std::filesystem::path named(*path_text);
    if (named.is_absolute()) return path_text;
    return (std::filesystem::path(path).parent_path() / named).lexically_normal().string();
}

base::Result<std::string> Entry::data(std::string_view field) const {
    auto encoded = text(field);
    if (!encoded || encoded->empty()) return encoded;
    auto decoded = codec::decode_base64(*encoded);
    if (!decoded) return mistake(body->find(field), field, "is not base64");
    return *decoded;
}

base::Result<Choice> Entry::choice(std::string_view field) const {
    auto word = text(field);
    if (!word) return tl::make_unexpected(word.error());
    if (word->empty() || *word == "false") return Choice::no;
    if (*word == "true") return Choice::yes;
    return mistake(body->find(field), field, "must be true or false");
}

namespace {

struct ListName {
    std::string_view list;
    std::string_view body;
};
constexpr ListName kClusters{"clusters", "cluster"};
constexpr ListName kUsers{"users", "user"};
constexpr ListName kContexts{"contexts", "context"};

base::Result<void> check_list(const ConfigFile& file, const ListName& names) {
    const Value* list = file.tree.find(names.list);
    if (list == nullptr || list->kind == Value::Kind::null) return {};
    const auto wrong = [&](const Value& at, std::string what) {
        return base::fail(ErrorCode::malformed, std::move(what),
                          fmt::format("{}:{}:{}", file.path, at.line, at.column));
    };
    if (!list->is_list()) return wrong(*list, fmt::format("{} must be a list", names.list));
    for (const auto& item : list->items) {
        if (!item.is_map() || item.text({"name"}).empty()) {
            return wrong(item, fmt::format("each of {} must have a name", names.list));
        }
        const Value* body = item.find(names.body);
        if (body != nullptr && body->kind != Value::Kind::null && !body->is_map()) {
            return wrong(*body,
                         fmt::format("{} \"{}\": {} must hold fields", names.list, item.text({"name"}), names.body));
        }
    }
    return {};
}

/// The entry of that name; the first file that has it counts whole, as kubectl merges.
std::optional<Entry> find_entry(const std::vector<ConfigFile>& files, const ListName& names, std::string_view name) {
    for (const auto& file : files) {
        const Value* list = file.tree.find(names.list);
        if (list == nullptr) continue;
        for (const auto& item : list->items) {
            if (item.text({"name"}) != name) continue;
            return Entry{std::string(names.list), std::string(name), file.path, item.find(names.body)};
        }
    }
    return std::nullopt;
}

std::vector<std::string> names_in(const std::vector<ConfigFile>& files, const ListName& names) {
    std::vector<std::string> found;
    for (const auto& file : files) {
        const Value* list = file.tree.find(names.list);
        if (list == nullptr) continue;
        for (const auto& item : list->items) found.emplace_back(item.text({"name"}));
    }
    return found;
}

std::string all_paths(const std::vector<ConfigFile>& files) {
    std::vector<std::string> paths;
    for (const auto& file : files) paths.push_back(file.path);
    return fmt::format("{}", fmt::join(paths, ":"));
}

base::Result<void> fill_server(const Entry& cluster, Access& access) {
    auto server = cluster.text("server");
    if (!server) return tl::make_unexpected(server.error());
    if (!server->starts_with("https://") && !server->starts_with("http://")) {
        return cluster.mistake(cluster.body == nullptr ? nullptr : cluster.body->find("server"), "server",
                               server->empty() ? "is missing" : "must begin with https:// (or http://)");
    }
    while (server->ends_with('/')) server->pop_back();
    access.url = *server;
    for (const auto& [field, target] :
         {std::pair{"tls-server-name", &access.tls_server_name}, std::pair{"proxy-url", &access.proxy_url}}) {
        auto text = cluster.text(field);
        if (!text) return tl::make_unexpected(text.error());
        *target = *text;
    }
    const auto scheme = access.proxy_url.substr(0, access.proxy_url.find("://"));
    if (!access.proxy_url.empty() && scheme != "http" && scheme != "https" && scheme != "socks5") {
        return cluster.mistake(cluster.body->find("proxy-url"), "proxy-url",
                               "must begin with http://, https:// or socks5://");
    }
    return {};
}

base::Result<void> fill_trust(const Entry& cluster, Access& access) {
    const auto unverified = cluster.choice("insecure-skip-tls-verify");
    if (!unverified) return tl::make_unexpected(unverified.error());
    const auto file = cluster.file("certificate-authority");
    if (!file) return tl::make_unexpected(file.error());
    auto data = cluster.data("certificate-authority-data");
    if (!data) return tl::make_unexpected(data.error());
    if (*unverified == Choice::yes) {
        if (!file->empty() || !data->empty()) {
            return cluster.mistake(cluster.body->find("insecure-skip-tls-verify"), "insecure-skip-tls-verify",
                                   "contradicts the certificate authority beside it", "Remove one of the two.");
        }
        access.trust = Access::Trust::unverified;
        return {};
    }
    std::string_view field = "certificate-authority-data";
    if (data->empty() && !file->empty()) {
        field = "certificate-authority";
        auto bytes = http::read_small_file(*file);
        if (!bytes) {
            return cluster.mistake(cluster.body->find(field), field, fmt::format("{}: {}", *file, bytes.error().what));
        }
        data = std::move(bytes);
    }
    if (!data->empty() && data->find("-----BEGIN CERTIFICATE-----") == std::string::npos) {
        return cluster.mistake(cluster.body->find(field), field, "holds no certificate in PEM form");
    }
    access.ca = *data;
    return {};
}

base::Result<Entry> entry_of_context(const std::vector<ConfigFile>& files, const Entry& context,
                                     const ListName& names) {
    auto name = context.text(names.body);
    if (!name) return tl::make_unexpected(name.error());
    if (name->empty()) return context.mistake(context.body, names.body, "is missing");
    auto entry = find_entry(files, names, *name);
    if (!entry) {
        return context.mistake(context.body->find(names.body), names.body,
                               fmt::format("\"{}\" is not among the {}", *name, names.list),
                               fmt::format("There are: {}", fmt::join(names_in(files, names), ", ")));
    }
    return *entry;
}

}  // namespace

base::Result<ConfigFile> parse_kubeconfig(const std::string& text, const std::string& path) {
    auto documents = codec::parse_yaml(text);
    if (!documents) {
        auto error = documents.error();
        error.where = error.where.empty() ? path : path + ":" + error.where;
        return tl::make_unexpected(error);
    }
    ConfigFile file{path, documents->empty() ? Value{} : std::move(documents->front())};
    if (file.tree.kind == Value::Kind::null) return file;
    if (!file.tree.is_map()) return base::fail(ErrorCode::malformed, "this is no kubeconfig: it holds no fields", path);
    const auto kind = file.tree.text({"kind"});
    if (!kind.empty() && kind != "Config") {
        return base::fail(ErrorCode::malformed, fmt::format("this is no kubeconfig: its kind is {}", kind), path);
    }
    for (const auto& names : {kClusters, kUsers, kContexts}) {
        if (auto checked = check_list(file, names); !checked) return tl::make_unexpected(checked.error());
    }
    return file;
}

base::Result<Access> resolve_context(const std::vector<ConfigFile>& files, const std::string& wanted) {
    std::string name = wanted;
    for (const auto& file : files) {
        if (name.empty()) name = file.tree.text({"current-context"});
    }
    const auto known = [&] { return fmt::format("There are: {}", fmt::join(names_in(files, kContexts), ", ")); };
    if (name.empty()) {
        return base::fail(ErrorCode::malformed, "no context is named and current-context is not set", all_paths(files),
                          known());
    }
    const auto context = find_entry(files, kContexts, name);
    if (!context) {
        return base::fail(ErrorCode::not_found, fmt::format("there is no context \"{}\"", name), all_paths(files),
                          known());
    }
    Access access;
    access.origin = fmt::format("{}, context {}", context->path, name);
    auto space = context->text("namespace");
    if (!space) return tl::make_unexpected(space.error());
    if (!space->empty()) access.namespace_ = *space;

    const auto cluster = entry_of_context(files, *context, kClusters);
    if (!cluster) return tl::make_unexpected(cluster.error());
    if (auto done = fill_server(*cluster, access); !done) return tl::make_unexpected(done.error());
    if (auto done = fill_trust(*cluster, access); !done) return tl::make_unexpected(done.error());

    const auto user = entry_of_context(files, *context, kUsers);
    if (!user) return tl::make_unexpected(user.error());
    auto identity = read_identity(*user);
    if (!identity) return tl::make_unexpected(identity.error());
    access.identity = std::move(*identity);
    return access;
}

}  // namespace gpumedic::adapters::kube
