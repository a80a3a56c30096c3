#include <fmt/format.h>

#include "adapters/kube/item_stream.h"
#include "adapters/kube/listing.h"
#include "codec/value.h"

namespace gpumedic::adapters::kube {

using base::ErrorCode;
using ports::Flow;
using ports::WatchEvent;

namespace {

/// Why one watch request ended.
enum class Ended : std::uint8_t { by_itself, too_old, stopped_by_sink };

class Follower {
public:
    Follower(Requests& requests, const ports::ListQuery& query, const ports::WatchSink& sink, std::stop_token stop)
        : requests_(requests), query_(query), sink_(sink), stop_(std::move(stop)), backoff_(requests.new_backoff()) {}

    base::Result<void> run() {
        while (!stop_.stop_requested()) {
            auto step = version_.empty() ? list_again() : watch_once();
            if (!step) {
                if (stop_.stop_requested()) return {};
                if (is_final(step.error().code)) return tl::make_unexpected(step.error());
                if (step.error().code == ErrorCode::gone) version_.clear();
                static_cast<void>(wait(backoff_.next(), stop_));
                continue;
            }
            if (*step == Ended::stopped_by_sink) return {};
            if (*step == Ended::too_old) version_.clear();
            // A server that ends each watch at once must not be asked without pause.
            if (events_ == 0) {
                static_cast<void>(wait(backoff_.next(), stop_));
            } else {
                backoff_.reset();
            }
        }
        return {};
    }

private:
    static bool is_final(ErrorCode code) {
        return code == ErrorCode::denied || code == ErrorCode::unauthorised || code == ErrorCode::not_found ||
               code == ErrorCode::usage;
    }

    base::Result<Ended> list_again() {
        events_ = 1;
        Flow flow = sink_({WatchEvent::Type::reset, {}});
        if (flow == Flow::stop) return Ended::stopped_by_sink;
        const ports::ListSink items{[&](std::string_view item) {
                                        flow = sink_({WatchEvent::Type::added, item});
                                        return flow;
                                    },
                                    [&] { flow = sink_({WatchEvent::Type::reset, {}}); }};
        const auto list = list_pages(requests_, query_, items, {std::chrono::minutes(5), stop_});
        if (!list) return tl::make_unexpected(list.error());
        if (flow == Flow::stop || sink_({WatchEvent::Type::synced, {}}) == Flow::stop) return Ended::stopped_by_sink;
        version_ = list->resource_version;
        if (version_.empty()) return base::fail(ErrorCode::malformed, "the listing names no resourceVersion");
        return Ended::by_itself;
    }

    base::Result<Ended> watch_once() {
        const Asked asked{
            .verb = "watch", .type = query_.type, .namespace_ = query_.namespace_, .name = {}, .path = {}};
        const auto length = requests_.options().watch_length;
        HttpRequest request;
        request.path = fmt::format("{}?watch=true&allowWatchBookmarks=true&timeoutSeconds={}&resourceVersion={}{}",
                                   path_of(query_.type, query_.namespace_, {}), length.count(), escape(version_),
                                   selectors_of(query_));
        // The server ends the watch; if it is gone without a word, the rest of this time is what we lose.
        request.timeout = length + std::chrono::seconds(30);
        request.stop = stop_;
        request.max_bytes = requests_.options().max_list_bytes;
        events_ = 0;
        ended_ = Ended::by_itself;
        problem_.reset();
        LineStream lines([&](std::string_view line) { return take(line); });
        const auto answer = requests_.get(asked, request, Deadline(request.timeout),
                                          [&](std::string_view piece) { return lines.feed(piece); });
        if (problem_) return tl::make_unexpected(*problem_);
        if (lines.too_large()) return base::fail(ErrorCode::too_large, words_of(asked) + ": an object is too large");
        if (ended_ != Ended::by_itself) return ended_;
        if (!answer) return tl::make_unexpected(answer.error());
        if (lines.rest() > 0) {
            return base::fail(ErrorCode::malformed,
                              words_of(asked) + ": the stream was cut off in the middle of an event");
        }
        return Ended::by_itself;
    }

    Flow refuse(base::Error error) {
        problem_ = std::move(error);
        return Flow::stop;
    }

    Flow take(std::string_view line) {
        const auto tree = codec::parse_json(line);
        const auto object = member_text(line, "object");
        if (!tree || !object) {
            return refuse({ErrorCode::malformed, "watch " + query_.type.plural + ": an event is not JSON", {}, {}});
        }
        const auto type = tree->text({"type"});
        if (type == "ERROR") {
            const bool too_old =
                tree->text({"object", "code"}) == "410" || tree->text({"object", "reason"}) == "Expired";
            if (too_old) {
                ended_ = Ended::too_old;
                return Flow::stop;
            }
            return refuse(
                {ErrorCode::unreachable,
                 fmt::format("watch {}: the server ends it: {}", query_.type.plural, tree->text({"object", "message"})),
                 {},
                 {}});
        }
        if (const auto version = tree->text({"object", "metadata", "resourceVersion"}); !version.empty())
            version_ = version;
        ++events_;
        if (type == "BOOKMARK") return Flow::go_on;
        const auto known = type == "ADDED"      ? WatchEvent::Type::added
                           : type == "MODIFIED" ? WatchEvent::Type::modified
                           : type == "DELETED"  ? WatchEvent::Type::deleted
                                                : WatchEvent::Type::reset;
        if (known == WatchEvent::Type::reset) {
            return refuse({ErrorCode::malformed, fmt::format("watch {}: unknown event", query_.type.plural), {}, {}});
        }
        const Flow flow = sink_({known, *object});
        if (flow == Flow::stop) ended_ = Ended::stopped_by_sink;
        return flow;
    }

    Requests& requests_;
    const ports::ListQuery& query_;
    const ports::WatchSink& sink_;
    const std::stop_token stop_;
    Backoff backoff_;
    std::string version_;  // empty: a listing is due
    std::uint64_t events_{0};
    Ended ended_{Ended::by_itself};
    std::optional<base::Error> problem_;
};

}  // namespace

base::Result<void> follow(Requests& requests, const ports::ListQuery& query, const ports::WatchSink& sink,
                          const std::stop_token& stop) {
    return Follower(requests, query, sink, stop).run();
}

}  // namespace gpumedic::adapters::kube
