// What kubectl and container runtimes put in front of a container's line.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/timestamp.h"

namespace gpumedic::evidence {

/// A line whose rest comes with the next line of its stream.
enum class LinePart { whole, partial };
/// `none` where no runtime's frame stood around the line.
enum class Stream { none, standard_output, standard_error };

/// The payload is a view into the line, or into `storage` (a docker line is unescaped there).
struct ContainerLine {
    std::string_view payload{};
    std::optional<base::Timestamp> time{};
    LinePart part{LinePart::whole};
    Stream stream{Stream::none};
};

/// Removes "[pod/name/container] " (kubectl logs --prefix), an RFC 3339 time (--timestamps), "stderr F" (CRI), docker's
/// {"log":...,"stream":...} object, and a container's name before a JSON object. Pure apart from `storage`.
[[nodiscard]] ContainerLine parse_container_line(std::string_view line, std::string& storage);

}  // namespace gpumedic::evidence
