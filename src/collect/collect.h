// Collects a node's evidence: all items at once, each in a process of its own, within one time for all.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "base/result.h"
#include "collect/item.h"
#include "ports/journal.h"
#include "ports/node_files.h"
#include "ports/probe.h"
#include "ports/service_texts.h"
#include "ports/spool.h"

namespace gpumedic::collect {

/// Items' processes are forked while other threads allocate. glibc's allocator allows for that; the sanitizers' do not,
/// and a child could wait for ever for a lock that was held at the fork.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr unsigned kThreads = 0;
#else
inline constexpr unsigned kThreads = 8;
#endif

struct Options {
    int boots{3};                                      // of the journal: this and the ones before
    std::optional<std::chrono::microseconds> since{};  // since 1970: older entries and files are left out
    std::vector<std::string> only{};                   // patterns of item names; empty: all
    std::vector<std::string> skip{};
    std::uint64_t max_bytes{std::uint64_t{512} << 20};  // of all items together, unpacked
    std::chrono::milliseconds timeout{60'000};          // for all of it
    std::string root{"/"};                              // said in the manifest; another one: no commands are run
    std::string program{};                              // version, for the manifest
    std::chrono::microseconds present{0};               // since 1970
    std::optional<std::chrono::minutes> utc_offset{};   // of the node's local times, where known
    std::stop_token stop{};                             // ends it early, with an error
    unsigned threads{kThreads};                         // 0: one item after the other, in the caller's thread
};

struct Ports {
    ports::Probe& probe;
    ports::NodeFiles& files;
    ports::Journal& journal;
    ports::SpoolMaker& spools;
    ports::ServiceTexts* cluster{};  // none: neither it nor the BMC is asked
    ports::ServiceTexts* bmc{};
    ports::ServiceTexts* nvml{};
};

/// Takes the files in the order of the table, in the caller's thread, collection.json first and
/// the manifest last. An error ends the collection.
using FileSink = std::function<base::Result<void>(const std::string& name, std::unique_ptr<ports::Spool> bytes)>;

struct Progress {
    const ItemReport& item;  // that is done
    std::size_t done;
    std::size_t of;
};
using ProgressSink = std::function<void(const Progress&)>;

struct Summary {
    std::vector<ItemReport> items{};
    std::uint64_t files{};
    std::uint64_t bytes{};
    std::chrono::milliseconds duration{0};
};

/// Returns within the timeout and a second, whatever the node does. Errors: usage (a pattern that no item fits),
/// what the sink gave, and that it was stopped. Nothing on the node is changed.
[[nodiscard]] base::Result<Summary> collect(Ports ports, const Options& options, const FileSink& sink,
                                            const ProgressSink& progress);

/// All items there would be, with those of the devices that are there.
[[nodiscard]] std::vector<Item> plan_items(Ports ports, const Options& options);

}  // namespace gpumedic::collect
