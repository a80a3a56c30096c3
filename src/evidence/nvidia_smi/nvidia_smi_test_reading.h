// What the tests of this folder read with.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "base/text.h"
#include "evidence/nvidia_smi/nvidia_smi_reader.h"

namespace gpumedic::evidence::testing_nvidia_smi {

struct Seen {
    model::RecordType type{};
    std::uint64_t line{};
    bool timed{};
    std::string text;
    std::map<std::string, std::string> fields;
};

inline std::vector<Seen> read(std::string_view text, const std::string& command = {}) {
    std::vector<Seen> seen;
    const auto reader = nvidia_smi_kind().make({"smi.txt", command, {}}, [&](const model::Record& record) {
        Seen one{record.type, record.line, record.time.has_value(), std::string(record.text), {}};
        for (const auto& field : record.fields) {
            EXPECT_FALSE(field.value.empty()) << field.key;
            one.fields.emplace(field.key, field.value);
        }
        seen.push_back(std::move(one));
    });
    std::uint64_t number = 0;
    for (const auto line : base::split(text, '\n')) reader->line(line, ++number);
    reader->finish();
    EXPECT_EQ(reader->stats().records, seen.size());
    return seen;
}

}  // namespace gpumedic::evidence::testing_nvidia_smi
