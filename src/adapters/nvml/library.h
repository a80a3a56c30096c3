// libnvidia-ml.so.1, opened when it is asked for. A function that this version lacks is null.
#pragma once

#include <string>
#include <vector>

#include "adapters/nvml/abi.h"
#include "base/result.h"

namespace gpumedic::adapters::nvml {

struct Functions {
    Return (*init)(){};
    Return (*shutdown)(){};
    const char* (*error_string)(Return){};
    Return (*driver_version)(char*, unsigned){};
    Return (*nvml_version)(char*, unsigned){};
    Return (*count)(unsigned*){};
    Return (*handle)(unsigned, Device*){};
    Return (*pci_info)(Device, PciInfo*){};
    Return (*name)(Device, char*, unsigned){};
    Return (*uuid)(Device, char*, unsigned){};
    Return (*serial)(Device, char*, unsigned){};
    Return (*performance_state)(Device, int*){};
    Return (*temperature)(Device, int sensor, unsigned*){};
    Return (*link_generation)(Device, unsigned*){};
    Return (*link_generation_max)(Device, unsigned*){};
    Return (*link_width)(Device, unsigned*){};
    Return (*link_width_max)(Device, unsigned*){};
    Return (*clock_reasons)(Device, unsigned long long*){};
    Return (*ecc_mode)(Device, int* current, int* pending){};
    Return (*ecc_errors)(Device, int type, int counter, unsigned long long*){};
    Return (*retired_pending)(Device, int*){};
    Return (*remapped_rows)(Device, unsigned* corrected, unsigned* uncorrected, unsigned* pending, unsigned* failed){};
    Return (*nvlink_state)(Device, unsigned link, int*){};
    Return (*fabric_info)(Device, FabricInfo*){};
};

class Library {
public:
    /// Searches as the loader does (LD_LIBRARY_PATH, ld.so.cache). `not_found`: it is not installed; `malformed`: it is
    /// no NVML (the functions without which nothing can be asked are named).
    [[nodiscard]] static base::Result<Library> open();
    [[nodiscard]] const Functions& functions() const { return functions_; }
    /// Symbols that this version does not have.
    [[nodiscard]] const std::vector<std::string>& missing() const { return missing_; }

private:
    Functions functions_{};  // the library stays open: NVML has threads of its own, and our process ends soon
    std::vector<std::string> missing_{};
};

}  // namespace gpumedic::adapters::nvml
