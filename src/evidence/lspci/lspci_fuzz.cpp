// Any bytes as an lspci listing and as a setpci answer.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/text.h"
#include "evidence/lspci/lspci_reader.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace gpumedic;
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const auto kind = evidence::lspci_kind();
    static_cast<void>(kind.recognise({text, {}}));
    for (const auto* command : {"", "lspci -vvv -s 03:00.0", "setpci -s 03:00.0 HEADER_TYPE COMMAND"}) {
        std::size_t bytes = 0;
        const auto reader =
            kind.make({"fuzz", command, {}}, [&](const model::Record& record) { bytes += record.text.size(); });
        std::uint64_t number = 0;
        for (const auto line : base::split(text, '\n')) reader->line(line, ++number);
        reader->finish();
    }
    return 0;
}
