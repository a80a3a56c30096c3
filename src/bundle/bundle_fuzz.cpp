// The whole path of hostile bytes: content, encoding, lines, prompts, recognition, every reader. The first byte chooses
// the size of the chunks.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "base/check.h"
#include "bundle/bundle.h"
#include "bundle/fake_tree.h"
#include "ports/reader.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace gpumedic;
    if (size == 0) return 0;
    bundle::FakeTree tree;
    tree.set_chunk_bytes(data[0] < 128 ? std::size_t{1} + data[0] : std::size_t{1} << 17);
    tree.put("x", std::string(data + 1, data + size));
    std::uint64_t records = 0;
    std::uint64_t text_bytes = 0;
    const auto sources = bundle::read_evidence(tree, {"x"}, {}, [&](std::uint32_t, const model::Record& record) {
        ++records;
        text_bytes += record.text.size() + record.raw.size();  // touches the views: a dangling one is seen here
        for (const char c : record.text) text_bytes += static_cast<unsigned char>(c) & 1U;
        for (const char c : record.raw) text_bytes += static_cast<unsigned char>(c) & 1U;
        for (const char c : record.host) text_bytes += static_cast<unsigned char>(c) & 1U;
        for (const auto& field : record.fields) text_bytes += field.key.size() + field.value.size();
        CHECK(record.line > 0, "a record has a place");
    });
    CHECK(sources.has_value(), "readable bytes give sources");
    CHECK(!sources->empty(), "every input is listed");
    std::uint64_t counted = 0;
    for (const auto& source : *sources) counted += source.records;
    CHECK(counted == records, "records are counted where they are delivered");
    return text_bytes == UINT64_MAX ? 1 : 0;
}
