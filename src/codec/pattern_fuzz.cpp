// Input: an expression, a newline, a text. What the expression matches must contain the literal that was promised, and
// the gate must find it.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "base/text.h"
#include "codec/pattern.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    constexpr std::size_t kLongestExpression = 200;  // longer ones only make RE2 slow
    const std::string_view input(reinterpret_cast<const char*>(data), size);
    const auto [expression, text] = gpumedic::base::split_once(input, "\n");
    if (expression.size() > kLongestExpression) return 0;
    const std::string literal = gpumedic::codec::required_literal(expression);
    CHECK(literal.empty() || literal.size() >= 4, "a literal that is too short");
    const auto pattern = gpumedic::codec::Pattern::compile(expression);
    if (!pattern || literal.empty()) return 0;

    const gpumedic::codec::LiteralGate gate({literal, "fixed text"});
    std::vector<std::uint32_t> found;
    gate.find(text, found);
    const bool gate_found = std::binary_search(found.begin(), found.end(), 0U);
    CHECK(gate_found == gpumedic::base::contains_ignoring_case(text, literal),
          "the gate and the plain search disagree");
    CHECK(!pattern->match(text) || gate_found, "a match without its literal");
    return 0;
}
