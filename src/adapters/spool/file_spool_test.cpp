#include "adapters/spool/file_spool.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <array>
#include <csignal>
#include <filesystem>

namespace gpumedic::adapters {
namespace {

std::string all_of(const ports::Spool& spool) {
    std::string text;
    const auto source = spool.open();
    std::array<char, 7> buffer{};
    for (;;) {
        const auto count = source->read(buffer);
        if (!count || *count == 0) return text;
        text.append(buffer.data(), *count);
    }
}

TEST(FileSpool, GivesBackWhatItTookAcrossTheBorderOfMemory) {
    FileSpoolMaker maker(testing::TempDir(), 10);
    const auto spool = maker.make();
    std::string expected;
    for (int i = 0; i < 20; ++i) {
        ASSERT_TRUE(spool->append("piece").has_value());
        expected += "piece";
    }
    EXPECT_EQ(spool->size(), 100U);
    EXPECT_EQ(all_of(*spool), expected);
    EXPECT_EQ(all_of(*spool), expected);
}

TEST(FileSpool, LeavesNoFile) {
    const std::string folder = testing::TempDir() + "gpumedic-spool";
    std::filesystem::create_directories(folder);
    FileSpoolMaker maker(folder, 0);
    const auto spool = maker.make();
    ASSERT_TRUE(spool->append("x").has_value());
    EXPECT_TRUE(std::filesystem::is_empty(folder));
}

TEST(FileSpool, AMissingFolderMattersOnlyWhenItIsNeeded) {
    FileSpoolMaker maker("/no/such/folder", 4);
    const auto spool = maker.make();
    EXPECT_TRUE(spool->append("1234").has_value());
    const auto refused = spool->append("5");
    ASSERT_FALSE(refused.has_value());
    EXPECT_EQ(refused.error().what, "cannot keep it: No such file or directory");
    EXPECT_EQ(all_of(*spool), "1234");
}

TEST(FileSpool, AFullDiskKeepsWhatWasTaken) {
    FileSpoolMaker maker(testing::TempDir(), 0);
    const auto spool = maker.make();
    ::signal(SIGXFSZ, SIG_IGN);
    rlimit before{};
    ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
    const rlimit small{1000, before.rlim_max};
    ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
    const auto refused = spool->append(std::string(3000, 'x'));
    ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
    EXPECT_FALSE(refused.has_value());
    EXPECT_EQ(spool->size(), 1000U);
    EXPECT_EQ(all_of(*spool), std::string(1000, 'x'));
}

}  // namespace
}  // namespace gpumedic::adapters
