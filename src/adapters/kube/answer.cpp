#include "adapters/kube/answer.h"

#include <fmt/format.h>

#include "base/text.h"
#include "codec/value.h"

namespace gpumedic::adapters::kube {

using base::ErrorCode;

namespace {

constexpr std::size_t kMaxMessage = 600;

std::string resource_of(const ports::ResourceType& type) {
    if (type.group.empty()) return type.plural;
    const auto slash = type.plural.find('/');
    return slash == std::string::npos
               ? fmt::format("{}.{}", type.plural, type.group)
               : fmt::format("{}.{}{}", type.plural.substr(0, slash), type.group, type.plural.substr(slash));
}

/// The server's own words: the message of a Status, else the start of the body.
std::string message_of(std::string_view body) {
    std::string message;
    if (const auto status = codec::parse_json(body, {.bytes = 1 << 20, .nodes = 10'000, .depth = 50})) {
        message = status->text({"message"});
    }
    if (message.empty()) message = body.substr(0, kMaxMessage);
    if (message.size() > kMaxMessage) message.resize(kMaxMessage);
    return std::string(base::trim(base::printable(message)));
}

std::string permission_help(const Asked& asked) {
    if (asked.type.plural.empty()) {
        return fmt::format("The ClusterRole must allow the verb \"{}\" on the nonResourceURL {}.", asked.verb,
                           asked.path);
    }
    return fmt::format(
        "The ClusterRole must allow the verb \"{}\" on the resource \"{}\" of API group \"{}\"{} (deploy/rbac.yaml).",
        asked.verb, asked.type.plural, asked.type.group,
        asked.namespace_.empty() ? std::string{} : fmt::format(" in namespace {}", asked.namespace_));
}

}  // namespace

std::string words_of(const Asked& asked) {
    if (asked.type.plural.empty()) return fmt::format("{} {}", asked.verb, asked.path);
    std::string words = fmt::format("{} {}", asked.verb, resource_of(asked.type));
    if (!asked.name.empty()) {
        words += asked.namespace_.empty() ? " " + asked.name : fmt::format(" {}/{}", asked.namespace_, asked.name);
    } else if (!asked.namespace_.empty()) {
        words += " in " + asked.namespace_;
    }
    return words;
}

base::Error error_of_status(const Asked& asked, long status, std::string_view body, const std::string& server) {
    const std::string what = words_of(asked);
    const std::string message = message_of(body);
    const auto said = [&] { return message.empty() ? std::string{} : ": " + message; };
    switch (status) {
        case 401:
            return {ErrorCode::unauthorised,
                    fmt::format("{}: the API server does not accept our credentials{}", what, said()), server,
                    "The token or certificate is missing, has expired or belongs to another cluster."};
        case 403:
            return {ErrorCode::denied, fmt::format("{}: not allowed{}", what, said()), server, permission_help(asked)};
        case 404: return {ErrorCode::not_found, fmt::format("{}: there is none{}", what, said()), server, {}};
        case 410:
            return {ErrorCode::gone, fmt::format("{}: the version asked for is too old{}", what, said()), server, {}};
        case 429:
            return {ErrorCode::throttled, fmt::format("{}: the API server asks us to come back later{}", what, said()),
                    server, "The API server is under load."};
        default: break;
    }
    if (status >= 500) {
        return {ErrorCode::unreachable,
                fmt::format("{}: the API server is unwell (HTTP {}){}", what, status, said()),
                server,
                {}};
    }
    if (status >= 300 && status < 400) {
        return {ErrorCode::malformed,
                fmt::format("{}: the server answers with a redirect (HTTP {}), which is not followed", what, status),
                server, "Is this the address of the API server, or of a login page in front of it?"};
    }
    return {
        ErrorCode::malformed, fmt::format("{}: the request was refused (HTTP {}){}", what, status, said()), server, {}};
}

std::string path_of(const ports::ResourceType& type, std::string_view namespace_, std::string_view name) {
    std::string path = type.group.empty() ? "/api/" + type.version
                                          : fmt::format("/apis/{}/{}", escape(type.group), escape(type.version));
    if (!namespace_.empty()) path += "/namespaces/" + escape(namespace_);
    path += "/" + escape(type.plural);
    if (!name.empty()) path += "/" + escape(name);
    return path;
}

std::string escape(std::string_view text) {
    std::string escaped;
    for (const char c : text) {
        const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
                           c == '.' || c == '_' || c == '~';
        if (plain) {
            escaped += c;
        } else {
            escaped += fmt::format("%{:02X}", static_cast<unsigned char>(c));
        }
    }
    return escaped;
}

}  // namespace gpumedic::adapters::kube
