// Shell prompts: where a transcript goes on to its next command.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace gpumedic::bundle {

/// The command after a prompt, a view into `line`; empty where the prompt waits for one. Nothing when the line is no
/// prompt.
/// "$ cmd", "user@host:~$ cmd", "[root@node ~]# cmd" take any command. "# cmd", "+ cmd", "/ # cmd", "sh-5.1# cmd",
/// "PS1> cmd" count only before the name of a tool, because a remark looks the same. Pure, no allocation; fast on lines
/// that are no prompt.
[[nodiscard]] std::optional<std::string_view> parse_prompt(std::string_view line);

/// The command whose output it is: without sudo, environment, path and wrapper ("sudo /usr/bin/lspci -v", "oc debug
/// node/a -- chroot /host lspci -v" both give "lspci -v"); `oc` becomes `kubectl`. Blanks become single. Pure.
[[nodiscard]] std::string effective_command(std::string_view command);

/// Is the first word, perhaps behind assignments, the name or path of a tool whose output is evidence? Names that are
/// words of prose too count only before an option or a path ("find /sys", not "find the GPU"). Pure.
[[nodiscard]] bool names_a_tool(std::string_view command);

/// Does this command (an effective one) say nothing of its output's form, so that only the content counts: cat, grep,
/// kubectl logs?
[[nodiscard]] bool content_decides(std::string_view command);

}  // namespace gpumedic::bundle
