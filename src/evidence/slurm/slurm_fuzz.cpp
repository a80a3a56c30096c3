// Any bytes as the answer of a tool of Slurm.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/text.h"
#include "evidence/slurm/slurm_reader.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace gpumedic;
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const auto kind = evidence::slurm_kind();
    static_cast<void>(kind.recognise({text, {}}));
    std::size_t bytes = 0;
    const auto reader = kind.make({"fuzz", {}, {}}, [&](const model::Record& record) { bytes += record.text.size(); });
    std::uint64_t number = 0;
    for (const auto line : base::split(text, '\n')) reader->line(line, ++number);
    reader->finish();
    return 0;
}
