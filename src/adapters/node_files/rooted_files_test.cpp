#include "adapters/node_files/rooted_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace gpumedic::adapters {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::IsEmpty;

class Rooted : public testing::Test {
protected:
    void SetUp() override { fs::remove_all(root_); }
    void TearDown() override { fs::remove_all(root_); }

    void put(const std::string& path, const std::string& text) {
        fs::create_directories(fs::path(root_ + path).parent_path());
        std::ofstream(root_ + path, std::ios::binary) << text;
    }
    std::string copied(const std::string& path, std::uint64_t max_bytes) {
        std::string text;
        const auto done = files_.copy(path, max_bytes, [&](std::string_view piece) {
            text += piece;
            return true;
        });
        return done ? text : done.error().what;
    }

    std::string root_{testing::TempDir() + "gpumedic-rooted-" + std::to_string(::getpid())};
    RootedFiles files_{root_ + "/"};
};

TEST_F(Rooted, MatchesPatternsPartByPart) {
    put("/var/log/syslog", "");
    put("/var/log/syslog.1", "");
    put("/var/log/pods/a_virt-handler-x_1/virt-handler/0.log", "");
    put("/var/log/pods/b_other_1/c/0.log", "");
    EXPECT_THAT(files_.match("/var/log/syslog*").paths, ElementsAre("/var/log/syslog", "/var/log/syslog.1"));
    EXPECT_THAT(files_.match("/var/log/pods/*virt-handler*/*/*.log").paths,
                ElementsAre("/var/log/pods/a_virt-handler-x_1/virt-handler/0.log"));
    EXPECT_THAT(files_.match("/var/log/none*").paths, IsEmpty());
    EXPECT_THAT(files_.match("/none/at/all").paths, IsEmpty());
    EXPECT_THAT(files_.match("/var/log/syslog").paths, ElementsAre("/var/log/syslog"));
    EXPECT_THAT(files_.match("relative").paths, IsEmpty());
}

TEST_F(Rooted, LinksOfACopyStayInsideOfIt) {
    put("/real/value", "inside");
    fs::create_symlink("/real/value", root_ + "/absolute");
    fs::create_symlink("../../../../../../etc/hostname", root_ + "/escape");
    EXPECT_EQ(files_.read("/absolute", 100).value_or("refused"), "inside");
    EXPECT_FALSE(files_.read("/escape", 100).has_value());
    EXPECT_EQ(files_.link("/absolute").value_or(""), "/real/value");
    EXPECT_FALSE(files_.link("/real/value").has_value());
}

TEST_F(Rooted, OfALongFileTheEndIsCopied) {
    put("/log", "0123456789");
    EXPECT_EQ(copied("/log", 4), "6789");
    EXPECT_EQ(copied("/log", 100), "0123456789");
    EXPECT_EQ(copied("/none", 100), "No such file or directory");
}

TEST_F(Rooted, OnlyRegularFilesAreOpened) {
    fs::create_directories(root_);
    ASSERT_EQ(::mkfifo((root_ + "/fifo").c_str(), 0600), 0);
    EXPECT_EQ(copied("/fifo", 100), "not a regular file");
    EXPECT_EQ(files_.read("/fifo", 100).error().what, "not a regular file");
    EXPECT_FALSE(files_.read("/", 100).has_value());
}

TEST_F(Rooted, ADeniedFileIsToldFromAMissingOne) {
    if (::geteuid() == 0) GTEST_SKIP() << "root may read everything";
    put("/secret", "x");
    fs::permissions(root_ + "/secret", fs::perms::none);
    EXPECT_EQ(files_.read("/secret", 100).error().code, base::ErrorCode::denied);
}

TEST_F(Rooted, ALogThatIsTruncatedMeanwhileGivesWhatIsLeft) {
    put("/log", std::string(200'000, 'x'));
    std::uint64_t bytes = 0;
    const auto done = files_.copy("/log", 1'000'000, [&](std::string_view piece) {
        bytes += piece.size();
        fs::resize_file(root_ + "/log", 0);
        return true;
    });
    ASSERT_TRUE(done.has_value());
    EXPECT_EQ(done->size, 200'000U);
    EXPECT_EQ(done->bytes, bytes);
    EXPECT_LT(bytes, 200'000U);
}

TEST(RootedFiles, ReadsFilesOfProcWhoseSizeIsZero) {
    RootedFiles files;
    EXPECT_FALSE(files.read("/proc/self/status", 1 << 20).value_or("").empty());
    EXPECT_EQ(files.read("/proc/self/status", 10).value_or("").size(), 10U);
}

}  // namespace
}  // namespace gpumedic::adapters
