// The client of adapters/kube as a program, for the tests of this folder: one call, its outcome as JSON lines.
//   kube_probe [--kubeconfig FILE] [--context NAME] [--service-account DIR] [--timeout MS] [--attempts N]
//              [--burst N] [--rate N] [--watch-length S] [--restarts N] [--page N] COMMAND ...
// COMMAND: access | version | get TYPE NAMESPACE NAME | list TYPE [NAMESPACE] | watch TYPE COUNT
//          | log NAMESPACE POD CONTAINER | node NAME FOLDER | many COUNT        (TYPE: group/version/plural/Kind)
#include <fmt/format.h>
#include <sys/resource.h>

#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "adapters/kube/client.h"
#include "adapters/kube/node_objects.h"
#include "adapters/kube/pacing.h"
#include "base/text.h"
#include "codec/json_writer.h"

namespace {

using namespace gpumedic;
using adapters::kube::Client;
using codec::JsonWriter;

std::string_view name_of(base::ErrorCode code) {
    static const std::map<base::ErrorCode, std::string_view> names{{base::ErrorCode::usage, "usage"},
                                                                   {base::ErrorCode::not_found, "not_found"},
                                                                   {base::ErrorCode::denied, "denied"},
                                                                   {base::ErrorCode::malformed, "malformed"},
                                                                   {base::ErrorCode::too_large, "too_large"},
                                                                   {base::ErrorCode::unreadable, "unreadable"},
                                                                   {base::ErrorCode::unreachable, "unreachable"},
                                                                   {base::ErrorCode::unauthorised, "unauthorised"},
                                                                   {base::ErrorCode::timed_out, "timed_out"},
                                                                   {base::ErrorCode::throttled, "throttled"},
                                                                   {base::ErrorCode::gone, "gone"},
                                                                   {base::ErrorCode::cancelled, "cancelled"}};
    return names.at(code);
}

void print(JsonWriter& json) {
    json.end_object();
    fmt::print("{}\n", json.take());
    std::fflush(stdout);
}

int refuse(const base::Error& error, std::uint64_t items = 0) {
    JsonWriter json(JsonWriter::Layout::compact);
    json.begin_object().member("error", name_of(error.code)).member("what", error.what).member("where", error.where);
    json.member("help", error.help).key("items").number(items);
    print(json);
    return 1;
}

std::int64_t peak_kib() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
}

ports::ResourceType type_of(const std::string& text) {
    const auto parts = base::split(text, '/');
    return {std::string(parts.at(0)), std::string(parts.at(1)), std::string(parts.at(2)), std::string(parts.at(3))};
}

struct Run {
    std::vector<std::string> words;
    ports::CallLimits limits;
    std::uint32_t page{500};
    adapters::kube::Access access;
    [[nodiscard]] std::string word(std::size_t index) const {
        return index < words.size() ? words[index] : std::string{};
    }
};

int show_access(const Run& run) {
    JsonWriter json(JsonWriter::Layout::compact);
    json.begin_object().member("origin", run.access.origin).member("server", run.access.url);
    json.member("namespace", run.access.namespace_);
    print(json);
    return 0;
}

int do_list(Client& client, const Run& run) {
    std::uint64_t items = 0;
    std::uint64_t bytes = 0;
    std::uint64_t restarts = 0;
    const ports::ListSink sink{[&](std::string_view item) {
                                   ++items;
                                   bytes += item.size();
                                   return ports::Flow::go_on;
                               },
                               [&] {
                                   ++restarts;
                                   items = 0;
                                   bytes = 0;
                               }};
    ports::ListQuery query{.type = type_of(run.word(1)), .namespace_ = run.word(2), .page_size = run.page};
    const auto list = client.list(query, sink, run.limits);
    if (!list) return refuse(list.error(), items);
    JsonWriter json(JsonWriter::Layout::compact);
    json.begin_object().key("items").number(items).key("bytes").number(bytes).key("restarts").number(restarts);
    json.key("pages").number(std::uint64_t{list->pages}).key("peak_kib").number(peak_kib());
    json.member("resource_version", list->resource_version);
    print(json);
    return 0;
}

int do_watch(Client& client, const Run& run) {
    static constexpr std::array<std::string_view, 5> kNames{"reset", "synced", "added", "modified", "deleted"};
    auto left = base::parse_number<int>(run.word(2)).value_or(1);
    std::stop_source stop;
    const std::jthread clock([&](const std::stop_token& done) {
        adapters::kube::wait(run.limits.timeout, done);
        stop.request_stop();
    });
    const auto watched = client.watch(
        {.type = type_of(run.word(1))},
        [&](const ports::WatchEvent& event) {
            JsonWriter json(JsonWriter::Layout::compact);
            json.begin_object().member("event", kNames.at(static_cast<std::size_t>(event.type)));
            json.member("object", event.object);
            print(json);
            return --left > 0 ? ports::Flow::go_on : ports::Flow::stop;
        },
        stop.get_token());
    if (!watched) return refuse(watched.error());
    return 0;
}

int do_log(Client& client, const Run& run) {
    std::string text;
    const auto log = client.pod_log(
        {.namespace_ = run.word(1), .pod = run.word(2), .container = run.word(3)},
        [&](std::string_view piece) {
            text += piece;
            return ports::Flow::go_on;
        },
        run.limits);
    if (!log) return refuse(log.error());
    JsonWriter json(JsonWriter::Layout::compact);
    json.begin_object().key("bytes").number(log->bytes).member("text", text);
    print(json);
    return 0;
}

int do_node(Client& client, const Run& run) {
    adapters::kube::NodeObjectsRequest request{.node = run.word(1)};
    request.timeout = run.limits.timeout;
    for (const auto& object : adapters::kube::read_node_objects(client, request)) {
        JsonWriter json(JsonWriter::Layout::compact);
        json.begin_object().member("name", object.name).member("outcome", adapters::kube::name_of(object.outcome));
        json.member("why", object.why).member("help", object.help).member("command", object.command);
        json.key("objects").number(object.objects).key("bytes").number(std::uint64_t{object.text.size()});
        json.key("ms").number(std::int64_t{object.took.count()});
        print(json);
        if (object.text.empty()) continue;
        const auto path = std::filesystem::path(run.word(2)) / std::filesystem::path(object.name).filename();
        std::ofstream(path) << object.text;
    }
    return 0;
}

/// So many requests of two threads: connections, credentials and the rate limit are shared.
int do_many(Client& client, const Run& run) {
    const auto count = base::parse_number<int>(run.word(1)).value_or(10);
    const auto start = std::chrono::steady_clock::now();
    std::array<int, 2> done{};
    {
        std::vector<std::jthread> threads;
        for (auto& mine : done) {
            threads.emplace_back([&] {
                for (int i = 0; i < count / 2; ++i) mine += client.version(run.limits) ? 1 : 0;
            });
        }
    }
    const auto took = std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - start);
    JsonWriter json(JsonWriter::Layout::compact);
    json.begin_object()
        .key("answered")
        .number(std::int64_t{done[0] + done[1]})
        .key("ms")
        .number(std::int64_t{took.count()});
    print(json);
    return 0;
}

int run_command(Client& client, const Run& run) {
    const auto command = run.word(0);
    if (command == "list") return do_list(client, run);
    if (command == "watch") return do_watch(client, run);
    if (command == "log") return do_log(client, run);
    if (command == "node") return do_node(client, run);
    if (command == "many") return do_many(client, run);
    const auto text = command == "get" ? client.get(type_of(run.word(1)), run.word(2), run.word(3), run.limits)
                                       : client.version(run.limits);
    if (!text) return refuse(text.error());
    JsonWriter json(JsonWriter::Layout::compact);
    json.begin_object().member("text", *text);
    print(json);
    return 0;
}

}  // namespace

int main(int count, char** arguments) {
    const std::span given(arguments, static_cast<std::size_t>(count));
    std::map<std::string, std::string> flags;
    Run run;
    for (std::size_t i = 1; i < given.size(); ++i) {
        const std::string word(given[i]);
        if (run.words.empty() && word.starts_with("--") && i + 1 < given.size()) {
            flags[word.substr(2)] = given[++i];
        } else {
            run.words.push_back(word);
        }
    }
    const auto number = [&](const std::string& name, int otherwise) {
        return base::parse_number<int>(flags[name]).value_or(otherwise);
    };
    adapters::kube::Surroundings surroundings{[](const std::string& name) -> std::optional<std::string> {
        const char* value = std::getenv(name.c_str());
        return value == nullptr ? std::nullopt : std::optional<std::string>(value);
    }};
    if (!flags["service-account"].empty()) surroundings.service_account = flags["service-account"];
    const auto access = adapters::kube::read_access({flags["kubeconfig"], flags["context"]}, surroundings);
    if (!access) return refuse(access.error());
    run.access = *access;
    run.limits.timeout = std::chrono::milliseconds(number("timeout", 10'000));
    run.page = static_cast<std::uint32_t>(number("page", 500));
    if (run.word(0) == "access") return show_access(run);
    adapters::kube::ClientOptions options;
    options.attempts = number("attempts", 3);
    options.burst = number("burst", 40);
    options.requests_per_second = number("rate", 20);
    options.restarts = number("restarts", 3);
    options.watch_length = std::chrono::seconds(number("watch-length", 300));
    options.backoff_first = std::chrono::milliseconds(50);
    Client client(run.access, options);
    return run_command(client, run);
}
