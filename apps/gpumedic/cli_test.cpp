#include "cli.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "completion.h"
#include "help.h"
#include "nearest.h"

namespace gpumedic::cli {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

Arguments parsed(const std::vector<std::string>& words) {
    auto arguments = parse_arguments(words);
    EXPECT_TRUE(arguments.has_value()) << arguments.error().what;
    return arguments ? *arguments : Arguments{};
}
base::Error refused(const std::vector<std::string>& words) {
    auto arguments = parse_arguments(words);
    EXPECT_FALSE(arguments.has_value());
    return arguments ? base::Error{} : arguments.error();
}

TEST(ParseArguments, ReadsDiagnose) {
    const Arguments a = parsed({"diagnose", "a", "-o", "json", "--boot", "-1", "b", "--catalog", "x", "-",
                                "--catalog=y", "-v", "--tz", "+09:00"});
    EXPECT_EQ(a.command, Command::diagnose);
    EXPECT_THAT(a.positional, ElementsAre("a", "b", "-"));
    EXPECT_EQ(a.format, Format::json);
    EXPECT_EQ(a.boot, -1);
    EXPECT_THAT(a.catalogs, ElementsAre("x", "y"));
    EXPECT_TRUE(a.verbose);
    EXPECT_EQ(a.zone, "+09:00");
}

TEST(ParseArguments, PathsMayBeNamedLikeCommandsOrOptions) {
    EXPECT_THAT(parsed({"diagnose", "catalog", "version"}).positional, ElementsAre("catalog", "version"));
    EXPECT_THAT(parsed({"diagnose", "--", "-x.log"}).positional, ElementsAre("-x.log"));
}

TEST(ParseArguments, ReadsTheOtherCommands) {
    EXPECT_THAT(parsed({"explain", "Xid", "79"}).positional, ElementsAre("Xid", "79"));
    EXPECT_EQ(parsed({"explain", "-", "-o", "jsonl"}).format, Format::jsonl);
    EXPECT_EQ(parsed({"catalog", "lint", "dir"}).command, Command::catalog_lint);
    EXPECT_EQ(parsed({"catalog", "patterns"}).command, Command::catalog_patterns);
    EXPECT_EQ(parsed({"--version"}).command, Command::version);
    EXPECT_EQ(parsed({"completion", "bash"}).command, Command::completion);
}

TEST(ParseArguments, RefusesWithWhatToDo) {
    EXPECT_EQ(refused({"diagnose", "x", "--root", "/mnt"}).what,
              "--root, --boots and --timeout are for a node, and a path was given");
    EXPECT_EQ(refused({"collect"}).what, "--to is missing");
    EXPECT_THAT(refused({"collect"}).help, HasSubstr("gpumedic collect --to"));
    EXPECT_EQ(refused({"diagnos"}).help, "did you mean 'diagnose'?");
    EXPECT_EQ(refused({"catalog", "lst"}).help, "one of: list, show, lint, test, coverage, graph, patterns");
    EXPECT_EQ(refused({"diagnose", "x", "--sinse", "y"}).help, "did you mean '--since'?");
    EXPECT_EQ(refused({"--lang", "ko", "diagnose"}).what, "'--lang' stands before the command");
    EXPECT_EQ(refused({"version", "x"}).what, "'x' is one too many");
    EXPECT_EQ(refused({"explain"}).what, "QUERY... is missing");
    for (const auto& words : std::vector<std::vector<std::string>>{{"diagnose", "x", "-o", "yaml"},
                                                                   {"diagnose", "x", "--lang", "fr"},
                                                                   {"diagnose", "x", "--boot", "one"},
                                                                   {"diagnose", "x", "--boot", "2"},
                                                                   {"diagnose", "x", "--to"},
                                                                   {"diagnose", "x", "-o", "jsonl"},
                                                                   {"catalog", "show", "a", "b"}})
        EXPECT_EQ(refused(words).code, base::ErrorCode::usage);
}

TEST(ParseArguments, HelpIsAnAnswer) {
    EXPECT_EQ(parsed({}).command, Command::show_text);
    EXPECT_THAT(parsed({"--help"}).text, HasSubstr("Exit codes:"));
    EXPECT_THAT(parsed({"help", "explain"}).text, HasSubstr("Usage: gpumedic explain [OPTION...] QUERY..."));
    EXPECT_THAT(parsed({"catalog", "list", "-h"}).text, HasSubstr("Usage: gpumedic catalog list"));
}

TEST(RenderHelp, ShowsEveryOptionInItsGroup) {
    const std::string text = parsed({"diagnose", "--help"}).text;
    EXPECT_THAT(text, HasSubstr("\nOutput:\n  -o, --output FORM"));
    EXPECT_THAT(text, HasSubstr("\nTime and place:\n      --since TIME"));
    EXPECT_THAT(text, HasSubstr(": text, json\n"));
    EXPECT_THAT(text, HasSubstr("\nExamples:\n"));
    for (const char* name : {"--to FILE", "--lang LANG", "--color WHEN", "-v, --verbose", "-q, --quiet", "--until TIME",
                             "--boot N", "--tz ZONE", "--node NAME", "--catalog DIR"})
        EXPECT_THAT(text, HasSubstr(name));
}

TEST(RenderCompletion, NamesCommandsOptionsAndChoices) {
    for (const char* shell : {"bash", "zsh", "fish"}) {
        const auto script = render_completion(shell, command_table());
        ASSERT_TRUE(script.has_value());
        for (const char* word : {"diagnose", "patterns", "since", "jsonl"})
            EXPECT_THAT(*script, HasSubstr(word)) << shell;
    }
    EXPECT_EQ(render_completion("tcsh", command_table()).error().code, base::ErrorCode::usage);
}

TEST(Nearest, FindsSlipsOnly) {
    EXPECT_EQ(nearest("explian", {"explain", "diagnose"}), "explain");
    EXPECT_EQ(nearest("frobnicate", {"explain", "diagnose"}), "");
    EXPECT_EQ(nearest("", {"explain"}), "");
}

}  // namespace
}  // namespace gpumedic::cli
