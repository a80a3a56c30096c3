#include "collect/collect.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <utility>

#include "base/text.h"
#include "collect/gatherer.h"
#include "collect/item_table.h"
#include "collect/manifest.h"

namespace gpumedic::collect {
namespace {

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;
using std::chrono::milliseconds;

constexpr milliseconds kGrace{200};

milliseconds since(Clock::time_point start) { return std::chrono::duration_cast<milliseconds>(Clock::now() - start); }

/// Text that a task writes, in memory: a few lines.
std::string ask(ports::Probe& probe, const ports::ProbeTask& task, milliseconds deadline) {
    std::string text;
    const ports::ProbeLimits limits{.deadline = deadline, .grace = kGrace, .max_bytes = std::uint64_t{1} << 20};
    static_cast<void>(probe.run_task(task, limits, [&](std::string_view piece) { text += piece; }, {}));
    return text;
}

struct Known {
    NodeFacts facts{};
    ManifestHead head{};
};

Known look_around(Ports& ports, const Options& options) {
    const auto deadline = std::min<milliseconds>(3s, options.timeout / 4);
    const std::string names = ask(
        ports.probe,
        [&ports](ports::ProbeOutput& out) {
            for (const char* path : {"/proc/sys/kernel/hostname", "/etc/hostname", "/proc/sys/kernel/random/boot_id"})
                if (!out.write(std::string(base::trim(ports.files.read(path, 256).value_or(""))) + "\n")) return 1;
            return 0;
        },
        deadline);
    const auto lines = base::split(names, '\n');
    Known known;
    if (lines.size() > 2) {
        // A copied tree has the name in /etc only; one that holds a live /proc says this machine's.
        known.head.node = options.root == "/" || lines[1].empty() ? lines[0] : lines[1];
        known.head.boot = lines[2];
    }
    known.head.user = ::geteuid() == 0 ? "root" : fmt::format("uid {}", ::geteuid());
    known.facts.host = known.head.node.substr(0, known.head.node.find('.'));
    if (ports.cluster != nullptr || ports.bmc != nullptr || ports.nvml != nullptr)
        known.facts.service_name = known.head.node;
    known.facts.functions = parse_functions(ask(
        ports.probe,
        [&ports](ports::ProbeOutput& out) {
            list_functions(ports.files, out);
            return 0;
        },
        deadline));
    return known;
}

bool fits_any(const std::vector<std::string>& patterns, const std::string& name) {
    return std::any_of(patterns.begin(), patterns.end(), [&](const auto& pattern) { return fits_name(pattern, name); });
}

base::Result<std::vector<Item>> chosen_items(const Known& known, const Options& options) {
    auto items = make_items(known.facts, {options.boots, options.since});
    for (const auto& patterns : {&options.only, &options.skip})
        for (const auto& pattern : *patterns)
            if (std::none_of(items.begin(), items.end(),
                             [&](const Item& item) { return fits_name(pattern, item.name); }))
                return base::fail(base::ErrorCode::usage, fmt::format("no item is called '{}'", pattern), {},
                                  "gpumedic collect --list names them");
    std::erase_if(items, [&](const Item& item) {
        return (!options.only.empty() && !fits_any(options.only, item.name)) || fits_any(options.skip, item.name);
    });
    return items;
}

/// The items, done by a few threads in the order of the table; results are taken in that order.
class Pool {
public:
    Pool(const std::vector<Item>& items, GatherPorts ports, const Options& options, Clock::time_point start)
        : items_(items),
          ports_(ports),
          deadline_(start + options.timeout),
          bytes_left_(options.max_bytes),
          results_(items.size()) {
        const auto count = std::min<std::size_t>(options.threads, items.size());
        for (std::size_t i = 0; i < count; ++i)
            threads_.emplace_back([this](const std::stop_token& stop) { work(stop); });
    }
    Pool(const Pool&) = delete;
    Pool& operator=(const Pool&) = delete;
    ~Pool() { stop(); }
    void stop() {
        inline_stop_.request_stop();
        for (auto& thread : threads_) thread.request_stop();
    }

    /// Waits for it: at most to the time of all items and two graces.
    Gathered take(std::size_t index) {
        if (threads_.empty()) return one(items_[index], inline_stop_.get_token());
        std::unique_lock lock(mutex_);
        done_.wait(lock, [&] { return results_[index].has_value(); });
        return std::move(*results_[index]);
    }

private:
    void work(const std::stop_token& stop) {
        for (;;) {
            const std::size_t index = next_.fetch_add(1);
            if (index >= items_.size()) return;
            Gathered gathered = one(items_[index], stop);
            {
                const std::lock_guard lock(mutex_);
                results_[index] = std::move(gathered);
            }
            done_.notify_all();
        }
    }

    Gathered one(const Item& item, const std::stop_token& stop) {
        const auto left = std::chrono::duration_cast<milliseconds>(deadline_ - Clock::now()) - 2 * kGrace;
        const auto bytes = bytes_left_.load();
        if (left <= 0ms || bytes == 0 || stop.stop_requested()) {
            Gathered none;
            none.report.name = item.name;
            none.report.kind = kind_of(item.how);
            none.report.target = target_of(item.how);
            none.report.outcome = bytes == 0 ? Outcome::truncated : Outcome::timed_out;
            none.report.why = bytes == 0 ? "not begun: the bundle has the size it may have"
                                         : "not begun: the time for all items was over";
            return none;
        }
        const ports::ProbeLimits limits{
            .deadline = std::min(item.deadline, left), .grace = kGrace, .max_bytes = std::min(item.max_bytes, bytes)};
        Gathered gathered = gather(item, limits, ports_, stop);
        auto before = bytes_left_.load();
        while (!bytes_left_.compare_exchange_weak(before, before - std::min(before, gathered.report.bytes))) {
        }
        return gathered;
    }

    const std::vector<Item>& items_;
    GatherPorts ports_;
    Clock::time_point deadline_;
    std::atomic<std::uint64_t> bytes_left_;
    std::vector<std::optional<Gathered>> results_;
    std::atomic<std::size_t> next_{0};
    std::mutex mutex_;
    std::condition_variable done_;
    std::stop_source inline_stop_;
    std::vector<std::jthread> threads_;  // last: they end before what they use
};

base::Result<void> deliver(const char* name, const std::string& text, Ports& ports, const FileSink& sink) {
    auto spool = ports.spools.make();
    if (auto kept = spool->append(text); !kept) return kept;
    return sink(name, std::move(spool));
}

}  // namespace

std::vector<Item> plan_items(Ports ports, const Options& options) {
    return chosen_items(look_around(ports, options), options).value_or(std::vector<Item>{});
}

base::Result<Summary> collect(Ports ports, const Options& options, const FileSink& sink, const ProgressSink& progress) {
    const auto start = Clock::now();
    const Known known = look_around(ports, options);
    const auto items = chosen_items(known, options);
    if (!items) return tl::make_unexpected(items.error());
    if (auto told = deliver(kFirstFile, render_first_words(known.head, options), ports, sink); !told)
        return tl::make_unexpected(told.error());
    TaskWorld world{ports.files, ports.journal, ports.cluster, ports.bmc, ports.nvml};
    if (options.since) world.since = std::chrono::floor<std::chrono::seconds>(*options.since);
    const auto commands = options.root == "/" ? Commands::run : Commands::leave_out;
    Summary summary;
    {
        Pool pool(*items, {ports.probe, world, ports.spools, commands}, options, start);
        const std::stop_callback on_stop(options.stop, [&pool] { pool.stop(); });
        for (std::size_t i = 0; i < items->size(); ++i) {
            Gathered gathered = pool.take(i);
            if (options.stop.stop_requested())
                return base::fail(base::ErrorCode::unreadable, "interrupted: nothing was written");
            for (auto& file : gathered.files) {
                ++summary.files;
                summary.bytes += file.bytes->size();
                if (auto taken = sink(file.name, std::move(file.bytes)); !taken)
                    return tl::make_unexpected(taken.error());
            }
            summary.items.push_back(gathered.report);
            if (progress) progress({summary.items.back(), i + 1, items->size()});
        }
    }
    summary.duration = since(start);
    if (auto told = deliver(kManifestFile, render_manifest(known.head, options, summary), ports, sink); !told)
        return tl::make_unexpected(told.error());
    return summary;
}

}  // namespace gpumedic::collect
