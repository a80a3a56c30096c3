// Does one item in a process of its own and tells what became of it.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "collect/item.h"
#include "collect/tasks.h"
#include "ports/probe.h"
#include "ports/spool.h"

namespace gpumedic::collect {

struct CollectedFile {
    std::string name{};
    std::unique_ptr<ports::Spool> bytes{};
};

struct Gathered {
    ItemReport report{};
    std::vector<CollectedFile> files{};  // in the order of report.files
};

enum class Commands : std::uint8_t { run, leave_out };

struct GatherPorts {
    ports::Probe& probe;
    TaskWorld& world;
    ports::SpoolMaker& spools;
    Commands commands{Commands::run};
};

/// Thread-safe as far as the ports are (the world is only used inside of the item's process, and for looking whether a
/// file exists).
[[nodiscard]] Gathered gather(const Item& item, const ports::ProbeLimits& limits, GatherPorts& ports,
                              const std::stop_token& stop);

}  // namespace gpumedic::collect
