#include "adapters/kube/listing.h"

#include <fmt/format.h>

#include "adapters/kube/item_stream.h"
#include "codec/value.h"

namespace gpumedic::adapters::kube {

using base::ErrorCode;
using ports::Flow;

namespace {

/// What a page says beside its objects.
struct Page {
    std::string continue_token{};
    std::string resource_version{};
    bool stopped{false};
};

base::Result<Page> parse_frame(const Asked& asked, const ItemStream& stream, const std::string& server) {
    const auto frame = stream.frame();
    const auto fail = [&](const base::Error& error) {
        return base::fail(error.code, words_of(asked) + ": " + error.what, server, error.help);
    };
    if (!frame) return fail(frame.error());
    const auto tree = codec::parse_json(*frame, {.bytes = ItemStream::kMaxFrameBytes, .nodes = 100'000, .depth = 100});
    if (!tree || !tree->is_map() || tree->find("metadata") == nullptr) {
        return fail({ErrorCode::malformed,
                     tree ? std::string("the answer is no list of objects") : "the answer: " + tree.error().what,
                     {},
                     "Is this the address of the API server?"});
    }
    Page page;
    page.continue_token = tree->text({"metadata", "continue"});
    page.resource_version = tree->text({"metadata", "resourceVersion"});
    return page;
}

base::Result<Page> read_page(Requests& requests, const Asked& asked, const HttpRequest& request,
                             const Deadline& deadline, const ItemStream::Sink& sink) {
    bool stopped = false;
    ItemStream stream([&](std::string_view item) {
        const Flow flow = sink(item);
        stopped = flow == Flow::stop;
        return flow;
    });
    const auto answer =
        requests.get(asked, request, deadline, [&](std::string_view piece) { return stream.feed(piece); });
    if (!answer) return tl::make_unexpected(answer.error());
    if (stopped) return Page{.stopped = true};
    return parse_frame(asked, stream, requests.access().url);
}

}  // namespace

std::string selectors_of(const ports::ListQuery& query) {
    std::string text;
    if (!query.label_selector.empty()) text += "&labelSelector=" + escape(query.label_selector);
    if (!query.field_selector.empty()) text += "&fieldSelector=" + escape(query.field_selector);
    return text;
}

base::Result<ports::ListAnswer> list_pages(Requests& requests, const ports::ListQuery& query,
                                           const ports::ListSink& sink, const ports::CallLimits& limits) {
    const Asked asked{.verb = "list", .type = query.type, .namespace_ = query.namespace_, .name = {}, .path = {}};
    const Deadline deadline(limits.timeout);
    const std::string base_path =
        fmt::format("{}?limit={}{}", path_of(query.type, query.namespace_, {}), query.page_size, selectors_of(query));
    HttpRequest request{.stop = limits.stop, .max_bytes = requests.options().max_list_bytes};
    ports::ListAnswer list;
    int restarts = requests.options().restarts;
    std::string token;
    while (true) {
        request.path = token.empty() ? base_path : base_path + "&continue=" + escape(token);
        request.timeout = limits.timeout;
        const auto page = read_page(requests, asked, request, deadline, [&](std::string_view item) {
            ++list.items;
            return sink.item(item);
        });
        if (!page) {
            // The token has outlived the server's history: the listing of that moment cannot be had any more.
            if (page.error().code != ErrorCode::gone || token.empty() || restarts-- <= 0) {
                return tl::make_unexpected(page.error());
            }
            token.clear();
            list = {};
            if (sink.restarted) sink.restarted();
            continue;
        }
        ++list.pages;
        if (page->stopped) {
            list.end = ports::ListAnswer::End::stopped_by_sink;
            return list;
        }
        list.resource_version = page->resource_version;
        if (page->continue_token.empty()) return list;
        if (page->continue_token == token) {
            return base::fail(ErrorCode::malformed, words_of(asked) + ": the server repeats one page without end",
                              requests.access().url);
        }
        token = page->continue_token;
    }
}

}  // namespace gpumedic::adapters::kube
