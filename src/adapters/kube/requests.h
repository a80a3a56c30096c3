// One request with all that it takes: rate limit, credentials, another try where that may help.
#pragma once

#include <atomic>
#include <string>

#include "adapters/http/http.h"
#include "adapters/kube/answer.h"
#include "adapters/kube/client.h"
#include "adapters/kube/credentials.h"
#include "adapters/kube/pacing.h"

namespace gpumedic::adapters::kube {

using http::Http;
using http::HttpAnswer;
using http::HttpFailure;
using http::HttpRequest;

/// The rest of a call's time.
class Deadline {
public:
    explicit Deadline(Span span) : end_(std::chrono::steady_clock::now() + span) {}
    [[nodiscard]] Span left() const {
        return std::chrono::duration_cast<Span>(end_ - std::chrono::steady_clock::now());
    }

private:
    Moment end_;
};

/// Thread-safe.
class Requests {
public:
    Requests(const Access& access, const ClientOptions& options);

    /// A success (2xx) or an error. Tries again on 401 (once, with fresh credentials), 429 and 5xx (as the server says,
    /// else backing off) and lost connections, as long as the sink got nothing and the deadline allows it.
    [[nodiscard]] base::Result<HttpAnswer> get(const Asked& asked, HttpRequest request, const Deadline& deadline,
                                               const Http::BodySink& sink);
    [[nodiscard]] const Access& access() const { return access_; }
    [[nodiscard]] const ClientOptions& options() const { return options_; }
    [[nodiscard]] Backoff new_backoff();

private:
    struct Try;
    [[nodiscard]] base::Result<HttpAnswer> once(Try& state);
    [[nodiscard]] base::Result<void> pause(const Try& state, Span span, const base::Error& why) const;
    [[nodiscard]] base::Result<Secret> secret_for(const Try& state);

    const Access access_;
    const ClientOptions options_;
    Http http_;
    Credentials credentials_;
    RateLimit rate_;
    std::atomic<std::uint32_t> seed_;
};

}  // namespace gpumedic::adapters::kube
