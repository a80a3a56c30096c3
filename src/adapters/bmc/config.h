// Which BMC is asked, and as whom: /etc/gpumedic/bmc.yaml.
#pragma once

#include <string>
#include <string_view>

#include "adapters/http/http.h"
#include "base/result.h"

namespace gpumedic::adapters::bmc {

struct Config {
    http::Server server{};
    http::Secret secret{};
};

/// The configuration for one node; "{node}" in `server` becomes its name. Reads the password's file, which others may
/// not read, and the CA's. Relative paths are relative to the configuration. `not_found`: there is no such file. A
/// mistake is told with file, line and column; a password never. Thread-safe.
[[nodiscard]] base::Result<Config> read_config(const std::string& path, std::string_view node);

}  // namespace gpumedic::adapters::bmc
