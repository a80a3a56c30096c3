#include "adapters/bmc/config.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "adapters/http/small_file.h"
#include "base/text.h"
#include "codec/base64.h"
#include "codec/value.h"

namespace gpumedic::adapters::bmc {
namespace {

using base::ErrorCode;
using codec::Value;

constexpr std::array<std::string_view, 5> kFields{"server", "user", "password_file", "ca_file",
                                                  "insecure_skip_tls_verify"};
constexpr const char* kHelp =
    "It holds server (https://HOST), user, password_file, and where needed ca_file or insecure_skip_tls_verify.";

class Document {
public:
    Document(std::string path, Value tree) : path_(std::move(path)), tree_(std::move(tree)) {}

    [[nodiscard]] tl::unexpected<base::Error> mistake(const Value* at, std::string what) const {
        const auto& place = at == nullptr ? tree_ : *at;
        return base::fail(ErrorCode::malformed, std::move(what),
                          fmt::format("{}:{}:{}", path_, place.line, place.column), kHelp);
    }
    [[nodiscard]] const Value* find(std::string_view field) const { return tree_.find(field); }
    [[nodiscard]] std::string text(std::string_view field) const { return std::string(tree_.text({field})); }
    [[nodiscard]] std::string file(std::string_view field) const {
        return (std::filesystem::path(path_).parent_path() / text(field)).lexically_normal().string();
    }
    [[nodiscard]] base::Result<void> check() const {
        if (!tree_.is_map()) return mistake(nullptr, "must hold fields");
        for (const auto& member : tree_.members) {
            if (std::find(kFields.begin(), kFields.end(), member.key) == kFields.end())
                return mistake(&member.value, fmt::format("unknown field \"{}\"", base::printable(member.key)));
            if (!member.value.is_scalar()) return mistake(&member.value, member.key + " must be a text");
        }
        for (const auto* field : {"server", "user", "password_file"})
            if (text(field).empty()) return mistake(find(field), fmt::format("{} is missing", field));
        return {};
    }

private:
    std::string path_;
    Value tree_;
};

base::Result<Document> read_document(const std::string& path) {
    auto text = http::read_small_file(path, 64 * 1024);
    if (!text) return tl::make_unexpected(text.error());
    auto trees = codec::parse_yaml(*text);
    if (!trees) return base::fail(ErrorCode::malformed, trees.error().what, path + ":" + trees.error().where, kHelp);
    if (trees->size() != 1) return base::fail(ErrorCode::malformed, "must be one YAML document", path, kHelp);
    Document document(path, std::move(trees->front()));
    if (auto done = document.check(); !done) return tl::make_unexpected(done.error());
    return document;
}

base::Result<std::string> read_password(const std::string& path) {
    auto text = http::read_small_file(path, 4096);
    if (!text) {
        text.error().what = "the BMC's password: " + text.error().what;
        return text;
    }
    struct stat status{};
    if (::stat(path.c_str(), &status) == 0 && (status.st_mode & S_IROTH) != 0)
        return base::fail(ErrorCode::denied, "the BMC's password may be read by everybody", path,
                          fmt::format("chmod 600 {}", path));
    const auto password = base::trim(*text);
    if (password.find('\n') != std::string_view::npos)
        return base::fail(ErrorCode::malformed, "the BMC's password must be one line", path);
    return std::string(password);
}

base::Result<std::string> read_server(const Document& document, std::string_view node) {
    auto url = base::replace_all(document.text("server"), "{node}", node);
    while (url.ends_with('/')) url.pop_back();
    if (!url.starts_with("https://") && !url.starts_with("http://"))
        return document.mistake(document.find("server"), "server must begin with https:// (or http://)");
    if (url.find_first_of(" \t\r\n\"<>@") != std::string::npos)
        return document.mistake(document.find("server"), "server must be https://HOST[:PORT]");
    return url;
}

base::Result<void> read_trust(const Document& document, http::Server& server) {
    const auto word = document.text("insecure_skip_tls_verify");
    if (!word.empty() && word != "true" && word != "false")
        return document.mistake(document.find("insecure_skip_tls_verify"),
                                "insecure_skip_tls_verify must be true or false");
    if (word == "true") server.trust = http::Server::Trust::unverified;
    if (document.text("ca_file").empty()) return {};
    auto ca = http::read_small_file(document.file("ca_file"));
    if (!ca) {
        ca.error().what = "the BMC's certificate authority: " + ca.error().what;
        return tl::make_unexpected(ca.error());
    }
    server.ca = std::move(*ca);
    return {};
}

}  // namespace

base::Result<Config> read_config(const std::string& path, std::string_view node) {
    const auto document = read_document(path);
    if (!document) return tl::make_unexpected(document.error());
    Config config;
    config.server.origin = path;
    auto url = read_server(*document, node);
    if (!url) return tl::make_unexpected(url.error());
    config.server.url = std::move(*url);
    if (auto done = read_trust(*document, config.server); !done) return tl::make_unexpected(done.error());
    const auto password = read_password(document->file("password_file"));
    if (!password) {
        // A file of the configuration that is missing is a mistake, not a machine without configuration.
        auto error = password.error();
        if (error.code == ErrorCode::not_found) error.code = ErrorCode::malformed;
        return tl::make_unexpected(error);
    }
    config.secret.authorization = "Basic " + codec::encode_base64(document->text("user") + ":" + *password);
    return config;
}

}  // namespace gpumedic::adapters::bmc
