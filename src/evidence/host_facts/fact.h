// One fact of a host, as one line tells it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/record.h"

namespace gpumedic::evidence::host_facts {

struct Fact {
    model::RecordType type{model::RecordType::text};
    std::vector<model::Field> fields{};  // keys are literals

    void set(std::string_view key, std::string_view value) {
        if (!value.empty()) fields.push_back({key, std::string(value)});
    }
    [[nodiscard]] std::string_view field(std::string_view key) const {
        const auto found = std::find_if(fields.begin(), fields.end(), [&](const auto& f) { return f.key == key; });
        return found == fields.end() ? std::string_view{} : std::string_view(found->value);
    }
};

}  // namespace gpumedic::evidence::host_facts
