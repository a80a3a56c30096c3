#include "codec/binary.h"

#include <bit>

namespace gpumedic::codec {
namespace {

constexpr unsigned kGroupBits = 7;
constexpr unsigned kRealBytes = 8;

}  // namespace

void BinaryWriter::number(std::uint64_t value) {
    while (value >= 0x80U) {
        out_.push_back(static_cast<char>((value & 0x7FU) | 0x80U));
        value >>= kGroupBits;
    }
    out_.push_back(static_cast<char>(value));
}

void BinaryWriter::real(double value) {
    const auto bits = std::bit_cast<std::uint64_t>(value);
    for (unsigned i = 0; i < kRealBytes; ++i) out_.push_back(static_cast<char>((bits >> (8U * i)) & 0xFFU));
}

void BinaryWriter::text(std::string_view value) {
    number(value.size());
    out_.append(value);
}

std::uint64_t BinaryReader::number() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; ok_ && position_ < bytes_.size(); shift += kGroupBits) {
        const auto byte = static_cast<unsigned char>(bytes_[position_++]);
        const std::uint64_t group = byte & 0x7FU;
        if (shift > 63 || (shift == 63 && group > 1)) break;  // more than 64 bits
        value |= group << shift;
        if ((byte & 0x80U) == 0) return value;
    }
    ok_ = false;
    return 0;
}

double BinaryReader::real() {
    if (!ok_ || bytes_.size() - position_ < kRealBytes) {
        ok_ = false;
        return 0;
    }
    std::uint64_t bits = 0;
    for (unsigned i = 0; i < kRealBytes; ++i) {
        bits |= std::uint64_t{static_cast<unsigned char>(bytes_[position_ + i])} << (8U * i);
    }
    position_ += kRealBytes;
    return std::bit_cast<double>(bits);
}

std::string_view BinaryReader::text() {
    const std::uint64_t length = number();
    if (!ok_ || length > bytes_.size() - position_) {
        ok_ = false;
        return {};
    }
    const std::string_view value = bytes_.substr(position_, length);
    position_ += value.size();
    return value;
}

}  // namespace gpumedic::codec
