#include <gtest/gtest.h>

#include <random>

#include "base/text.h"
#include "codec/pattern.h"

namespace gpumedic::codec {
namespace {

TEST(RequiredLiteral, FindsTheLongestPiece) {
    EXPECT_EQ(required_literal(R"(NVRM: Xid \(PCI:(?P<pci>[0-9A-Fa-f:.]+)\): (?P<code>\d+))"), "nvrm: xid (pci:");
    EXPECT_EQ(required_literal("plain Text"), "plain text");
    EXPECT_EQ(required_literal("(?i)Fallen Off"), "fallen off");
    EXPECT_EQ(required_literal("(?i:Fallen) Off"), "fallen off");
    EXPECT_EQ(required_literal("abcd.*efghij"), "efghij");
    EXPECT_EQ(required_literal("abcdx?efgh"), "abcd");
    EXPECT_EQ(required_literal("abcde+fghi"), "abcd");
    EXPECT_EQ(required_literal("ab(cd(?:ef)gh)ij"), "abcdefghij");
    EXPECT_EQ(required_literal("start(one|another) finish"), " finish");
    EXPECT_EQ(required_literal("(needle )+in"), "needle ");
    EXPECT_EQ(required_literal("(needle ){12,34}in"), "needle ");
    EXPECT_EQ(required_literal("x{123abcd"), "123abcd");
    EXPECT_EQ(required_literal(R"(\Qa.b*c\E tail)"), "a.b*c tail");
    EXPECT_EQ(required_literal("^header$"), "header");
}

TEST(RequiredLiteral, PromisesNothingThatIsOptional) {
    EXPECT_EQ(required_literal(""), "");
    EXPECT_EQ(required_literal("abc"), "");
    EXPECT_EQ(required_literal("left|right"), "");
    EXPECT_EQ(required_literal("(left|right)"), "");
    EXPECT_EQ(required_literal("(?:optional)?"), "");
    EXPECT_EQ(required_literal("(?:optional)*"), "");
    EXPECT_EQ(required_literal("(?:optional){0,3}"), "");
    EXPECT_EQ(required_literal("(?:optional){00}x"), "");
    EXPECT_EQ(required_literal("[abcdef]"), "");
    EXPECT_EQ(required_literal("[]abcd]"), "");
    EXPECT_EQ(required_literal("[^]abcd]"), "");
    EXPECT_EQ(required_literal("[[:alpha:]abcd]"), "");
    EXPECT_EQ(required_literal(R"([\]abcd])"), "");
    EXPECT_EQ(required_literal(R"(\x41bc\x{41}bcd)"), "");
    EXPECT_EQ(required_literal(R"(\101abc)"), "");
    EXPECT_EQ(required_literal(R"(\p{Greek}\pLabc)"), "");
    EXPECT_EQ(required_literal(R"(abcd\Q\E*)"), "");
    EXPECT_EQ(required_literal("abcd(?i)?"), "");
    EXPECT_EQ(required_literal(R"(\d\w\sabc\b)"), "");
}

TEST(RequiredLiteral, KoreanTextIsTextUnlessCaseIsFolded) {
    EXPECT_EQ(required_literal("장치 오류"), "장치 오류");
    EXPECT_EQ(required_literal("(?i)장치 오류 gpu0"), " gpu0");
}

TEST(RequiredLiteral, GivesUpOnBrokenExpressions) {
    for (const char* broken : {"abcdef(", "abcdef)", "abcdef[", "abcdef\\", "(?=abcdef)", "(?P<abcdef", "*abcdef",
                               "(?i", "abcd\\p", "abcd\\p{", "abcd\\x{", "(?P=name)abcdef"}) {
        EXPECT_EQ(required_literal(broken), "") << broken;
    }
    EXPECT_EQ(required_literal(std::string(100'000, '(')), "");
}

/// Random expressions, each with texts that it matches.
class Generator {
public:
    explicit Generator(unsigned seed) : random_(seed) {}

    struct Sample {
        std::string expression;
        std::vector<std::string> texts;
    };

    Sample sequence(int depth) {
        Sample out{{}, std::vector<std::string>(kTexts)};
        const int parts = pick(1, 5);
        for (int i = 0; i < parts; ++i) append(out, quantified(element(depth)));
        return out;
    }
    int pick(int low, int high) { return std::uniform_int_distribution<int>(low, high)(random_); }

private:
    static constexpr std::size_t kTexts = 6;

    static void append(Sample& to, const Sample& from) {
        to.expression += from.expression;
        for (std::size_t i = 0; i < kTexts; ++i) to.texts[i] += from.texts[i];
    }
    Sample same(std::string expression, const std::string& text) {
        return {std::move(expression), std::vector<std::string>(kTexts, text)};
    }

    Sample element(int depth) {
        static constexpr std::string_view kWords[] = {"nvrm", "Xid", "gpu ", "ab", "z", "Link: ", "7"};
        static constexpr std::pair<std::string_view, std::string_view> kOthers[] = {
            {R"(\.)", "."},     {R"(\()", "("},  {R"(\d)", "5"},     {R"(\x41)", "A"},      {R"(\x{6a})", "j"},
            {R"(\101)", "A"},   {"[]x]", "]"},   {"[^]q]", "w"},     {"[[:alpha:]_]", "k"}, {R"([\]abc])", "]"},
            {".", "!"},         {R"(\pL)", "q"}, {R"(\p{Lu})", "Q"}, {R"(\Qa*b\E)", "a*b"}, {"{", "{"},
            {"a{,2}", "a{,2}"}, {R"(\n)", "\n"}, {R"(\{)", "{"},     {R"(\Q\E)", ""},       {"(?s)", ""},
            {R"(\B|\b)", ""},   {"한", "한"},    {"}", "}"},         {R"(\\)", "\\"}};
        const int kind = depth > 3 ? pick(0, 7) : pick(0, 11);
        if (kind < 5) {
            const std::string word(kWords[static_cast<std::size_t>(pick(0, 6))]);
            return same(word, word);
        }
        if (kind < 8) {
            const auto& [expression, text] = kOthers[static_cast<std::size_t>(pick(0, 23))];
            if (expression == R"(\B|\b)") return same(R"((?:\B|\b))", "");
            return same(std::string(expression), std::string(text));
        }
        return group(depth);
    }

    Sample group(int depth) {
        static constexpr std::string_view kOpen[] = {"(", "(?:", "(?s:", "(?i:", "(?U:"};
        Sample out = sequence(depth + 1);
        if (pick(0, 2) == 0) {
            const Sample other = sequence(depth + 1);
            out.expression += "|" + other.expression;
            for (std::size_t i = 0; i < kTexts; ++i) out.texts[i] = pick(0, 1) == 0 ? out.texts[i] : other.texts[i];
        }
        out.expression = std::string(kOpen[static_cast<std::size_t>(pick(0, 4))]) + out.expression + ")";
        return out;
    }

    /// Only what is surely one element for RE2 as well may be repeated: a group around it keeps the texts right.
    Sample quantified(Sample sample) {
        struct Quantifier {
            std::string_view written;
            int least;
            int most;
        };
        static constexpr Quantifier kQuantifiers[] = {
            {"?", 0, 1},     {"*", 0, 3},    {"+", 1, 3},  {"{2}", 2, 2}, {"{0}", 0, 0}, {"{0,2}", 0, 2},
            {"{1,3}", 1, 3}, {"{2,}", 2, 4}, {"*?", 0, 2}, {"??", 0, 1},  {"+?", 1, 2},  {"{1,2}?", 1, 2}};
        if (pick(0, 3) != 0) return sample;
        const Quantifier& quantifier = kQuantifiers[static_cast<std::size_t>(pick(0, 11))];
        sample.expression = "(?:" + sample.expression + ")" + std::string(quantifier.written);
        for (std::string& text : sample.texts) {
            const int times = pick(quantifier.least, quantifier.most);
            std::string repeated;
            for (int i = 0; i < times; ++i) repeated += text;
            text = repeated;
        }
        return sample;
    }

    std::mt19937 random_;
};

TEST(RequiredLiteral, OccursInEveryMatch) {
    Generator generator(20240607);
    int with_literal = 0;
    int matches = 0;
    for (int round = 0; round < 3000; ++round) {
        const Generator::Sample sample = generator.sequence(0);
        const auto pattern = Pattern::compile("(?s)" + sample.expression);
        if (!pattern) continue;
        const std::string literal = required_literal("(?s)" + sample.expression);
        with_literal += literal.empty() ? 0 : 1;
        for (const std::string& text : sample.texts) {
            if (!pattern->match(text)) continue;
            ++matches;
            ASSERT_TRUE(base::contains(base::lower(text), literal))
                << sample.expression << "\nliteral: " << literal << "\ntext: " << text;
        }
    }
    // The generator itself must be worth something.
    EXPECT_GT(with_literal, 700);
    EXPECT_GT(matches, 12'000);
}

/// Quantifiers and classes put anywhere: whatever RE2 still accepts and still matches must contain the literal.
TEST(RequiredLiteral, OccursInEveryMatchOfDamagedExpressions) {
    static constexpr std::string_view kDamage[] = {"?",  "*",   "{0}", "{0,1}", "|", "(",    ")",  "[", "]",
                                                   "\\", "\\E", "\\Q", "{",     "}", "(?i)", "[^", "x"};
    Generator generator(42);
    int matches = 0;
    for (int round = 0; round < 3000; ++round) {
        Generator::Sample sample = generator.sequence(2);
        const int hits = generator.pick(1, 3);
        for (int i = 0; i < hits; ++i) {
            const int place = generator.pick(0, static_cast<int>(sample.expression.size()));
            sample.expression.insert(static_cast<std::size_t>(place),
                                     kDamage[static_cast<std::size_t>(generator.pick(0, 16))]);
        }
        const auto pattern = Pattern::compile(sample.expression);
        if (!pattern) continue;
        const std::string literal = required_literal(sample.expression);
        sample.texts.insert(sample.texts.end(), {"", "nvrm", "gpu link: 7", "x", "a"});
        for (const std::string& text : sample.texts) {
            if (!pattern->match(text)) continue;
            ++matches;
            ASSERT_TRUE(base::contains(base::lower(text), literal))
                << sample.expression << "\nliteral: " << literal << "\ntext: " << text;
        }
    }
    EXPECT_GT(matches, 2500);
}

}  // namespace
}  // namespace gpumedic::codec
