// Any text as a file of each folder: a load may only report, never crash, and what loads must survive the blob.
#include <cstdint>

#include "base/check.h"
#include "knowledge/blob.h"
#include "knowledge/loader.h"

namespace {

using namespace gpumedic::knowledge;

void load_as(std::string_view kind, std::string_view text) {
    const std::string path = std::string(kind) + "/fuzz.yaml";
    const LoadResult result = load_catalogue({}, {{{{path, std::string(kind), std::string(text)}}}});
    for (const auto& problem : result.problems) CHECK(!problem.render().empty(), "a problem says something");
    const auto again = read_blob(write_blob(result.catalogue));
    CHECK(again.has_value(), "what was written can be read");
    CHECK(write_blob(*again) == write_blob(result.catalogue), "nothing is lost on the way");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    for (const auto* kind : {"signals", "faults", "actions", "checks", "classes"}) load_as(kind, text);
    static_cast<void>(read_blob(text));
    return 0;
}
