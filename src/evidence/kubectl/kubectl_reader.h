// Reads what kubectl prints about VMs, VMIs, pods, events and nodes.
#pragma once

#include "ports/reader.h"

namespace gpumedic::evidence {

/// Tables of `kubectl get` (any number of them in one source), text of `kubectl describe`, and objects or lists of
/// `-o json` and `-o yaml`. Gives `k8s_vm`, `k8s_vmi`, `k8s_pod`, `k8s_event` and `k8s_node` records; other kinds of
/// objects and tables give none, and lines outside of any table or object (errors of kubectl) go on as `text`.
/// Thread-safe.
[[nodiscard]] ports::ReaderKind kubectl_kind();

}  // namespace gpumedic::evidence
