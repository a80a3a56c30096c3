// A text in memory as evidence: a line that somebody asks about takes the same way as a file.
#pragma once

#include <algorithm>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>

#include "ports/evidence_tree.h"

namespace gpumedic::pipeline {

/// One entry "-" that holds the text. Not thread-safe.
class LineTree final : public ports::EvidenceTree {
public:
    explicit LineTree(std::string text) : text_(std::move(text)) {}
    [[nodiscard]] base::Result<Listing> list(const std::string& argument) override {
        return Listing{{{argument, argument}}, {}};
    }
    [[nodiscard]] base::Result<std::unique_ptr<ports::ByteSource>> open(const ports::EvidenceEntry&) override {
        return std::make_unique<Bytes>(text_);
    }

private:
    class Bytes final : public ports::ByteSource {
    public:
        explicit Bytes(const std::string& text) : rest_(text) {}
        [[nodiscard]] base::Result<std::size_t> read(std::span<char> buffer) override {
            const auto size = std::min(buffer.size(), rest_.size());
            std::memcpy(buffer.data(), rest_.data(), size);
            rest_.remove_prefix(size);
            return size;
        }

    private:
        std::string_view rest_;
    };
    std::string text_;
};

}  // namespace gpumedic::pipeline
