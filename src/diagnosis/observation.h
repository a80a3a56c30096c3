// Signals in their place: which node, which device, which boot.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "knowledge/catalogue.h"
#include "model/diagnosis.h"
#include "signals/device_table.h"
#include "signals/signal_set.h"

namespace gpumedic::diagnosis {

/// What one run has read. Values; the engine keeps no reference to it after diagnose().
struct Evidence {
    std::vector<signals::FoldedSignal> signals;
    std::vector<model::Source> sources;
    std::vector<std::uint32_t> record_types;  // per source: bit n set = a record of RecordType n was read
};

/// The signal that says "this kernel starts here". Everything before it in the same source belongs to an earlier boot.
inline constexpr std::string_view kBootStart = "kernel.boot_start";
/// The journal says that a boot began where the kernel's first line is not shown ("-- Boot 3f... --").
inline constexpr std::string_view kBootMark = "kernel.boot_mark";
[[nodiscard]] inline bool starts_boot(std::string_view signal) { return signal == kBootStart || signal == kBootMark; }

struct Observation {
    const signals::FoldedSignal* folded{};
    std::optional<std::size_t> device{};  // in NodeView::devices
    model::Holder vm{};                   // the VM it speaks of
    std::uint32_t epoch{};                // boots that lie between it and now; 0 = the current one

    [[nodiscard]] const model::Signal& signal() const { return folded->signal; }
    /// Something that wants an explanation, in contrast to a fact or a state.
    [[nodiscard]] bool is_problem() const { return folded->signal.severity >= model::Severity::warning; }
};

/// A line that says when something happened, in contrast to a reading of a state ("row remap pending"), whose time is
/// only when somebody looked.
[[nodiscard]] bool is_event(model::RecordType type);

struct NodeView {
    std::string name;  // empty: no source names a host
    std::vector<Observation> observations;
    std::vector<signals::KnownDevice> devices;  // the host's, then what guests see under their own addresses
    std::size_t first_guest_device{};
    std::uint32_t read_types{};  // union over the node's sources
    std::uint32_t epochs{1};
};

/// One view per node, sorted by name. A source without host joins the node whose folder it lies in, else the only node
/// there is.
[[nodiscard]] std::vector<NodeView> view_nodes(const Evidence& evidence);

}  // namespace gpumedic::diagnosis
