// A record that owns its text until it is delivered.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/timestamp.h"
#include "model/record.h"

namespace gpumedic::evidence::kubectl {

struct Draft {
    model::RecordType type{model::RecordType::text};
    std::uint64_t line{};  // of the source; 0 while it is not known
    std::optional<base::Timestamp> time{};
    std::string host{};
    std::string text{};
    std::string raw{};
    std::vector<model::Field> fields{};
    /// Where the source says it, for sources without places (JSON): the member's name and value, as decoded.
    std::string anchor_key{};
    std::string anchor_value{};

    void set(std::string_view key, std::string_view value) {
        if (!value.empty()) fields.push_back({key, std::string(value)});
    }
    [[nodiscard]] std::string_view field(std::string_view key) const {
        const auto found =
            std::find_if(fields.begin(), fields.end(), [&](const model::Field& f) { return f.key == key; });
        return found == fields.end() ? std::string_view{} : std::string_view(found->value);
    }
};

}  // namespace gpumedic::evidence::kubectl
