// libFuzzer: no bytes may crash, hang or trip a sanitizer in the log reader.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "evidence/log_lines/log_lines.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    std::string_view text{reinterpret_cast<const char*>(data), size};  // NOLINT: bytes as characters
    const auto kind = gpumedic::evidence::log_lines_kind();
    static_cast<void>(kind.recognise({text, ""}));
    static_cast<void>(gpumedic::evidence::text_lines_kind().recognise({text, ""}));
    std::size_t bytes = 0;
    const auto reader = kind.make({"fuzz", "", {}}, [&bytes](const gpumedic::model::Record& record) {
        bytes += record.text.size() + record.host.size() + record.raw.size();
    });
    std::uint64_t number = 0;
    while (!text.empty()) {
        const auto end = text.find('\n');
        reader->line(text.substr(0, end), ++number);
        text = end == std::string_view::npos ? std::string_view{} : text.substr(end + 1);
    }
    reader->finish();
    return 0;
}
