#include "knowledge/version.h"

#include <fmt/format.h>

#include <cstdint>

#ifndef GPUMEDIC_VERSION
#error "GPUMEDIC_VERSION comes from src/knowledge/CMakeLists.txt"
#endif

namespace gpumedic::knowledge {

std::string catalogue_version(const std::vector<std::string_view>& texts) {
    std::uint64_t hash = 0xcbf29ce484222325ULL;
    for (const auto text : texts) {
        for (const char c : text) {
            hash ^= static_cast<unsigned char>(c);
            hash *= 0x100000001b3ULL;
        }
    }
    return fmt::format("{}+{:08x}", GPUMEDIC_VERSION, static_cast<std::uint32_t>(hash ^ (hash >> 32U)));
}

}  // namespace gpumedic::knowledge
