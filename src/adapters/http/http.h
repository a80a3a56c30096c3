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

#include "base/result.h"
#include "ports/cluster.h"

namespace gpumedic::adapters::http {

/// Where a server is and how far it is trusted.
struct Server {
    std::string origin{};  // who says so, for messages: "/root/.kube/config, context prod"
    std::string url{};     // "https://10.0.0.1:6443/prefix", without a slash at the end
    std::string ca{};      // PEM; empty: the system's certificate authorities
    enum class Trust : std::uint8_t { verified, unverified } trust{Trust::verified};
    std::string tls_server_name{};
    std::string proxy_url{};  // empty: what the environment says (HTTPS_PROXY, NO_PROXY)
};

/// As whom it is asked.
struct Secret {
    std::string authorization{};  // the header's value; empty: none
    std::string certificate{};    // PEM
    std::string key{};
    bool operator==(const Secret&) const = default;
};

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
    explicit Http(Server server);
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
    const Server server_;
    std::unique_ptr<Pool> pool_;
};

}  // namespace gpumedic::adapters::http
