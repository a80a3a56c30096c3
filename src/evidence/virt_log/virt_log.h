// Logs of the virtualisation stack: KubeVirt's components (JSON, also inside container runtimes' and kubectl's line
// forms), libvirt daemons, virsh's errors, QEMU.
#pragma once

#include "ports/reader.h"

namespace gpumedic::evidence {

/// "virt log". Emits `virt`, `libvirt`, `qemu`, `syslog` (another component's JSON) and `text` records. Errors arrive
/// with JSON and Go quoting resolved. Recognises a text of which half the lines are of these forms with at least 80.
/// The reader is not thread-safe; one per source.
[[nodiscard]] ports::ReaderKind virt_log_kind();

}  // namespace gpumedic::evidence
