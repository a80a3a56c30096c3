// Any bytes: names are learnt from them and replaced in them.
#include <cstddef>
#include <cstdint>
#include <string>

#include "base/check.h"
#include "redact/finder.h"
#include "redact/redactor.h"

using namespace gpumedic::redact;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
    const std::string text(bytes, bytes + size);
    Finder finder;
    finder.see_line(text);
    finder.see_path(text);
    finder.see({.host = text, .text = text, .raw = text});
    TokenMap map;
    Redactor redactor(finder.names(), map);
    const auto once = redactor.line(text);
    CHECK(once.size() <= 64 + size * 40, "what is replaced stays in proportion");
    CHECK(TokenMap::parse(map.render(), "map").has_value(), "a map is read back");
    return 0;
}
