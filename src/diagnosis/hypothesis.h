// A fault of the catalogue, bound to one device, VM or node, with what speaks for and against it.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <vector>

#include "diagnosis/observation.h"
#include "knowledge/catalogue.h"

namespace gpumedic::diagnosis {

struct Hypothesis {
    const knowledge::Fault* fault{};
    std::optional<std::size_t> device{};  // nothing: the evidence names no device
    model::Holder vm{};                   // for faults about a VM, and the holder of the device
    std::uint32_t epoch{};

    /// Observation -> how much it speaks for this fault itself (0..1), without its consequences.
    std::map<std::size_t, double> own{};
    /// The same with everything that follows from it: what this one fault would explain.
    std::map<std::size_t, double> cover{};
    std::vector<std::size_t> against{};
    struct Consequence {
        std::size_t hypothesis;
        bool inferred;
    };
    std::vector<Consequence> consequences{};

    double own_support{};  // noisy-or over own effects, before contradictions
    double confidence{};   // 0..kMaxConfidence
};

inline constexpr double kMaxConfidence = 0.97;
/// Own support that a cause needs before its consequences count for it.
inline constexpr double kRootSupport = 0.4;

/// All hypotheses for one boot of a node that have at least one effect of their own in the evidence; consequences
/// linked and confidences computed. Order is the catalogue's, then the devices'.
[[nodiscard]] std::vector<Hypothesis> make_hypotheses(const knowledge::Index& catalogue, const NodeView& node,
                                                      std::uint32_t epoch);

/// Numbers of a weight: how far one observation alone carries.
[[nodiscard]] double value_of(knowledge::Weight weight);

/// Is `id` one of the wanted signals?
[[nodiscard]] bool listed(const std::vector<std::string>& wanted, std::string_view id);

/// Does the observation stand in this relation to what the hypothesis is about? Address-less observations fit a device
/// only by inference: see bound_by_inference.
[[nodiscard]] bool in_scope(const NodeView& node, const Hypothesis& hypothesis, const Observation& observation,
                            knowledge::Scope scope);

/// The observation names no device (it may name a VM).
[[nodiscard]] bool names_no_device(const Observation& observation);

/// The device is known by a number only (index, instance), which another device may turn out to carry.
[[nodiscard]] bool has_weak_name(const NodeView& node, std::size_t device);

/// The same VM, or both times none.
[[nodiscard]] bool is_vm(const model::Holder& a, const model::Holder& b);

}  // namespace gpumedic::diagnosis
