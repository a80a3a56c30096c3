#include "codec/value.h"

namespace gpumedic::codec {

const Value* Value::find(std::string_view key) const {
    if (kind != Kind::map) return nullptr;
    for (const Member& member : members) {
        if (member.key == key) return &member.value;
    }
    return nullptr;
}

const Value* Value::at(std::initializer_list<std::string_view> path) const {
    const Value* node = this;
    for (const std::string_view key : path) {
        node = node->find(key);
        if (node == nullptr) return nullptr;
    }
    return node;
}

std::string_view Value::text(std::initializer_list<std::string_view> path) const {
    const Value* node = at(path);
    return node != nullptr && node->is_scalar() ? std::string_view{node->scalar} : std::string_view{};
}

}  // namespace gpumedic::codec
