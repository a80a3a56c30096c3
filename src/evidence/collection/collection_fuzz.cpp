// Any bytes as the account of a collection.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/text.h"
#include "evidence/collection/collection_reader.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace gpumedic;
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const auto kind = evidence::collection_kind();
    static_cast<void>(kind.recognise({text, {}}));
    std::size_t bytes = 0;
    const auto reader = kind.make({"fuzz", {}, {}}, [&](const model::Record& record) { bytes += record.text.size(); });
    std::uint64_t number = 0;
    for (const auto line : base::split(text, '\n')) reader->line(line, ++number);
    reader->finish();
    return 0;
}
