// Numbers that are the same everywhere for the same seed: a variant is named by case, kind and number alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace gpumedic::mutate {

/// splitmix64. The standard's distributions differ between libraries, so ranges are made here.
class Random {
public:
    explicit Random(std::uint64_t seed) : state_(seed) {}
    [[nodiscard]] std::uint64_t next() {
        state_ += 0x9e3779b97f4a7c15ULL;
        auto z = state_;
        z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9ULL;
        z = (z ^ (z >> 27U)) * 0x94d049bb133111ebULL;
        return z ^ (z >> 31U);
    }
    /// 0 .. count - 1; `count` at least 1.
    [[nodiscard]] std::size_t below(std::size_t count) { return static_cast<std::size_t>(next() % count); }

private:
    std::uint64_t state_;
};

/// FNV-1a, to make a seed of names.
[[nodiscard]] constexpr std::uint64_t hash(std::string_view text, std::uint64_t value = 0xcbf29ce484222325ULL) {
    for (const char c : text) value = (value ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
    return value;
}

}  // namespace gpumedic::mutate
