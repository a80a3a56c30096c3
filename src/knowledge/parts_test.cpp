// The small parts of the loader: spans, ids, suggestions, and the table of fields against its document.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <set>

#include "base/text.h"
#include "knowledge/compiler.h"
#include "knowledge/record_fields.h"
#include "knowledge/suggest.h"

namespace gpumedic::knowledge {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(ParseSpan, TakesOneUnit) {
    using namespace std::chrono_literals;
    EXPECT_EQ(parse_span("30s"), 30s);
    EXPECT_EQ(parse_span("10m"), 10min);
    EXPECT_EQ(parse_span("2h"), 2h);
    EXPECT_EQ(parse_span("1d"), 24h);
    for (const auto* bad :
         {"", "s", "0s", "-1s", "1.5h", "10", "10 m", "10mm", "99999999999h", "400d", "4294967295d"}) {
        EXPECT_EQ(parse_span(bad), std::nullopt) << bad;
    }
}

TEST(IsId, TakesLowerCaseWordsJoinedByDots) {
    for (const auto* good : {"xid", "pci.config_all_ones", "a1._b"}) EXPECT_TRUE(is_id(good)) << good;
    for (const auto* bad : {"", ".a", "a.", "a..b", "1a", "A", "a-b", "a b", "\xea\xb0\x80"})
        EXPECT_FALSE(is_id(bad)) << bad;
}

TEST(HasHangul, WantsASyllable) {
    EXPECT_TRUE(has_hangul("GPU 가"));
    EXPECT_TRUE(has_hangul("힣"));
    for (const auto* none : {"", "GPU", "漢字", "ㄱ"}) EXPECT_FALSE(has_hangul(none)) << none;
    EXPECT_FALSE(has_hangul("\xea\xb0"));
}

TEST(Suggest, NamesTheNearestOrListsFew) {
    EXPECT_EQ(suggest("patern", {"pattern", "where"}), "did you mean 'pattern'?");
    EXPECT_EQ(suggest("zzz", {"pattern", "where"}), "one of: pattern, where");
    EXPECT_EQ(suggest("zzz", {}), "");
    EXPECT_EQ(nearest_name(std::string(5000, 'a'), {"a"}), "");
    EXPECT_EQ(nearest_name("xid.97", {"xid.31", "xid.79"}), "xid.79") << "a swap is one mistake";
    EXPECT_EQ(nearest_name("same", {"sane", "same"}), "same");
}

TEST(Placeholders, OnlyWordsInBracesCount) {
    EXPECT_THAT(unknown_placeholders("a {pci} {nod} ${nod} {.status} {print $1} {print} { x } {", {"pci"}),
                ElementsAre("nod"));
    EXPECT_THAT(unknown_placeholders("", {}), IsEmpty());
}

/// The names in backquotes of one cell of a Markdown table, without values in parentheses.
std::set<std::string> names_in(std::string_view cell) {
    std::set<std::string> names;
    int depth = 0;
    for (std::size_t i = 0; i < cell.size(); ++i) {
        if (cell[i] == '(') ++depth;
        if (cell[i] == ')') --depth;
        if (cell[i] != '`') continue;
        const auto end = cell.find('`', i + 1);
        if (end == std::string_view::npos) break;
        if (depth == 0) names.emplace(cell.substr(i + 1, end - i - 1));
        i = end;
    }
    return names;
}

TEST(RecordFields, AreThoseOfTheModelsReadme) {
    std::ifstream in(std::string(GPUMEDIC_SOURCE_DIR) + "/src/model/README.md");
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    std::size_t seen = 0;
    for (const auto line : base::split(text, '\n')) {
        const auto cells = base::split(line, '|');
        if (cells.size() < 4 || !base::trim(cells[1]).starts_with('`')) continue;
        const auto name = *names_in(cells[1]).begin();
        const auto type = model::parse_record_type(name);
        ASSERT_TRUE(type.has_value()) << name;
        const auto fields = fields_of(*type);
        EXPECT_EQ(names_in(cells[3]), std::set<std::string>(fields.begin(), fields.end())) << name;
        ++seen;
    }
    EXPECT_EQ(seen, record_type_names().size());
}

}  // namespace
}  // namespace gpumedic::knowledge
