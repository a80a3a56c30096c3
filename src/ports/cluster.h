// A Kubernetes cluster, read only. adapters/kube implements this port, tests fake it. Objects come as JSON text, one at
// a time, so that a list of any length takes the memory of one object.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>
#include <string_view>

#include "base/result.h"

namespace gpumedic::ports {

/// A kind of objects. `group` is empty for the core group.
struct ResourceType {
    std::string group{};
    std::string version{"v1"};
    std::string plural{};  // "pods", as in paths and in RBAC rules
    std::string kind{};    // "Pod"
};

/// How long a call may take, and who may end it early. The deadline covers all of its requests, retries and waits.
struct CallLimits {
    std::chrono::milliseconds timeout{30'000};
    std::stop_token stop{};
};

/// What a sink answers.
enum class Flow : std::uint8_t { go_on, stop };

struct ListQuery {
    ResourceType type{};
    std::string namespace_{};      // empty: all namespaces
    std::string label_selector{};  // "kubevirt.io=virt-handler"
    std::string field_selector{};  // "spec.nodeName=node-1"
    std::uint32_t page_size{500};  // objects per request; 0: all in one
};

/// Receives a listing. The views are valid during the call only.
struct ListSink {
    /// One object: balanced JSON as the server wrote it, in the server's order. It need not say its kind.
    std::function<Flow(std::string_view json)> item{};
    /// The server could not go on with this listing and it begins anew: what was delivered is to be forgotten.
    std::function<void()> restarted{};
};

struct ListAnswer {
    std::string resource_version{};  // what a watch may go on from
    std::uint64_t items{};           // delivered since the last restart
    std::uint32_t pages{};
    enum class End : std::uint8_t { whole, stopped_by_sink } end{End::whole};
};

struct WatchEvent {
    enum class Type : std::uint8_t {
        reset,  // forget all objects: a fresh listing follows, as `added` events up to `synced`
        synced,
        added,
        modified,
        deleted,
    };
    Type type{Type::reset};
    std::string_view object{};  // JSON; empty for reset and synced
};
using WatchSink = std::function<Flow(const WatchEvent&)>;

struct LogQuery {
    std::string namespace_{};
    std::string pod{};
    std::string container{};
    std::chrono::seconds since{0};     // how far back; 0: all that is kept
    std::uint64_t max_bytes{8 << 20};  // the server sends no more; the oldest lines are kept, as Kubernetes does it
    std::uint64_t tail_lines{0};       // only that many last lines; 0: all
};

struct LogAnswer {
    std::uint64_t bytes{};
    enum class End : std::uint8_t { whole, capped, stopped_by_sink } end{End::whole};
};

/// Errors say what was asked for and what to do; by ErrorCode: unreachable, unauthorised, denied (what and help name
/// the verb and the resource), not_found (no such object, or the server does not know the type), gone, throttled,
/// malformed (not what Kubernetes answers, or cut off), timed_out, too_large (a cap), cancelled.
/// What a sink received before an error stays valid. Implementations are thread-safe; a sink is called on the calling
/// thread and may not call back into the same call's sink, but may make other calls.
class Cluster {
public:
    virtual ~Cluster() = default;
    /// "v1.34.4"
    [[nodiscard]] virtual base::Result<std::string> version(const CallLimits& limits) = 0;
    /// The object's JSON. `namespace_` is empty for objects of the cluster.
    [[nodiscard]] virtual base::Result<std::string> get(const ResourceType& type, const std::string& namespace_,
                                                        const std::string& name, const CallLimits& limits) = 0;
    [[nodiscard]] virtual base::Result<ListAnswer> list(const ListQuery& query, const ListSink& sink,
                                                        const CallLimits& limits) = 0;
    /// Lists, then follows, until the sink stops it, `stop` is requested (both: success) or going on is useless
    /// (denied, unauthorised, not_found). Lost connections and a history that is gone are mended inside: the first by
    /// going on from the last version seen, the second by reset. No deadline.
    [[nodiscard]] virtual base::Result<void> watch(const ListQuery& query, const WatchSink& sink,
                                                   const std::stop_token& stop) = 0;
    /// The pieces are bytes of the log in order, cut anywhere.
    [[nodiscard]] virtual base::Result<LogAnswer> pod_log(const LogQuery& query,
                                                          const std::function<Flow(std::string_view piece)>& sink,
                                                          const CallLimits& limits) = 0;
};

}  // namespace gpumedic::ports
