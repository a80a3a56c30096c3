#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "codec/value.h"

namespace {

constexpr std::size_t kDepth = 50;

std::size_t depth_of(const gpumedic::codec::Value& value) {
    std::size_t deepest = 0;
    for (const auto& item : value.items) deepest = std::max(deepest, depth_of(item));
    for (const auto& member : value.members) deepest = std::max(deepest, depth_of(member.value));
    return deepest + (value.is_list() || value.is_map() ? 1 : 0);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    gpumedic::codec::TreeLimits limits;
    limits.depth = kDepth;
    const auto documents = gpumedic::codec::parse_yaml(text, limits);
    if (!documents) {
        CHECK(!documents.error().what.empty(), "a refusal without a reason");
        return 0;
    }
    for (const auto& document : *documents) CHECK(depth_of(document) <= kDepth, "the depth cap does not hold");
    return 0;
}
