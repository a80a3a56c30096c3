// One thing to collect: what it shows, how it is obtained, and what it may cost. Plain values.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "ports/journal.h"

namespace gpumedic::collect {

/// Files as they are, each under its own path ("var/log/syslog.1").
struct CopyFiles {
    std::vector<std::string> patterns{};
    std::uint64_t max_file_bytes{std::uint64_t{32} << 20};  // of a longer one the end
};

/// Small files as lines "path:value", all in one file; links as "path -> target".
struct PrintValues {
    std::string file{};
    std::vector<std::string> patterns{};
};

/// A command's output below its prompt.
struct RunCommand {
    std::vector<std::string> argv{};
    std::vector<std::string> any_of{};  // run only where one of these exists: a command must not start or load anything
    std::string otherwise{};            // said where none does
};

/// Entries of the journal as JSON lines; for the kernel's, /dev/kmsg where there is no journal.
struct AskJournal {
    std::string file{};
    ports::JournalQuery query{};
    std::string ring_file{};  // empty: no fallback
};

/// Members of the IOMMU groups of these functions.
struct ListGroups {
    std::string file{};
    std::vector<std::string> addresses{};
};

/// A function's configuration space as lspci prints it with -n and -x.
struct ReadConfig {
    std::string address{};
    std::string header{};  // "0000:c4:00.0 0302: 10de:2330 (rev a1)"
};

/// Which processes hold files below /dev/vfio and /dev/nvidia*, by the links in /proc. None of them is opened.
struct FindHolders {
    std::string file{};
};

/// What a service outside of the node knows of it.
struct AskService {
    enum class Service : std::uint8_t { cluster, bmc, nvml } service{};
    std::string node{};
    std::chrono::milliseconds timeout{20'000};
};

using How =
    std::variant<CopyFiles, PrintValues, RunCommand, AskJournal, ListGroups, ReadConfig, FindHolders, AskService>;

enum class Cost : std::uint8_t { cheap, may_block };
enum class Privilege : std::uint8_t { anybody, root };

struct Item {
    std::string name{};   // "nvidia-smi/query"
    std::string shows{};  // a sentence
    How how{};
    Cost cost{Cost::cheap};
    Privilege needs{Privilege::anybody};  // for all of it
    std::chrono::milliseconds deadline{5'000};
    std::uint64_t max_bytes{std::uint64_t{8} << 20};
};

[[nodiscard]] std::string_view name_of(AskService::Service service);
/// "files", "values", "command", "journal", "sysfs", "processes", "service".
[[nodiscard]] std::string_view kind_of(const How& how);
/// What is read or run: "/var/log/syslog*", "nvidia-smi -q".
[[nodiscard]] std::string target_of(const How& how);
/// The file of a command: "commands/nvidia-smi_-q.txt".
[[nodiscard]] std::string command_file(const std::vector<std::string>& argv);
[[nodiscard]] std::string join_words(const std::vector<std::string>& words);

/// How far an item or one of its files came.
enum class Outcome : std::uint8_t {
    ok,
    absent,     // not there, not installed
    denied,     // this user may not
    timed_out,  // past its deadline; what came before is kept
    truncated,  // cut at a cap; what came before is kept
    blocked,    // past its deadline and not to be ended, not even by SIGKILL: left behind
    failed,     // it crashed, gave only an error, or could not be kept
};
[[nodiscard]] std::string_view to_string(Outcome outcome);

struct FileReport {
    std::string name{};  // in the bundle
    std::uint64_t bytes{};
    Outcome outcome{Outcome::ok};
    std::string why{};
};

/// What became of an item.
struct ItemReport {
    std::string name{};
    std::string_view kind{};
    std::string target{};
    Outcome outcome{Outcome::ok};
    std::string why{};
    std::string pci{};       // of a configuration space
    std::string waits_in{};  // the kernel function in which it hung, where known
    int exit_code{-1};       // -1: there is none
    std::chrono::milliseconds duration{0};
    std::uint64_t bytes{};
    std::vector<FileReport> files{};
};

}  // namespace gpumedic::collect
