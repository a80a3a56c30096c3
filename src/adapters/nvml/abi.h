// The part of NVML's ABI that we use: NVIDIA NVML API reference, nvml.h. The names are the versioned symbols that the
// library exports; a struct's layout belongs to its symbol's version and never changes.
#pragma once

namespace gpumedic::adapters::nvml {

using Return = int;
struct DeviceOpaque;
using Device = DeviceOpaque*;

inline constexpr Return kSuccess = 0;
inline constexpr Return kNotSupported = 3;
inline constexpr Return kDriverNotLoaded = 9;
inline constexpr unsigned kTextBytes = 96;  // every text buffer of NVML's own constants fits
inline constexpr unsigned kMostLinks = 18;  // NVML_NVLINK_MAX_LINKS

/// nvmlPciInfo_t of nvmlDeviceGetPciInfo_v3.
struct PciInfo {
    char bus_id_legacy[16];
    unsigned domain;
    unsigned bus;
    unsigned device;
    unsigned pci_device_id;
    unsigned pci_subsystem_id;
    char bus_id[32];
};
static_assert(sizeof(PciInfo) == 68);

/// nvmlGpuFabricInfo_t of nvmlDeviceGetGpuFabricInfo.
struct FabricInfo {
    unsigned char cluster_uuid[16];
    Return status;
    unsigned clique_id;
    unsigned char state;  // 0 not supported, 1 not started, 2 in progress, 3 completed
};
static_assert(sizeof(FabricInfo) == 28);

enum Feature : int { kDisabled = 0, kEnabled = 1 };
enum MemoryErrorType : int { kCorrected = 0, kUncorrected = 1 };
enum EccCounter : int { kVolatile = 0, kAggregate = 1 };

// Reasons of nvmlDeviceGetCurrentClocksEventReasons (nvmlDeviceGetCurrentClocksThrottleReasons before R535).
inline constexpr unsigned long long kReasonIdle = 0x1;
inline constexpr unsigned long long kReasonSwPowerCap = 0x4;
inline constexpr unsigned long long kReasonHwSlowdown = 0x8;
inline constexpr unsigned long long kReasonSwThermal = 0x20;
inline constexpr unsigned long long kReasonHwThermal = 0x40;
inline constexpr unsigned long long kReasonHwPowerBrake = 0x80;

}  // namespace gpumedic::adapters::nvml
