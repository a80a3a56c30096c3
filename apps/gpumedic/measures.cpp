#include "measures.h"

#include <fmt/format.h>

#include <limits>

#include "base/text.h"

namespace gpumedic::cli {
namespace {

struct Measure {
    std::uint64_t number{};
    std::string unit{};
};

std::optional<Measure> split(const std::string& text) {
    const auto end = text.find_first_not_of("0123456789");
    const auto number = base::parse_number<std::uint64_t>(text.substr(0, end));
    if (!number) return std::nullopt;
    return Measure{*number, end == std::string::npos ? "" : base::lower(base::trim(text.substr(end)))};
}

}  // namespace

base::Result<std::uint64_t> parse_size(const std::string& text, const std::string& option) {
    const auto wrong = base::fail(base::ErrorCode::usage, fmt::format("'{}' is no size", text), option,
                                  "write bytes, or 64K, 512M, 2G");
    const auto measure = split(text);
    if (!measure) return wrong;
    constexpr std::string_view kUnits = "kmgt";
    unsigned shift = 0;
    if (!measure->unit.empty() && measure->unit != "b") {
        const auto at = kUnits.find(measure->unit.front());
        const auto rest = measure->unit.substr(1);
        if (at == std::string_view::npos || (!rest.empty() && rest != "b" && rest != "ib")) return wrong;
        shift = static_cast<unsigned>(at + 1) * 10;
    }
    if (measure->number == 0 || measure->number > (std::numeric_limits<std::uint64_t>::max() >> shift)) return wrong;
    return measure->number << shift;
}

base::Result<std::chrono::milliseconds> parse_span(const std::string& text, const std::string& option) {
    const auto wrong = base::fail(base::ErrorCode::usage, fmt::format("'{}' is no span of time", text), option,
                                  "write seconds, or 30s, 1500ms, 2m");
    const auto measure = split(text);
    if (!measure || measure->number == 0) return wrong;
    constexpr std::uint64_t kDay = 24ULL * 60 * 60 * 1000;
    std::uint64_t factor = 0;
    if (measure->unit.empty() || measure->unit == "s") factor = 1000;
    if (measure->unit == "ms") factor = 1;
    if (measure->unit == "m") factor = 60'000;
    if (factor == 0 || measure->number > kDay / factor) return wrong;
    return std::chrono::milliseconds{measure->number * factor};
}

}  // namespace gpumedic::cli
