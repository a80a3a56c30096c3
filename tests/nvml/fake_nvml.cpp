// What libnvidia-ml.so.1 exports, answering from the state that $FAKE_NVML names.
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "adapters/nvml/abi.h"

using namespace gpumedic::adapters::nvml;

namespace {

constexpr unsigned kGpus = 8;
constexpr unsigned kSick = 3;
constexpr Return kLost = 15;
constexpr Return kMismatch = 18;

bool is(std::string_view state) {
    const char* const set = std::getenv("FAKE_NVML");  // NOLINT(concurrency-mt-unsafe)
    return set != nullptr && state == set;
}

Device device_of(unsigned index) { return reinterpret_cast<Device>(static_cast<std::size_t>(index) + 1); }
unsigned index_of(Device device) { return static_cast<unsigned>(reinterpret_cast<std::size_t>(device) - 1); }

Return put(char* buffer, unsigned size, const char* text) {
    std::snprintf(buffer, size, "%s", text);
    return kSuccess;
}

}  // namespace

extern "C" {

Return nvmlInit_v2() {
    if (is("mismatch")) return kMismatch;
    if (is("no-driver")) return kDriverNotLoaded;
    return kSuccess;
}
Return nvmlShutdown() { return kSuccess; }
const char* nvmlErrorString(Return code) {
    switch (code) {
        case kSuccess: return "Success";
        case kLost: return "GPU is lost";
        case kMismatch: return "Driver/library version mismatch";
        default: return "Unknown Error";
    }
}
Return nvmlSystemGetDriverVersion(char* buffer, unsigned size) { return put(buffer, size, "550.90.07"); }
Return nvmlSystemGetNVMLVersion(char* buffer, unsigned size) {
    return put(buffer, size, is("mismatch") ? "12.560.35.03" : "12.550.90.07");
}
Return nvmlDeviceGetCount_v2(unsigned* count) {
    *count = kGpus;
    return kSuccess;
}
Return nvmlDeviceGetHandleByIndex_v2(unsigned index, Device* device) {
    *device = device_of(index);
    return kSuccess;
}
Return nvmlDeviceGetPciInfo_v3(Device device, PciInfo* info) {
    const unsigned bus = 0x19 + 0x10 * index_of(device);
    info->bus = bus;
    std::snprintf(info->bus_id, sizeof info->bus_id, "00000000:%02X:00.0", bus);
    return kSuccess;
}
Return nvmlDeviceGetName(Device /*device*/, char* buffer, unsigned size) {
    return put(buffer, size, "NVIDIA H100 80GB HBM3");
}
Return nvmlDeviceGetUUID(Device device, char* buffer, unsigned size) {
    std::snprintf(buffer, size, "GPU-5d8c1f7e-0b94-4a31-9d3a-6f2e8c7b1a%02x", index_of(device));
    return kSuccess;
}
Return nvmlDeviceGetSerial(Device device, char* buffer, unsigned size) {
    std::snprintf(buffer, size, "16805671808%02u", index_of(device));
    return kSuccess;
}
Return nvmlDeviceGetTemperature(Device device, int /*sensor*/, unsigned* celsius) {
    if (is("lost") && index_of(device) == kSick) return kLost;
    if (is("hang") && index_of(device) == kSick)
        for (;;) ::pause();
    if (is("crash") && index_of(device) == kSick) std::abort();
    *celsius = 31;
    return kSuccess;
}
Return nvmlDeviceGetPerformanceState(Device /*device*/, int* state) {
    *state = 0;
    return kSuccess;
}
Return nvmlDeviceGetCurrPcieLinkGeneration(Device /*device*/, unsigned* value) { return *value = 5, kSuccess; }
Return nvmlDeviceGetMaxPcieLinkGeneration(Device /*device*/, unsigned* value) { return *value = 5, kSuccess; }
Return nvmlDeviceGetCurrPcieLinkWidth(Device /*device*/, unsigned* value) { return *value = 16, kSuccess; }
Return nvmlDeviceGetMaxPcieLinkWidth(Device /*device*/, unsigned* value) { return *value = 16, kSuccess; }
Return nvmlDeviceGetCurrentClocksEventReasons(Device /*device*/, unsigned long long* reasons) {
    return *reasons = kReasonIdle, kSuccess;
}
Return nvmlDeviceGetEccMode(Device /*device*/, int* current, int* pending) {
    return *current = *pending = kEnabled, kSuccess;
}
Return nvmlDeviceGetTotalEccErrors(Device /*device*/, int /*type*/, int /*counter*/, unsigned long long* count) {
    return *count = 0, kSuccess;
}
Return nvmlDeviceGetRetiredPagesPendingStatus(Device /*device*/, int* /*pending*/) { return kNotSupported; }
#ifndef FAKE_NVML_IS_OLD
Return nvmlDeviceGetRemappedRows(Device /*device*/, unsigned* a, unsigned* b, unsigned* c, unsigned* d) {
    *a = *b = *c = *d = 0;
    return kSuccess;
}
Return nvmlDeviceGetGpuFabricInfo(Device /*device*/, FabricInfo* info) {
    info->state = 3;
    info->status = kSuccess;
    return kSuccess;
}
#endif
Return nvmlDeviceGetNvLinkState(Device device, unsigned link, int* state) {
    *state = is("links-down") && index_of(device) == kSick && link < 4 ? kDisabled : kEnabled;
    return kSuccess;
}

}  // extern "C"
