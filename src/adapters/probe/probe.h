// Runs commands and tasks in processes that may be left behind.
#pragma once

#include "ports/probe.h"

namespace gpumedic::adapters {

/// Two processes for each call: the worker, and a watcher between it and us. The watcher is the worker's parent, so a
/// worker that we leave behind goes to init when the watcher is ended, and never becomes a zombie of ours. Both end
/// when we do. The worker leads a process group of its own: what it starts is ended with it.
class ChildProbe final : public ports::Probe {
public:
    [[nodiscard]] ports::ProbeResult run_command(const std::vector<std::string>& argv, const ports::ProbeLimits& limits,
                                                 const ports::ProbeSink& sink, const std::stop_token& stop) override;
    [[nodiscard]] ports::ProbeResult run_task(const ports::ProbeTask& task, const ports::ProbeLimits& limits,
                                              const ports::ProbeSink& sink, const std::stop_token& stop) override;
};

}  // namespace gpumedic::adapters
