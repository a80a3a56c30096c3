#include <algorithm>
#include <bit>
#include <cstring>
#include <map>
#include <unordered_map>

#include "base/check.h"
#include "codec/pattern.h"

namespace gpumedic::codec {
namespace {

constexpr std::size_t kWindow = 4;
constexpr std::uint32_t kFoldMask = 0x20202020U;
constexpr unsigned kBitmapBits = 16;

std::uint32_t folded_word(const char* at) {
    std::uint32_t word = 0;
    std::memcpy(&word, at, sizeof word);
    return word | kFoldMask;
}

std::uint32_t slot_of(std::uint32_t word) { return (word * 0x9E3779B1U) >> (32U - kBitmapBits); }

char lower_of(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

/// How seldom a byte is in logs, 0 (everywhere) to 12. A guess is enough: it decides speed, never the result.
int rarity(char c) {
    static constexpr std::string_view kByFrequency = " etaoinsrdlcu0m1p:g2-h.fvby_w3=4/5k69[78]x(),j'q\"z<>{}";
    const std::size_t rank = kByFrequency.find(c);
    if (rank == std::string_view::npos) return 12;
    return static_cast<int>(rank * 12 / kByFrequency.size());
}

int rarity_of_window(std::string_view window) {
    int sum = 0;
    for (const char c : window) sum += rarity(c);
    return sum;
}

bool equals_ignoring_case(std::string_view text, std::string_view lowered) {
    return std::equal(text.begin(), text.end(), lowered.begin(), [](char a, char b) { return lower_of(a) == b; });
}

}  // namespace

struct LiteralGate::Impl {
    struct Entry {
        std::uint32_t literal;
        std::uint32_t offset;  // of the window in the literal
    };
    struct Span {
        std::uint32_t first;
        std::uint32_t count;
    };

    std::vector<std::string> literals{};
    std::vector<std::uint64_t> bitmap = std::vector<std::uint64_t>((std::size_t{1} << kBitmapBits) / 64);
    std::vector<Entry> entries{};
    std::unordered_map<std::uint32_t, Span> spans{};  // folded window -> entries

    void build();
    [[nodiscard]] std::uint32_t choose_window(const std::string& literal,
                                              const std::unordered_map<std::uint32_t, int>& uses) const;
    [[nodiscard]] bool may_start(std::uint32_t word) const {
        const std::uint32_t slot = slot_of(word);
        return ((bitmap[slot / 64] >> (slot % 64)) & 1U) != 0;
    }
    void verify(std::string_view text, std::size_t position, std::vector<std::uint64_t>& seen,
                std::vector<std::uint32_t>& found) const;
};

std::uint32_t LiteralGate::Impl::choose_window(const std::string& literal,
                                               const std::unordered_map<std::uint32_t, int>& uses) const {
    std::uint32_t best = 0;
    int best_score = 0;
    for (std::size_t offset = 0; offset + kWindow <= literal.size(); ++offset) {
        const auto use = uses.find(folded_word(literal.data() + offset));
        // What many literals share ("nvrm") is what many lines share.
        const auto sharing = static_cast<unsigned>(use == uses.end() ? 1 : use->second);
        const int score = rarity_of_window(std::string_view{literal}.substr(offset, kWindow)) -
                          4 * static_cast<int>(std::bit_width(sharing));
        if (offset == 0 || score > best_score) {
            best = static_cast<std::uint32_t>(offset);
            best_score = score;
        }
    }
    return best;
}

void LiteralGate::Impl::build() {
    std::unordered_map<std::uint32_t, int> uses;
    for (const std::string& literal : literals) {
        for (std::size_t i = 0; i + kWindow <= literal.size(); ++i) ++uses[folded_word(literal.data() + i)];
    }
    std::map<std::uint32_t, std::vector<Entry>> by_window;
    for (std::size_t i = 0; i < literals.size(); ++i) {
        const std::uint32_t offset = choose_window(literals[i], uses);
        by_window[folded_word(literals[i].data() + offset)].push_back({static_cast<std::uint32_t>(i), offset});
    }
    for (const auto& [word, list] : by_window) {
        const std::uint32_t slot = slot_of(word);
        bitmap[slot / 64] |= std::uint64_t{1} << (slot % 64);
        spans[word] = {static_cast<std::uint32_t>(entries.size()), static_cast<std::uint32_t>(list.size())};
        entries.insert(entries.end(), list.begin(), list.end());
    }
}

void LiteralGate::Impl::verify(std::string_view text, std::size_t position, std::vector<std::uint64_t>& seen,
                               std::vector<std::uint32_t>& found) const {
    const auto span = spans.find(folded_word(text.data() + position));
    if (span == spans.end()) return;
    if (seen.empty()) seen.resize((literals.size() + 63) / 64);
    for (std::uint32_t i = 0; i < span->second.count; ++i) {
        const Entry& entry = entries[span->second.first + i];
        std::uint64_t& word = seen[entry.literal / 64];
        const std::uint64_t bit = std::uint64_t{1} << (entry.literal % 64);
        if ((word & bit) != 0 || entry.offset > position) continue;
        const std::string& literal = literals[entry.literal];
        const std::string_view candidate = text.substr(position - entry.offset, literal.size());
        if (candidate.size() != literal.size() || !equals_ignoring_case(candidate, literal)) continue;
        word |= bit;
        found.push_back(entry.literal);
    }
}

LiteralGate::LiteralGate(const std::vector<std::string>& literals) : impl_(std::make_unique<Impl>()) {
    impl_->literals = literals;
    for (std::string& literal : impl_->literals) {
        CHECK(literal.size() >= kWindow, "a literal of the gate is shorter than four bytes");
        std::transform(literal.begin(), literal.end(), literal.begin(), lower_of);
    }
    impl_->build();
}

LiteralGate::~LiteralGate() = default;
LiteralGate::LiteralGate(LiteralGate&&) noexcept = default;
LiteralGate& LiteralGate::operator=(LiteralGate&&) noexcept = default;

void LiteralGate::find(std::string_view text, std::vector<std::uint32_t>& found) const {
    found.clear();
    if (text.size() < kWindow || impl_->literals.empty()) return;
    const Impl& gate = *impl_;
    std::vector<std::uint64_t> seen;  // allocated by the first candidate only
    const std::size_t end = text.size() - kWindow + 1;
    std::size_t i = 0;
    for (; i + 4 <= end; i += 4) {
        const char* at = text.data() + i;
        const bool first = gate.may_start(folded_word(at));
        const bool second = gate.may_start(folded_word(at + 1));
        const bool third = gate.may_start(folded_word(at + 2));
        const bool fourth = gate.may_start(folded_word(at + 3));
        if (!(first | second | third | fourth)) continue;
        for (std::size_t k = 0; k < 4; ++k) gate.verify(text, i + k, seen, found);
    }
    for (; i < end; ++i) {
        if (gate.may_start(folded_word(text.data() + i))) gate.verify(text, i, seen, found);
    }
    std::sort(found.begin(), found.end());
}

}  // namespace gpumedic::codec
