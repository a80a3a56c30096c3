// The families of headers behind parse_line_header; inner to this folder. Each returns false and leaves rubbish in
// `header` where the line is not of its family.
#pragma once

#include "evidence/log_lines/line_header.h"

namespace gpumedic::evidence {

/// Starts with '[': boot seconds, ctime, fabric manager, Slurm.
[[nodiscard]] bool parse_bracket_form(std::string_view line, const base::TimeContext& context, LineHeader& header);
/// "kern  :warn  : ..." (dmesg --decode) and "host: kern: warning: [time]: ..." (Talos).
[[nodiscard]] bool parse_decoded_form(std::string_view line, const base::TimeContext& context, LineHeader& header);
/// "6,1234,567890,-;message" (/dev/kmsg).
[[nodiscard]] bool parse_kmsg_form(std::string_view line, LineHeader& header);
/// "2025-10-10T22:25:01+09:00 host program[1]: message", dmesg's ISO form (comma before the fraction), a container's
/// line.
[[nodiscard]] bool parse_iso_form(std::string_view line, const base::TimeContext& context, LineHeader& header);
/// "Oct 10 22:25:01 host program[1]: message".
[[nodiscard]] bool parse_syslog_form(std::string_view line, const base::TimeContext& context, LineHeader& header);
/// "1 2025-10-10T22:25:01Z host program pid msgid - message" (RFC 5424, after "<pri>").
[[nodiscard]] bool parse_rfc5424_form(std::string_view line, const base::TimeContext& context, LineHeader& header);
/// "E0326 15:43:36.380682   12398 file.go:458] message" (klog).
[[nodiscard]] bool parse_klog_form(std::string_view line, const base::TimeContext& context, LineHeader& header);
/// "Fri 2025-10-10 22:25:01 KST host ..." (journal short-full) and "1712352579.402118 host ..." (short-unix).
[[nodiscard]] bool parse_rare_journal_form(std::string_view line, const base::TimeContext& context, LineHeader& header);

/// "2024/01/05 12:59:06 message" (Go's log package).
[[nodiscard]] bool parse_go_form(std::string_view line, const base::TimeContext& context, LineHeader& header);
/// "time=\"2024-...\" level=error msg=\"...\"": containerd, docker, many operators.
[[nodiscard]] bool parse_logfmt_form(std::string_view line, const base::TimeContext& context, LineHeader& header);
/// What follows the time in nv-hostengine.log: " ERROR [9596:9598] message [file:line] [function]".
[[nodiscard]] bool parse_dcgm_rest(std::string_view rest, LineHeader& header);
/// What follows the time in ESXi's vmkernel.log: " cpu12:2098765)message", " In(182) vmkernel: cpu12:2098765)message".
[[nodiscard]] bool parse_vmkernel_rest(std::string_view rest, LineHeader& header);

/// What follows the time in NVLSM's and OpenSM's log: " 123456 [7F3A] 0x01 -> message".
[[nodiscard]] bool parse_subnet_manager_rest(std::string_view rest, LineHeader& header);
/// "docker: Error response from daemon: ...", "nvidia-container-cli: ...".
[[nodiscard]] bool parse_runtime_form(std::string_view line, LineHeader& header);

/// Is this the body of a logfmt line? What it says: msg and error, unquoted.
[[nodiscard]] bool looks_like_logfmt(std::string_view text);
[[nodiscard]] std::string logfmt_text(std::string_view message);
/// "error", "WARN" as 0 emerg .. 7 debug; -1 for other words.
[[nodiscard]] int level_priority(std::string_view level);

/// "host program[pid]: message" or "program[pid]: message"; sets the type by the program.
[[nodiscard]] bool parse_host_and_tag(std::string_view text, LineHeader& header);
/// Sets program, type and message of an entry whose parts are known (RFC 5424, journal JSON).
void set_program(std::string_view program, std::string_view message, LineHeader& header);
/// Removes a "[12.345678] " stamp and a "[T1772] " mark that printk left in front of the message.
[[nodiscard]] std::string_view without_printk_marks(std::string_view message);

/// The word before the first blank, and what follows the blanks.
struct Word {
    std::string_view word;
    std::string_view rest;
};
[[nodiscard]] Word first_word(std::string_view text);
[[nodiscard]] inline bool is_digit(char c) { return c >= '0' && c <= '9'; }
[[nodiscard]] inline bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

}  // namespace gpumedic::evidence
