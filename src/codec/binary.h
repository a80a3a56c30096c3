// A small binary form for data that the build compiles and the program embeds. Not a file format for users: reader and
// writer are always of one build.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gpumedic::codec {

class BinaryWriter {
public:
    void number(std::uint64_t value);  // LEB128
    void real(double value);
    void text(std::string_view value);
    [[nodiscard]] std::string take() { return std::move(out_); }

private:
    std::string out_;
};

/// Reading past the end sets `ok()` to false and gives zeros and empty texts from then on.
class BinaryReader {
public:
    explicit BinaryReader(std::string_view bytes) : bytes_(bytes) {}
    [[nodiscard]] std::uint64_t number();
    [[nodiscard]] double real();
    [[nodiscard]] std::string_view text();
    [[nodiscard]] bool ok() const { return ok_; }
    [[nodiscard]] bool at_end() const { return position_ == bytes_.size(); }

private:
    std::string_view bytes_;
    std::size_t position_{0};
    bool ok_{true};
};

}  // namespace gpumedic::codec
