// What a line may carry that is not its text: terminal colours, NUL runs, kernel escapes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace gpumedic::evidence {

/// The line without terminal escape sequences. `buffer` holds the result where there were any, else the line itself
/// comes back.
[[nodiscard]] std::string_view without_colours(std::string_view line, std::string& buffer);

/// File systems fill the end of a log with NULs when power goes; the first line after the boot stands behind them.
[[nodiscard]] std::string_view without_leading_nuls(std::string_view line);

/// The line without what collectors put in front: "[pod/name/container] " (kubectl logs --prefix),
/// "name-1  | " (docker compose logs).
[[nodiscard]] std::string_view without_collector_prefix(std::string_view line);

/// "message repeated 3 times: [ text ]" (rsyslog): how often, and the text. "last message repeated 3 times" (syslogd)
/// has no text: the line above is meant.
struct Repeated {
    std::uint64_t times{};
    std::string_view text{};
};
[[nodiscard]] std::optional<Repeated> parse_repeated(std::string_view message);

/// "-- Boot 3f... --", "-- Reboot --": journalctl between the entries of two boots.
[[nodiscard]] bool is_boot_mark(std::string_view line);

/// /dev/kmsg writes bytes that are not printable as \x0a.
[[nodiscard]] std::string unescaped_kmsg(std::string_view message);

/// "SUBSYSTEM=pci", "DEVICE=+pci:0000:07:00.0": the properties below a /dev/kmsg record.
[[nodiscard]] bool is_kmsg_property(std::string_view content);

/// Control characters other than tab and escape, or bytes that are no UTF-8.
[[nodiscard]] bool is_binary(std::string_view content);

}  // namespace gpumedic::evidence
