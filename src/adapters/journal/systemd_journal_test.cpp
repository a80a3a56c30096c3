#include "adapters/journal/systemd_journal.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace gpumedic::adapters {
namespace {

namespace fs = std::filesystem;
using ports::JournalQuery;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr const char* kMaker = "/lib/systemd/systemd-journal-remote";
constexpr const char* kMachine = "4d3c2b1a4d3c2b1a4d3c2b1a4d3c2b1a";

struct Entry {
    std::uint64_t micros{};
    char boot{'a'};
    std::string transport{"kernel"};
    std::string message{};
    std::string program{"kernel"};
};

std::string exported(const std::vector<Entry>& entries) {
    std::string text;
    for (const auto& entry : entries)
        text += fmt::format(
            "__REALTIME_TIMESTAMP={}\n__MONOTONIC_TIMESTAMP={}\n_BOOT_ID={}\n_MACHINE_ID={}\n_HOSTNAME=gumi-gpu1\n"
            "_TRANSPORT={}\nPRIORITY=3\nSYSLOG_IDENTIFIER={}\n_CAP_EFFECTIVE=1ff\nMESSAGE={}\n\n",
            entry.micros, entry.micros % 1'000'000'000, std::string(32, entry.boot), kMachine, entry.transport,
            entry.program, entry.message);
    return text;
}

class JournalOf : public testing::Test {
protected:
    void SetUp() override {
        if (!fs::exists(kMaker)) GTEST_SKIP() << "systemd-journal-remote, which writes the journals, is not installed";
        fs::remove_all(folder_);
        fs::create_directories(folder_);
    }
    void TearDown() override { fs::remove_all(folder_); }

    void make(const std::string& path, const std::vector<Entry>& entries) const {
        fs::create_directories(fs::path(path).parent_path());
        const std::string from = folder_ + "/export";
        std::ofstream(from, std::ios::binary) << exported(entries);
        const std::string to = "--output=" + path;
        const pid_t child = ::fork();
        if (child == 0) {
            ::execl(kMaker, kMaker, to.c_str(), from.c_str(), nullptr);
            ::_exit(127);
        }
        int status = 0;
        ::waitpid(child, &status, 0);
        ASSERT_EQ(status, 0);
        fs::remove(from);
    }
    base::Result<ports::JournalSummary> read(const JournalPlace& place, const JournalQuery& query = {}) {
        lines_.clear();
        return SystemdJournal(place).read(query, [this](std::string_view line) {
            lines_.emplace_back(line);
            return true;
        });
    }
    std::vector<std::string> messages() const {
        std::vector<std::string> all;
        for (const auto& line : lines_) {
            const auto at = line.find("\"MESSAGE\":\"") + 11;
            all.push_back(line.substr(at, line.find('"', at) - at));
        }
        return all;
    }
    JournalPlace at(const std::string& path) const { return {JournalPlace::Kind::path, path}; }

    std::string folder_{testing::TempDir() + "gpumedic-journal-" + std::to_string(::getpid())};
    std::vector<std::string> lines_{};
    std::vector<Entry> three_boots_{{1'700'000'000'000'000, 'c', "kernel", "first boot"},
                                    {1'700'000'100'000'000, 'a', "kernel", "second boot"},
                                    {1'700'000'100'500'000, 'a', "journal", "plugin started", "kubelet"},
                                    {1'700'000'101'000'000, 'a', "kernel", "NVRM: \x1b[1mXid"},
                                    {1'700'000'200'000'000, 'b', "kernel", "third boot"}};
};

TEST_F(JournalOf, GivesTheKernelsEntriesAsJson) {
    make(folder_ + "/x.journal", three_boots_);
    const auto done = read(at(folder_ + "/x.journal"), {.boots = 0});
    ASSERT_TRUE(done.has_value()) << done.error().what;
    EXPECT_EQ(done->entries, 4U);
    ASSERT_FALSE(lines_.empty());
    EXPECT_EQ(lines_.front().substr(0, 41), "{\"__REALTIME_TIMESTAMP\":\"1700000000000000");
    EXPECT_THAT(lines_.front(), HasSubstr("\"_BOOT_ID\":\"cccccccccccccccccccccccccccccccc\""));
    EXPECT_THAT(lines_.front(), HasSubstr("\"_HOSTNAME\":\"gumi-gpu1\""));
    EXPECT_THAT(lines_.front(), testing::Not(HasSubstr("_CAP_EFFECTIVE")));
    EXPECT_THAT(lines_.front(), testing::EndsWith("\"MESSAGE\":\"first boot\"}\n"));
}

TEST_F(JournalOf, TheLastBootsAreThoseThatEndedLast) {
    make(folder_ + "/x.journal", three_boots_);
    ASSERT_TRUE(read(at(folder_), {.boots = 1}).has_value());
    EXPECT_THAT(messages(), ElementsAre("third boot"));
    ASSERT_TRUE(read(at(folder_), {.boots = 2}).has_value());
    EXPECT_EQ(messages().size(), 3U);
    EXPECT_EQ(messages().front(), "second boot");
}

TEST_F(JournalOf, ProgramsAreFoundByTheirNames) {
    make(folder_ + "/x.journal", three_boots_);
    JournalQuery query{.origin = JournalQuery::Origin::programs, .programs = {"kubelet", "slurmd"}, .boots = 3};
    ASSERT_TRUE(read(at(folder_), query).has_value());
    EXPECT_THAT(messages(), ElementsAre("plugin started"));
    query.boots = 1;
    ASSERT_TRUE(read(at(folder_), query).has_value());
    EXPECT_THAT(messages(), testing::IsEmpty());
}

TEST_F(JournalOf, SinceLeavesOutWhatIsOlder) {
    make(folder_ + "/x.journal", three_boots_);
    const auto done = read(at(folder_), {.boots = 0, .since = std::chrono::microseconds{1'700'000'101'000'000}});
    ASSERT_TRUE(done.has_value());
    EXPECT_FALSE(done->is_cut);
    EXPECT_EQ(lines_.size(), 2U);
}

TEST_F(JournalOf, OfALongOneTheEndCounts) {
    std::vector<Entry> many;
    for (std::uint64_t i = 0; i < 500; ++i)
        many.push_back({1'700'000'000'000'000 + i * 1000, 'a', "kernel", fmt::format("number {}", i)});
    make(folder_ + "/x.journal", many);
    const auto done = read(at(folder_), {.boots = 1, .max_bytes = 25'000});
    ASSERT_TRUE(done.has_value());
    EXPECT_TRUE(done->is_cut);
    EXPECT_EQ(messages().back(), "number 499");
    EXPECT_GT(lines_.size(), 60U);
    EXPECT_LE(done->bytes, 25'000U);
}

TEST_F(JournalOf, ANodesTreeHasItsJournalBelowItsMachineId) {
    make(folder_ + "/var/log/journal/" + kMachine + "/system.journal", three_boots_);
    make(folder_ + "/var/log/journal/ffffffffffffffffffffffffffffffff/system.journal",
         {{1'800'000'000'000'000, 'e', "kernel", "another machine"}});
    fs::create_directories(folder_ + "/etc");
    std::ofstream(folder_ + "/etc/machine-id") << kMachine << "\n";
    ASSERT_TRUE(read({JournalPlace::Kind::node, folder_ + "/"}, {.boots = 1}).has_value());
    EXPECT_THAT(messages(), ElementsAre("third boot"));
    fs::remove(folder_ + "/etc/machine-id");
    ASSERT_TRUE(read({JournalPlace::Kind::node, folder_}, {.boots = 1}).has_value());
    EXPECT_THAT(messages(), ElementsAre("another machine"));
}

TEST_F(JournalOf, ADamagedFileIsNamedAndTheOthersAreRead) {
    make(folder_ + "/a.journal", three_boots_);
    std::ofstream(folder_ + "/b.journal", std::ios::binary) << "LPKSHHRH" << std::string(400, '\xee');
    std::ofstream(folder_ + "/c.journal", std::ios::binary);
    const auto done = read(at(folder_), {.boots = 0});
    ASSERT_TRUE(done.has_value()) << done.error().what;
    EXPECT_EQ(done->entries, 4U);
    EXPECT_GE(done->damaged, 1U);
    EXPECT_THAT(done->damage, HasSubstr(".journal: "));
    fs::remove(folder_ + "/a.journal");
    fs::remove(folder_ + "/c.journal");
    const auto none = read(at(folder_));
    ASSERT_FALSE(none.has_value());
    EXPECT_EQ(none.error().code, base::ErrorCode::unreadable);
}

TEST_F(JournalOf, BytesThatWereOverwrittenEndNothingElse) {
    std::vector<Entry> many;
    for (std::uint64_t i = 0; i < 2000; ++i)
        many.push_back({1'700'000'000'000'000 + i * 1000, 'a', "kernel", fmt::format("number {}", i)});
    make(folder_ + "/x.journal", many);
    std::fstream file(folder_ + "/x.journal", std::ios::in | std::ios::out | std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(file), {}};
    const auto place = bytes.find("number 1000");
    ASSERT_NE(place, std::string::npos);
    file.clear();
    file.seekp(static_cast<std::streamoff>(place));
    file << std::string(40'000, '\x5a');
    file.close();
    const auto done = read(at(folder_), {.boots = 0});
    ASSERT_TRUE(done.has_value());
    EXPECT_LT(done->entries, 2000U);
    EXPECT_GE(done->entries, 1000U);
    EXPECT_EQ(messages().front(), "number 0");
    EXPECT_EQ(messages().back(), "number 1999");
    EXPECT_GT(done->damaged, 0U) << done->entries;
}

TEST_F(JournalOf, NoJournalIsToldFromASilentOne) {
    const auto none = read({JournalPlace::Kind::node, folder_});
    ASSERT_FALSE(none.has_value());
    EXPECT_EQ(none.error().code, base::ErrorCode::not_found);
    make(folder_ + "/x.journal", {{1'700'000'000'000'000, 'a', "journal", "hello", "cron"}});
    const auto silent = read(at(folder_));
    ASSERT_TRUE(silent.has_value());
    EXPECT_EQ(silent->entries, 0U);
}

}  // namespace
}  // namespace gpumedic::adapters
