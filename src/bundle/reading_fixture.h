// Test only: reads a FakeTree and keeps what was delivered.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "bundle/bundle.h"
#include "bundle/fake_tree.h"

namespace gpumedic::bundle {

struct KeptRecord {
    std::uint32_t source;
    std::uint64_t line;
    model::RecordType type;
    std::string text;
};

class ReadingTest : public ::testing::Test {
protected:
    void read(const std::vector<std::string>& arguments) {
        records_.clear();
        auto result =
            read_evidence(tree_, arguments, options_, [this](std::uint32_t source, const model::Record& record) {
                records_.push_back({source, record.line, record.type, std::string(record.text)});
            });
        ASSERT_TRUE(result) << result.error().what;
        sources_ = std::move(*result);
        for (const auto& record : records_) ASSERT_LT(record.source, sources_.size());
    }
    void read_text(std::string text) {
        tree_.put("a.log", std::move(text));
        read({"a.log"});
    }
    [[nodiscard]] std::vector<std::string> names() const {
        std::vector<std::string> result;
        for (const auto& source : sources_) result.push_back(source.name);
        return result;
    }
    /// Texts delivered for one source.
    [[nodiscard]] std::vector<std::string> texts(std::uint32_t source) const {
        std::vector<std::string> result;
        for (const auto& record : records_)
            if (record.source == source) result.push_back(record.text);
        return result;
    }

    FakeTree tree_;
    Options options_;
    std::vector<model::Source> sources_;
    std::vector<KeptRecord> records_;
};

inline constexpr const char* kKernelLine =
    "2025-11-03T04:05:06.000123+09:00 gpu-a kernel: NVRM: GPU0 something happened\n";

}  // namespace gpumedic::bundle
