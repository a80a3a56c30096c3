// System logs: dmesg in all its spellings, /dev/kmsg, the journal (short forms, JSON, export), syslog files, klog,
// Slurm and fabric manager logs. The form is found per line, so mixed and pasted logs are read like pure ones.
#pragma once

#include "ports/reader.h"

namespace gpumedic::evidence {

/// "kernel log". Emits `kernel` and `syslog` records (`libvirt` and `qemu` where such a program wrote the line); a line
/// without a header that is not a continuation is a `text` record, or a `kernel` one below a command that prints bare
/// kernel messages. Recognises a text of which half the lines have a header with at least 80. The reader is not
/// thread-safe; one per source.
[[nodiscard]] ports::ReaderKind log_lines_kind();

/// "text": the same reader for text that nobody recognised; 1 for anything with content that is not binary, else 0.
[[nodiscard]] ports::ReaderKind text_lines_kind();

}  // namespace gpumedic::evidence
