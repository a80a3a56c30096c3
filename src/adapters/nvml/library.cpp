#include "adapters/nvml/library.h"

#include <dlfcn.h>

#include <algorithm>
#include <array>

namespace gpumedic::adapters::nvml {
namespace {

template <class Function>
bool load(void* library, const char* symbol, Function& function) {
    function = reinterpret_cast<Function>(::dlsym(library, symbol));  // NOLINT(*-reinterpret-cast): dlsym's way
    return function != nullptr;
}

}  // namespace

base::Result<Library> Library::open() {
    void* const handle = ::dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
    if (handle == nullptr) {
        const char* const why = ::dlerror();
        const std::string said = why == nullptr ? "cannot be opened" : why;
        const bool absent = said.find("No such file") != std::string::npos;
        return base::fail(absent ? base::ErrorCode::not_found : base::ErrorCode::malformed, said, "libnvidia-ml.so.1");
    }
    Library library;
    auto& f = library.functions_;
    const auto want = [&](const char* symbol, auto& function) {
        if (!load(handle, symbol, function)) library.missing_.emplace_back(symbol);
    };
    want("nvmlInit_v2", f.init);
    want("nvmlErrorString", f.error_string);
    want("nvmlDeviceGetCount_v2", f.count);
    want("nvmlDeviceGetHandleByIndex_v2", f.handle);
    if (!library.missing_.empty())
        return base::fail(base::ErrorCode::malformed, "lacks " + library.missing_.front(), "libnvidia-ml.so.1");
    want("nvmlShutdown", f.shutdown);
    want("nvmlSystemGetDriverVersion", f.driver_version);
    want("nvmlSystemGetNVMLVersion", f.nvml_version);
    want("nvmlDeviceGetPciInfo_v3", f.pci_info);
    want("nvmlDeviceGetName", f.name);
    want("nvmlDeviceGetUUID", f.uuid);
    want("nvmlDeviceGetSerial", f.serial);
    want("nvmlDeviceGetPerformanceState", f.performance_state);
    want("nvmlDeviceGetTemperature", f.temperature);
    want("nvmlDeviceGetCurrPcieLinkGeneration", f.link_generation);
    want("nvmlDeviceGetMaxPcieLinkGeneration", f.link_generation_max);
    want("nvmlDeviceGetCurrPcieLinkWidth", f.link_width);
    want("nvmlDeviceGetMaxPcieLinkWidth", f.link_width_max);
    // Renamed in R535; the old name stays for old drivers.
    if (!load(handle, "nvmlDeviceGetCurrentClocksEventReasons", f.clock_reasons))
        want("nvmlDeviceGetCurrentClocksThrottleReasons", f.clock_reasons);
    want("nvmlDeviceGetEccMode", f.ecc_mode);
    want("nvmlDeviceGetTotalEccErrors", f.ecc_errors);
    want("nvmlDeviceGetRetiredPagesPendingStatus", f.retired_pending);
    want("nvmlDeviceGetRemappedRows", f.remapped_rows);
    want("nvmlDeviceGetNvLinkState", f.nvlink_state);
    want("nvmlDeviceGetGpuFabricInfo", f.fabric_info);
    return library;
}

}  // namespace gpumedic::adapters::nvml
