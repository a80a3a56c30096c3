#include "adapters/kube/credentials.h"

#include "adapters/http/small_file.h"
#include "base/text.h"
#include "codec/base64.h"

namespace gpumedic::adapters::kube {
namespace {

constexpr std::chrono::seconds kBeforeExpiry{10};

base::Result<std::string> text_or_file(const std::string& text, const std::string& file, std::string_view what) {
    if (!text.empty() || file.empty()) return text;
    auto read = http::read_small_file(file);
    if (!read) return base::fail(read.error().code, std::string(what) + ": " + read.error().what, file);
    return read;
}

}  // namespace

base::Result<PluginAnswer> Credentials::plugin_answer(const ExecPlugin& plugin, std::chrono::milliseconds deadline,
                                                      const std::stop_token& stop) {
    const auto end = std::chrono::steady_clock::now() + deadline;
    std::unique_lock lock(mutex_);
    if (!answered_.wait_until(lock, std::chrono::system_clock::now() + deadline, [this] { return !asking_; })) {
        return base::fail(base::ErrorCode::timed_out, "the credential plugin does not answer", plugin.command);
    }
    const auto now = std::chrono::system_clock::now();
    if (kept_ && (!kept_->expires || *kept_->expires - kBeforeExpiry > now)) return *kept_;
    asking_ = true;
    lock.unlock();
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - std::chrono::steady_clock::now());
    auto answer = run_plugin(plugin, access_, left, stop);
    lock.lock();
    asking_ = false;
    if (answer) kept_ = *answer;
    answered_.notify_all();
    return answer;
}

base::Result<Secret> Credentials::current(std::chrono::milliseconds deadline, const std::stop_token& stop) {
    const Identity& identity = access_.identity;
    Secret secret;
    auto certificate = text_or_file(identity.certificate, identity.certificate_file, "client certificate");
    if (!certificate) return tl::make_unexpected(certificate.error());
    auto key = text_or_file(identity.key, identity.key_file, "client key");
    if (!key) return tl::make_unexpected(key.error());
    secret.certificate = std::move(*certificate);
    secret.key = std::move(*key);

    std::string token = identity.token;
    if (!identity.token_file.empty()) {
        auto read = text_or_file({}, identity.token_file, "token file");
        if (!read) return tl::make_unexpected(read.error());
        token = base::trim(*read);
        if (token.empty()) return base::fail(base::ErrorCode::malformed, "token file: is empty", identity.token_file);
    }
    if (identity.exec) {
        auto answer = plugin_answer(*identity.exec, deadline, stop);
        if (!answer) return tl::make_unexpected(answer.error());
        if (!answer->token.empty()) token = answer->token;
        if (!answer->certificate.empty()) {
            secret.certificate = answer->certificate;
            secret.key = answer->key;
        }
    }
    if (!token.empty()) {
        secret.authorization = "Bearer " + token;
    } else if (!identity.user.empty()) {
        secret.authorization = "Basic " + codec::encode_base64(identity.user + ":" + identity.password);
    }
    if (secret.authorization.find_first_of("\r\n") != std::string::npos) {
        return base::fail(base::ErrorCode::malformed, "the token holds a line end", access_.origin);
    }
    return secret;
}

void Credentials::refused() {
    const std::scoped_lock lock(mutex_);
    kept_.reset();
}

}  // namespace gpumedic::adapters::kube
