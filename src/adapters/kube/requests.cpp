#include "adapters/kube/requests.h"

#include <fmt/format.h>

#include <random>

namespace gpumedic::adapters::kube {

using base::ErrorCode;

/// One call of get() on its way.
struct Requests::Try {
    const Asked& asked;
    HttpRequest& request;
    const Deadline& deadline;
    const Http::BodySink& sink;
    Backoff backoff;
    int left;
    bool renewed{false};  // credentials, after a 401
    bool again{false};    // out: another try is worth it
};

Requests::Requests(const Access& access, const ClientOptions& options)
    : access_(access),
      options_(options),
      http_(static_cast<const http::Server&>(access)),
      credentials_(access),
      rate_(options.requests_per_second, options.burst),
      seed_(std::random_device{}()) {}

Backoff Requests::new_backoff() {
    return {options_.backoff_first, options_.backoff_cap, seed_.fetch_add(0x9e3779b9U) | 1U};
}

base::Result<void> Requests::pause(const Try& state, Span span, const base::Error& why) const {
    // The last answer says more than "timed out" would.
    if (span >= state.deadline.left()) return tl::make_unexpected(why);
    if (wait(span, state.request.stop) == Waited::cancelled) {
        return base::fail(ErrorCode::cancelled, words_of(state.asked) + ": stopped", access_.url);
    }
    return {};
}

base::Result<Secret> Requests::secret_for(const Try& state) {
    auto secret = credentials_.current(std::max(Span{1}, state.deadline.left()), state.request.stop);
    if (secret) return secret;
    auto error = secret.error();
    error.what = words_of(state.asked) + ": " + error.what;
    if (error.code != ErrorCode::timed_out && error.code != ErrorCode::cancelled) error.code = ErrorCode::unauthorised;
    return tl::make_unexpected(error);
}

base::Result<HttpAnswer> Requests::once(Try& state) {
    state.again = false;
    const base::Error late{ErrorCode::timed_out, words_of(state.asked) + ": the time for it is over", access_.url, {}};
    if (const Span delay = rate_.take(std::chrono::steady_clock::now()); delay > Span{0}) {
        if (auto paused = pause(state, delay, late); !paused) return tl::make_unexpected(paused.error());
    }
    const auto secret = secret_for(state);
    if (!secret) return tl::make_unexpected(secret.error());
    if (state.deadline.left() <= Span{0}) return tl::make_unexpected(late);
    state.request.timeout = std::min(state.request.timeout, state.deadline.left());
    auto answer = http_.get(state.request, *secret, state.sink);
    if (!answer) {
        auto error = answer.error().error;
        error.what = words_of(state.asked) + ": " + error.what;
        state.again = answer.error().again == HttpFailure::Again::may_help && answer.error().body_bytes == 0;
        if (state.again && state.left > 1) {
            if (auto paused = pause(state, state.backoff.next(), error); !paused) {
                state.again = false;
                return tl::make_unexpected(paused.error());
            }
        }
        return tl::make_unexpected(error);
    }
    if (answer->status >= 200 && answer->status <= 299) return *answer;
    auto error = error_of_status(state.asked, answer->status, answer->error_body, access_.url);
    if (answer->status == 401 && !state.renewed) {
        state.renewed = true;
        credentials_.refused();
        const auto fresh = secret_for(state);
        state.again = fresh && !(*fresh == *secret);
        ++state.left;
    } else if (answer->status == 429 || answer->status >= 500) {
        state.again = true;
        const Span asked_for = answer->retry_after.value_or(std::chrono::seconds(0));
        if (state.left > 1) {
            if (auto paused = pause(state, std::max(asked_for, state.backoff.next()), error); !paused) {
                state.again = false;
                return tl::make_unexpected(paused.error());
            }
        }
    }
    return tl::make_unexpected(error);
}

base::Result<HttpAnswer> Requests::get(const Asked& asked, HttpRequest request, const Deadline& deadline,
                                       const Http::BodySink& sink) {
    Try state{asked, request, deadline, sink, new_backoff(), options_.attempts};
    while (true) {
        auto answer = once(state);
        if (answer || !state.again || --state.left <= 0) return answer;
    }
}

}  // namespace gpumedic::adapters::kube
