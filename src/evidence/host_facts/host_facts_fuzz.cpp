// Any bytes as a source of host facts.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/text.h"
#include "evidence/host_facts/host_facts_reader.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace gpumedic;
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const auto kind = evidence::host_facts_kind();
    static_cast<void>(kind.recognise({text, {}}));
    // The first line may also be the command of the rest: it tells which files of sysfs the values are.
    for (const auto& command : {std::string(), std::string(text.substr(0, text.find('\n')))}) {
        std::size_t bytes = 0;
        const auto reader =
            kind.make({"fuzz", command, {}}, [&](const model::Record& record) { bytes += record.text.size(); });
        std::uint64_t number = 0;
        for (const auto line : base::split(text, '\n')) reader->line(line, ++number);
        reader->finish();
    }
    return 0;
}
