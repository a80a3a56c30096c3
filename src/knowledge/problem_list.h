// Where mistakes of a load are gathered. Private to the module; one load, one list, one thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "codec/value.h"
#include "knowledge/loader.h"

namespace gpumedic::knowledge {

/// The number is the code: unknown_key is "CAT-002". Codes are stable and listed in docs/catalogue.md; never reuse one.
enum class Mistake : std::uint8_t {
    not_yaml = 1,
    unknown_key = 2,
    missing_key = 3,
    wrong_kind = 4,
    unknown_word = 5,
    bad_number = 6,
    unknown_signal = 7,
    unknown_fault = 8,
    unknown_action = 9,
    unknown_check = 10,
    unknown_class = 11,
    duplicate_id = 12,
    bad_id = 13,
    one_language = 14,
    no_hangul = 15,
    no_source = 16,
    no_match_example = 17,
    no_near_miss = 18,
    bad_pattern = 19,
    no_literal = 20,
    bad_group = 21,
    matches_everything = 22,
    cycle = 23,
    no_plan = 24,
    plan_order = 25,
    not_a_rung = 26,
    bad_effect = 27,
    bad_file = 28,
    unknown_field = 29,
    unknown_placeholder = 30,
    nothing_to_obtain = 31,
    bad_table = 32,
    unknown_table = 33,
    bad_override = 34,
};

/// One file with its tree: definitions point into it while the load lasts.
struct Document {
    std::string path;
    std::string kind;
    std::string_view text;  // of the caller's CatalogueFile
    std::vector<codec::Value> roots;
};

/// A place in a file. Without `document` (a definition of the compiled base) there is no snippet to show.
struct Place {
    std::string file;
    std::uint32_t line{};
    std::uint32_t column{};
    const Document* document{nullptr};
};

[[nodiscard]] Place place_of(const Document& document, std::uint32_t line, std::uint32_t column);
[[nodiscard]] Place place_of(const Document& document, const codec::Value& node);

class ProblemList {
public:
    void error(Mistake mistake, const Place& place, std::string_view what, std::string_view help = {});
    void warn(Mistake mistake, const Place& place, std::string_view what, std::string_view help = {});
    /// In order of file, line and column; the list is empty afterwards.
    [[nodiscard]] std::vector<Problem> take_sorted();

private:
    void add(Problem::Level level, Mistake mistake, const Place& place, std::string_view what, std::string_view help);
    std::vector<Problem> problems_;
};

}  // namespace gpumedic::knowledge
