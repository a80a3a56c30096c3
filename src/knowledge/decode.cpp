#include "knowledge/decode.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "base/text.h"

namespace gpumedic::knowledge {
namespace {

std::optional<std::uint64_t> number_of(std::string_view text, Numbers numbers) {
    const bool marked = text.starts_with("0x") || text.starts_with("0X");
    if (marked) text.remove_prefix(2);
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value,
                                              marked || numbers == Numbers::hexadecimal ? 16 : 10);
    if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return value;
}

constexpr std::string_view kHas = "has:";
constexpr std::string_view kBit = "bit:";
constexpr std::size_t kWordBits = 64;

/// "--01": at least one free place, or it would be an ordinary number.
bool is_bit_pattern(std::string_view matcher) {
    return matcher.size() <= kWordBits && matcher.find('-') != std::string_view::npos &&
           matcher.find_first_not_of("-01") == std::string_view::npos;
}

bool fits_bits(std::string_view pattern, std::uint64_t value) {
    for (std::size_t i = 0; i < pattern.size(); ++i) {
        const char wanted = pattern[pattern.size() - 1 - i];
        if (wanted != '-' && ((value >> i & 1u) != 0) != (wanted == '1')) return false;
    }
    return true;
}

std::string_view find_field(const std::vector<std::pair<std::string, std::string>>& fields, std::string_view name) {
    for (const auto& [key, value] : fields)
        if (key == name) return value;
    return {};
}

}  // namespace

bool fits(std::string_view matcher, std::string_view value, Numbers numbers) {
    if (base::lower(matcher) == base::lower(value)) return true;
    if (matcher.starts_with(kHas)) return base::contains(base::lower(value), base::lower(matcher.substr(kHas.size())));
    const auto number = number_of(value, numbers);
    if (!number) return false;
    if (matcher.starts_with(kBit)) {
        const auto bit = number_of(matcher.substr(kBit.size()), Numbers::marked);
        return bit && *bit < kWordBits && (*number >> *bit & 1u) != 0;
    }
    if (is_bit_pattern(matcher)) return fits_bits(matcher, *number);
    return number_of(matcher, Numbers::marked) == number;
}

std::optional<double> expected_number(const CodeTable& table, std::string_view value) {
    for (const auto& row : table.rows)
        if (row.is.size() == 1 && fits(row.is.front(), value, Numbers::marked)) return base::parse_decimal(row.name);
    return std::nullopt;
}

std::vector<Decoded> decode(const Index& catalogue, const Signal& definition,
                            const std::vector<std::pair<std::string, std::string>>& fields) {
    std::vector<Decoded> found;
    for (const auto& wanted : definition.decode) {
        const CodeTable* table = catalogue.table(wanted.table);
        if (table == nullptr || table->keys.size() != wanted.of.size()) continue;
        std::vector<std::string_view> values;
        for (const auto& name : wanted.of) values.push_back(find_field(fields, name));
        if (std::ranges::any_of(values, [](auto v) { return v.empty(); })) continue;
        const auto numbers = wanted.hexadecimal ? Numbers::hexadecimal : Numbers::marked;
        for (const auto& row : table->rows) {
            bool all = row.is.size() == values.size();
            for (std::size_t i = 0; all && i < values.size(); ++i) all = fits(row.is[i], values[i], numbers);
            if (all)
                found.push_back({fmt::format("{}", fmt::join(wanted.of, ", ")),
                                 fmt::format("{}", fmt::join(values, ", ")), row.name, row.text});
        }
    }
    return found;
}

std::vector<std::pair<const CodeTable*, const TableRow*>> rows_named(const Catalogue& catalogue,
                                                                     std::string_view name) {
    std::vector<std::pair<const CodeTable*, const TableRow*>> found;
    if (name.empty()) return found;
    for (const auto& table : catalogue.tables)
        for (const auto& row : table.rows)
            if (base::lower(row.name) == base::lower(name)) found.emplace_back(&table, &row);
    return found;
}

}  // namespace gpumedic::knowledge
