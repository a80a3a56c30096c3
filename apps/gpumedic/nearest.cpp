#include "nearest.h"

#include <algorithm>
#include <numeric>

namespace gpumedic::cli {
namespace {

constexpr std::size_t kMaxWord = 64;  // the distance costs the product of both lengths

/// Insertions, deletions and changes of one character.
std::size_t distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 0; i < a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i + 1;
        for (std::size_t j = 0; j < b.size(); ++j) {
            const std::size_t changed = diagonal + (a[i] == b[j] ? 0 : 1);
            diagonal = row[j + 1];
            row[j + 1] = std::min({row[j] + 1, diagonal + 1, changed});
        }
    }
    return row.back();
}

}  // namespace

std::string_view nearest(std::string_view word, const std::vector<std::string_view>& known) {
    std::string_view best;
    if (word.size() > kMaxWord) return best;
    std::size_t least = word.size() < 5 ? 2 : 3;  // one slip in a short word, two in a longer one
    for (const std::string_view name : known) {
        const std::size_t cost = distance(word, name);
        if (cost < least) best = name, least = cost;
    }
    return best;
}

}  // namespace gpumedic::cli
