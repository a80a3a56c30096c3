// Reads what a BMC tells, through ipmitool or Redfish.
#pragma once

#include "ports/reader.h"

namespace gpumedic::evidence {

/// `ipmitool sel list|elist`, `sensor`, `sdr`, `chassis status` and its relatives, Redfish log entries. Gives
/// `bmc_event` records; lines of no such form go on as `text`. Thread-safe.
[[nodiscard]] ports::ReaderKind bmc_kind();

}  // namespace gpumedic::evidence
