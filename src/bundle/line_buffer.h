// Lines that wait until their reader is known.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gpumedic::bundle {

class LineBuffer {
public:
    void add(std::string_view text, std::uint64_t number) {
        starts_.push_back({text_.size(), number});
        text_.append(text);
        text_.push_back('\n');
    }
    [[nodiscard]] bool empty() const { return starts_.empty(); }
    [[nodiscard]] std::string_view text() const { return text_; }
    /// Calls `take(text, number)` for each line.
    template <class Take>
    void for_each(Take take) const {
        for (std::size_t i = 0; i < starts_.size(); ++i) {
            const std::size_t end = i + 1 < starts_.size() ? starts_[i + 1].offset : text_.size();
            take(std::string_view(text_).substr(starts_[i].offset, end - 1 - starts_[i].offset), starts_[i].number);
        }
    }

private:
    struct Start {
        std::size_t offset;
        std::uint64_t number;
    };
    std::string text_;
    std::vector<Start> starts_;
};

}  // namespace gpumedic::bundle
