// What the tests of this folder read with.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "base/text.h"
#include "evidence/kubectl/kubectl_reader.h"

namespace gpumedic::evidence::testing_kubectl {

struct Seen {
    model::RecordType type{};
    std::uint64_t line{};
    std::string time;
    std::string host;
    std::string text;
    std::string raw;
    std::map<std::string, std::string> fields;
};

inline std::vector<Seen> read(std::string_view text, const std::string& command = {},
                              std::uint64_t* malformed = nullptr) {
    std::vector<Seen> seen;
    const auto reader = kubectl_kind().make({"kubectl.txt", command, {}}, [&](const model::Record& record) {
        Seen one{record.type,
                 record.line,
                 record.time ? base::format_time(*record.time) : "",
                 std::string(record.host),
                 std::string(record.text),
                 std::string(record.raw),
                 {}};
        for (const auto& field : record.fields) {
            EXPECT_FALSE(field.value.empty()) << field.key;
            EXPECT_TRUE(one.fields.emplace(field.key, field.value).second) << field.key << " twice";
        }
        seen.push_back(std::move(one));
    });
    std::uint64_t number = 0;
    for (const auto line : base::split(text, '\n')) reader->line(line, ++number);
    reader->finish();
    EXPECT_EQ(reader->stats().records, seen.size());
    if (malformed != nullptr) *malformed = reader->stats().malformed;
    return seen;
}

inline std::vector<Seen> of_type(const std::vector<Seen>& all, model::RecordType type) {
    std::vector<Seen> some;
    for (const auto& one : all)
        if (one.type == type) some.push_back(one);
    return some;
}

}  // namespace gpumedic::evidence::testing_kubectl
