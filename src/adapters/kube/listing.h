// Listings over pages, and following what changes after them.
#pragma once

#include "adapters/kube/requests.h"
#include "ports/cluster.h"

namespace gpumedic::adapters::kube {

/// ports::Cluster::list. Thread-safe.
[[nodiscard]] base::Result<ports::ListAnswer> list_pages(Requests& requests, const ports::ListQuery& query,
                                                         const ports::ListSink& sink, const ports::CallLimits& limits);

/// ports::Cluster::watch. Thread-safe.
[[nodiscard]] base::Result<void> follow(Requests& requests, const ports::ListQuery& query, const ports::WatchSink& sink,
                                        const std::stop_token& stop);

/// The query part that selects: "&labelSelector=...&fieldSelector=...". Pure.
[[nodiscard]] std::string selectors_of(const ports::ListQuery& query);

}  // namespace gpumedic::adapters::kube
