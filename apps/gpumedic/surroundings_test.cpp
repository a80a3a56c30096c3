// Language, colour, times and files: what the process's surroundings decide.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <map>

#include "environment.h"
#include "line_stream.h"
#include "output.h"
#include "ports/reader.h"
#include "time_options.h"

namespace gpumedic::cli {
namespace {

using std::chrono::minutes;
using std::chrono::seconds;
using ::testing::ElementsAre;
using ::testing::SizeIs;

Variables variables(std::map<std::string, std::string> values) {
    return [values = std::move(values)](const char* name) -> std::optional<std::string> {
        const auto found = values.find(name);
        return found == values.end() ? std::nullopt : std::optional(found->second);
    };
}

TEST(ChooseLanguage, FollowsTheLocaleUnlessAsked) {
    EXPECT_EQ(choose_language("", variables({{"LANG", "ko_KR.UTF-8"}})), model::Language::ko);
    EXPECT_EQ(choose_language("", variables({{"LC_ALL", "C"}, {"LANG", "ko_KR.UTF-8"}})), model::Language::en);
    EXPECT_EQ(choose_language("", variables({{"LC_ALL", ""}, {"LC_MESSAGES", "ko"}})), model::Language::ko);
    EXPECT_EQ(choose_language("", variables({{"LANG", "kok_IN"}})), model::Language::en);
    EXPECT_EQ(choose_language("en", variables({{"LANG", "ko_KR"}})), model::Language::en);
    EXPECT_EQ(choose_language("", variables({})), model::Language::en);
}

TEST(WantsColour, HonoursNoColorAndTheWish) {
    EXPECT_TRUE(wants_colour(ColourWish::automatic, Destination::terminal, variables({{"TERM", "xterm"}})));
    EXPECT_FALSE(wants_colour(ColourWish::automatic, Destination::terminal, variables({{"NO_COLOR", "1"}})));
    EXPECT_FALSE(wants_colour(ColourWish::automatic, Destination::terminal, variables({{"TERM", "dumb"}})));
    EXPECT_FALSE(wants_colour(ColourWish::automatic, Destination::elsewhere, variables({})));
    EXPECT_TRUE(wants_colour(ColourWish::always, Destination::elsewhere, variables({{"NO_COLOR", "1"}})));
    EXPECT_FALSE(wants_colour(ColourWish::never, Destination::terminal, variables({})));
}

TEST(ParseZone, ReadsOffsetsAndNames) {
    const seconds winter{1'736'000'000};
    const seconds summer{1'751'000'000};
    EXPECT_EQ(parse_zone("+09:00", winter).value(), minutes{540});
    EXPECT_EQ(parse_zone("-0330", winter).value(), minutes{-210});
    EXPECT_EQ(parse_zone("+9", winter).value(), minutes{540});
    EXPECT_EQ(parse_zone("UTC", winter).value(), minutes{0});
    if (std::filesystem::exists("/usr/share/zoneinfo/Europe/Berlin")) {
        EXPECT_EQ(parse_zone("Asia/Seoul", winter).value(), minutes{540});
        EXPECT_EQ(parse_zone("Europe/Berlin", winter).value(), minutes{60});
        EXPECT_EQ(parse_zone("Europe/Berlin", summer).value(), minutes{120});
    }
}

TEST(ParseZone, RefusesTheRest) {
    for (const char* bad : {"Asia/Soul", "+25:00", "+09:99", "+1x", "../etc/passwd", "/etc/localtime", "+", "Asia"})
        EXPECT_FALSE(parse_zone(bad, seconds{0}).has_value()) << bad;
}

TEST(ParseMoment, TakesShortForms) {
    const base::TimeContext seoul{.zone = minutes{540}, .year = 2025};
    EXPECT_EQ(base::format_time(parse_moment("2025-10-10T22:25:01+09:00", {}).value()), "2025-10-10T22:25:01+09:00");
    EXPECT_EQ(parse_moment("2025-10-10 22:00", seoul).value().value,
              parse_moment("2025-10-10T13:00:00Z", {}).value().value);
    EXPECT_EQ(parse_moment("2025-10-10", {}).value().value, parse_moment("2025-10-10T00:00:00Z", {}).value().value);
    for (const char* bad : {"", "yesterday", "2025-13-01", "2025-10-10 22", "2025-10-10 22:00 x"})
        EXPECT_FALSE(parse_moment(bad, {}).has_value()) << bad;
}

TEST(ParseTimeBounds, JoinsThem) {
    const seconds present{1'760'000'000};
    Arguments arguments;
    arguments.since = "2024-07-01 10:00";
    arguments.zone = "+02:00";
    const auto bounds = parse_time_bounds(arguments, present).value();
    EXPECT_EQ(bounds.since->value, parse_moment("2024-07-01T08:00:00Z", {}).value().value);
    EXPECT_EQ(bounds.context.year, 2024);
    EXPECT_EQ(parse_time_bounds({}, present).value().context.year, 2025);
    arguments.until = "2024-07-01 09:00";
    EXPECT_FALSE(parse_time_bounds(arguments, present).has_value());
}

TEST(Present, CanBeFixed) { EXPECT_EQ(present(variables({{"SOURCE_DATE_EPOCH", "12"}})), seconds{12}); }

std::string content(const std::filesystem::path& path) {
    std::ifstream in(path);
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

class OutputFileTest : public ::testing::Test {
protected:
    void SetUp() override {
        std::string name = (std::filesystem::temp_directory_path() / "gpumedic-output-XXXXXX").string();
        ASSERT_NE(::mkdtemp(name.data()), nullptr);
        folder_ = name;
    }
    void TearDown() override { std::filesystem::remove_all(folder_); }
    [[nodiscard]] std::size_t files() const {
        return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(folder_), {}));
    }
    std::filesystem::path folder_;
};

TEST_F(OutputFileTest, AppearsOnCommitOnly) {
    const auto path = folder_ / "out";
    {
        auto file = OutputFile::create(path.string());
        ASSERT_TRUE(file.has_value());
        EXPECT_FALSE(std::filesystem::exists(path));
        EXPECT_TRUE(file->commit("hello").has_value());
    }
    EXPECT_EQ(content(path), "hello");
    EXPECT_EQ(files(), 1U);
}

TEST_F(OutputFileTest, LeavesTheOldFileWhenNotCommitted) {
    const auto path = folder_ / "out";
    std::ofstream(path) << "old";
    EXPECT_TRUE(OutputFile::create(path.string()).has_value());
    EXPECT_EQ(content(path), "old");
    EXPECT_EQ(files(), 1U);
}

TEST_F(OutputFileTest, WritesThroughLinksAndToDevices) {
    std::ofstream(folder_ / "real") << "old";
    std::filesystem::create_symlink("real", folder_ / "link");
    EXPECT_TRUE(OutputFile::create((folder_ / "link").string())->commit("new").has_value());
    EXPECT_TRUE(std::filesystem::is_symlink(folder_ / "link"));
    EXPECT_EQ(content(folder_ / "real"), "new");
    EXPECT_TRUE(OutputFile::create("/dev/null")->commit("x").has_value());
}

TEST_F(OutputFileTest, TellsBadPlacesAtOnce) {
    EXPECT_FALSE(OutputFile::create((folder_ / "no" / "such").string()).has_value());
    EXPECT_FALSE(OutputFile::create(folder_.string()).has_value());
}

class TextSource final : public ports::ByteSource {
public:
    explicit TextSource(std::string text) : text_(std::move(text)) {}
    base::Result<std::size_t> read(std::span<char> buffer) override {
        const std::size_t count = std::min({buffer.size(), text_.size() - at_, std::size_t{7}});
        text_.copy(buffer.data(), count, at_);
        at_ += count;
        return count;
    }

private:
    std::string text_;
    std::size_t at_{0};
};

std::vector<std::string> lines_of(std::string text) {
    TextSource source(std::move(text));
    std::vector<std::string> lines;
    const auto read = for_each_line(source, [&](std::string_view line) {
        lines.emplace_back(line);
        return lines.size() < 4 ? Next::go_on : Next::stop;
    });
    EXPECT_TRUE(read.has_value());
    return lines;
}

TEST(ForEachLine, SplitsAcrossReads) {
    EXPECT_THAT(lines_of("first line\r\n\nthird"), ElementsAre("first line", "", "third"));
    EXPECT_THAT(lines_of(""), SizeIs(0));
    EXPECT_THAT(lines_of("1\n2\n3\n4\n5\n"), SizeIs(4));
}

TEST(ForEachLine, BoundsALine) {
    EXPECT_THAT(lines_of(std::string(ports::kMaxLineBytes * 2, 'x')).front(), SizeIs(ports::kMaxLineBytes));
}

}  // namespace
}  // namespace gpumedic::cli
