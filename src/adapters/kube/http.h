// GET over HTTPS: the only place that knows libcurl.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

#include "adapters/kube/access.h"
#include "adapters/kube/credentials.h"
#include "base/result.h"
#include "ports/cluster.h"

namespace gpumedic::adapters::kube {

struct HttpRequest {
    std::string path{};  // with query, below the server's address
    std::string accept{"application/json"};
    std::chrono::milliseconds timeout{30'000};
    std::stop_token stop{};
    std::uint64_t max_bytes{std::uint64_t{16} << 30};  // of the unpacked body
};

struct HttpAnswer {
    long status{};
    std::string error_body{};  // of an answer that is no success, cut at 64 KiB
    std::optional<std::chrono::seconds> retry_after{};
    std::uint64_t body_bytes{};  // that the sink got
    enum class End : std::uint8_t { whole, stopped_by_sink } end{End::whole};
};

/// A transport error and how much of the body had come before it.
struct HttpFailure {
    base::Error error{};
    std::uint64_t body_bytes{};
    enum class Again : std::uint8_t { useless, may_help } again{Again::may_help};
};

/// Connections are kept open and used again; HTTP/2 where the server offers it, gzip where it wants to. Redirects are
/// not followed. Thread-safe: each call in flight has a connection of its own.
class Http {
public:
    explicit Http(Access access);
    ~Http();
    Http(const Http&) = delete;
    Http& operator=(const Http&) = delete;

    using BodySink = std::function<ports::Flow(std::string_view)>;
    /// The sink gets the body of a success (2xx), unpacked, in pieces. `cut_off` answers are malformed errors.
    [[nodiscard]] tl::expected<HttpAnswer, HttpFailure> get(const HttpRequest& request, const Secret& secret,
                                                            const BodySink& sink);

private:
    struct Slot;
    class Exchange;
    [[nodiscard]] std::unique_ptr<Slot> borrow();
    void give_back(std::unique_ptr<Slot> slot);
    struct Pool;
    const Access access_;
    std::unique_ptr<Pool> pool_;
};

}  // namespace gpumedic::adapters::kube
