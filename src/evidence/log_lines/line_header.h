// What stands before the message of a log line.
#pragma once

#include <optional>
#include <string_view>

#include "base/timestamp.h"
#include "model/record.h"

namespace gpumedic::evidence {

/// How the message has to be read further.
enum class MessageForm { plain, kmsg_escaped };

/// Views into the line. Fields that the form does not have are empty.
struct LineHeader {
    model::RecordType type{model::RecordType::text};
    std::optional<base::Timestamp> time{};
    std::string_view host{};
    std::string_view program{};
    std::string_view pid{};
    int priority{-1};  // 0 emerg .. 7 debug, -1 where the line does not say
    MessageForm form{MessageForm::plain};
    std::string_view message{};
};

/// Fills `header` and returns true when the line starts with any of the known headers. Pure, no allocation,
/// thread-safe. A line that has only a time (a container's line, a program of no known form) is a header of type
/// `text`.
[[nodiscard]] bool parse_line_header(std::string_view line, const base::TimeContext& context, LineHeader& header);

/// "emerg" .. "debug" as dmesg spells them; empty for other numbers.
[[nodiscard]] std::string_view priority_name(int priority);

}  // namespace gpumedic::evidence
