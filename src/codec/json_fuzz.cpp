// What the reader accepts must survive being written and read again.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "codec/json_writer.h"
#include "codec/value.h"

namespace {

using gpumedic::codec::JsonWriter;
using gpumedic::codec::Value;

void write(JsonWriter& writer, const Value& value) {
    switch (value.kind) {
        case Value::Kind::null: writer.null(); return;
        case Value::Kind::scalar: writer.string(value.scalar); return;
        case Value::Kind::list:
            writer.begin_array();
            for (const Value& item : value.items) write(writer, item);
            writer.end_array();
            return;
        case Value::Kind::map:
            writer.begin_object();
            for (const auto& member : value.members) {
                writer.key(member.key);
                write(writer, member.value);
            }
            writer.end_object();
            return;
    }
}

bool equal(const Value& left, const Value& right) {
    if (left.kind != right.kind || left.scalar != right.scalar) return false;
    if (left.items.size() != right.items.size() || left.members.size() != right.members.size()) return false;
    for (std::size_t i = 0; i < left.items.size(); ++i) {
        if (!equal(left.items[i], right.items[i])) return false;
    }
    for (std::size_t i = 0; i < left.members.size(); ++i) {
        if (left.members[i].key != right.members[i].key || !equal(left.members[i].value, right.members[i].value))
            return false;
    }
    return true;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto value = gpumedic::codec::parse_json(std::string_view(reinterpret_cast<const char*>(data), size));
    if (!value) return 0;
    JsonWriter writer(size % 2 == 0 ? JsonWriter::Layout::pretty : JsonWriter::Layout::compact);
    write(writer, *value);
    const auto again = gpumedic::codec::parse_json(writer.take());
    CHECK(again.has_value(), "the reader refuses what the writer wrote");
    CHECK(equal(*value, *again), "writing and reading changed the tree");
    return 0;
}
