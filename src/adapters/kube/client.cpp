#include "adapters/kube/client.h"

#include <fmt/format.h>

#include "adapters/kube/item_stream.h"
#include "adapters/kube/listing.h"
#include "adapters/kube/requests.h"
#include "codec/value.h"

namespace gpumedic::adapters::kube {

using base::ErrorCode;
using ports::CallLimits;
using ports::Flow;

struct Client::State {
    State(const Access& access, const ClientOptions& options) : requests(access, options) {}
    Requests requests;
};

Client::Client(const Access& access, const ClientOptions& options) : state_(std::make_unique<State>(access, options)) {}
Client::~Client() = default;

namespace {

/// The whole body as text.
base::Result<std::string> get_text(Requests& requests, const Asked& asked, HttpRequest request,
                                   const CallLimits& limits) {
    std::string body;
    request.timeout = limits.timeout;
    request.stop = limits.stop;
    request.max_bytes = requests.options().max_object_bytes;
    const auto answer = requests.get(asked, request, Deadline(limits.timeout), [&](std::string_view piece) {
        body += piece;
        return Flow::go_on;
    });
    if (!answer) return tl::make_unexpected(answer.error());
    return body;
}

base::Result<codec::Value> parse_answer(const Asked& asked, const std::string& body, const std::string& server) {
    auto tree = codec::parse_json(body);
    if (!tree || !tree->is_map()) {
        return base::fail(ErrorCode::malformed,
                          fmt::format("{}: the answer is no JSON object{}", words_of(asked),
                                      tree ? std::string{} : ": " + tree.error().what),
                          server, "Is this the address of the API server?");
    }
    return tree;
}

}  // namespace

base::Result<std::string> Client::version(const CallLimits& limits) {
    const Asked asked{.verb = "get", .path = "/version"};
    auto body = get_text(state_->requests, asked, {.path = "/version"}, limits);
    if (!body) return body;
    const auto tree = parse_answer(asked, *body, state_->requests.access().url);
    if (!tree) return tl::make_unexpected(tree.error());
    const auto version = tree->text({"gitVersion"});
    if (version.empty()) {
        return base::fail(ErrorCode::malformed, "get /version: the answer names no gitVersion",
                          state_->requests.access().url, "Is this the address of the API server?");
    }
    return std::string(version);
}

base::Result<std::string> Client::get(const ports::ResourceType& type, const std::string& namespace_,
                                      const std::string& name, const CallLimits& limits) {
    const Asked asked{.verb = "get", .type = type, .namespace_ = namespace_, .name = name, .path = {}};
    if (name.empty()) return base::fail(ErrorCode::usage, words_of(asked) + ": no name is given");
    auto body = get_text(state_->requests, asked, {.path = path_of(type, namespace_, name)}, limits);
    if (!body) return body;
    if (const auto tree = parse_answer(asked, *body, state_->requests.access().url); !tree) {
        return tl::make_unexpected(tree.error());
    }
    return body;
}

base::Result<ports::ListAnswer> Client::list(const ports::ListQuery& query, const ports::ListSink& sink,
                                             const CallLimits& limits) {
    return list_pages(state_->requests, query, sink, limits);
}

base::Result<void> Client::watch(const ports::ListQuery& query, const ports::WatchSink& sink,
                                 const std::stop_token& stop) {
    return follow(state_->requests, query, sink, stop);
}

base::Result<ports::LogAnswer> Client::pod_log(const ports::LogQuery& query,
                                               const std::function<Flow(std::string_view piece)>& sink,
                                               const CallLimits& limits) {
    const Asked asked{.verb = "get",
                      .type = {.plural = "pods/log", .kind = "Pod"},
                      .namespace_ = query.namespace_,
                      .name = query.pod,
                      .path = {}};
    HttpRequest request;
    request.path =
        path_of({.plural = "pods"}, query.namespace_, query.pod) + fmt::format("/log?limitBytes={}", query.max_bytes);
    if (!query.container.empty()) request.path += "&container=" + escape(query.container);
    if (query.since.count() > 0) request.path += fmt::format("&sinceSeconds={}", query.since.count());
    if (query.tail_lines > 0) request.path += fmt::format("&tailLines={}", query.tail_lines);
    request.accept = "*/*";
    request.timeout = limits.timeout;
    request.stop = limits.stop;
    ports::LogAnswer log;
    const auto answer = state_->requests.get(asked, request, Deadline(limits.timeout), [&](std::string_view piece) {
        const auto room = query.max_bytes - std::min<std::uint64_t>(query.max_bytes, log.bytes);
        piece = piece.substr(0, room);
        log.bytes += piece.size();
        if (log.bytes >= query.max_bytes) log.end = ports::LogAnswer::End::capped;
        if (!piece.empty() && sink(piece) == Flow::stop) {
            log.end = ports::LogAnswer::End::stopped_by_sink;
            return Flow::stop;
        }
        return log.bytes >= query.max_bytes ? Flow::stop : Flow::go_on;
    });
    if (!answer) return tl::make_unexpected(answer.error());
    return log;
}

}  // namespace gpumedic::adapters::kube
