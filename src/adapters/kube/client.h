// The Kubernetes API as ports::Cluster: a thin REST client.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include "adapters/kube/access.h"
#include "ports/cluster.h"

namespace gpumedic::adapters::kube {

struct ClientOptions {
    double requests_per_second{20};
    double burst{40};
    int attempts{5};  // of one request, where another one may help
    std::chrono::milliseconds backoff_first{200};
    std::chrono::milliseconds backoff_cap{30'000};
    int restarts{3};                                       // of a listing that the server cannot go on with
    std::chrono::seconds watch_length{300};                // a watch is asked for that long, then for again
    std::uint64_t max_object_bytes{16 << 20};              // of one get
    std::uint64_t max_list_bytes{std::uint64_t{8} << 30};  // of one page, unpacked
};

/// Thread-safe: calls of several threads run beside each other and share rate limit, credentials and connections.
/// Only GET requests are ever sent.
class Client final : public ports::Cluster {
public:
    explicit Client(const Access& access, const ClientOptions& options = {});
    ~Client() override;

    [[nodiscard]] base::Result<std::string> version(const ports::CallLimits& limits) override;
    [[nodiscard]] base::Result<std::string> get(const ports::ResourceType& type, const std::string& namespace_,
                                                const std::string& name, const ports::CallLimits& limits) override;
    [[nodiscard]] base::Result<ports::ListAnswer> list(const ports::ListQuery& query, const ports::ListSink& sink,
                                                       const ports::CallLimits& limits) override;
    [[nodiscard]] base::Result<void> watch(const ports::ListQuery& query, const ports::WatchSink& sink,
                                           const std::stop_token& stop) override;
    [[nodiscard]] base::Result<ports::LogAnswer> pod_log(const ports::LogQuery& query,
                                                         const std::function<ports::Flow(std::string_view piece)>& sink,
                                                         const ports::CallLimits& limits) override;

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace gpumedic::adapters::kube
