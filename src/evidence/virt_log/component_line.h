// One JSON line of a KubeVirt component.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/timestamp.h"
#include "model/record.h"

namespace gpumedic::evidence {

/// `type` is virt, or syslog for another component's line, or text for JSON of another kind that still holds a message.
struct ComponentLine {
    model::RecordType type{model::RecordType::virt};
    std::optional<base::Timestamp> time{};
    std::string text{};  // msg, then ": " and the reason, both quotings resolved, on one line
    std::vector<model::Field> fields{};
};

/// Nothing where the text is no JSON object or holds no message. Pure, thread-safe.
[[nodiscard]] std::optional<ComponentLine> parse_component_line(std::string_view json,
                                                                const base::TimeContext& context);

/// By its first bytes and its keys; it may still be cut off.
[[nodiscard]] bool looks_like_component_line(std::string_view json);

}  // namespace gpumedic::evidence
