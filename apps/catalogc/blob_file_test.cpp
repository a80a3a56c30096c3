#include "blob_file.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

namespace gpumedic::catalogc {
namespace {

namespace fs = std::filesystem;

class BlobFile : public ::testing::Test {
protected:
    void SetUp() override {
        folder_ = fs::temp_directory_path() / ("catalogc-" + std::to_string(::getpid()) + "-" +
                                               ::testing::UnitTest::GetInstance()->current_test_info()->name());
        fs::create_directories(folder_);
    }
    void TearDown() override { fs::remove_all(folder_); }
    fs::path folder_;
};

TEST_F(BlobFile, WritesTheWholeFileOrNothing) {
    const auto target = folder_ / "out.bin";
    ASSERT_TRUE(write_file(target, std::string_view("a\0b", 3)).has_value());
    EXPECT_EQ(fs::file_size(target), 3U);
    EXPECT_FALSE(fs::exists(folder_ / "out.bin.tmp"));
    EXPECT_FALSE(write_file(folder_ / "absent" / "out.bin", "x").has_value());
}

}  // namespace
}  // namespace gpumedic::catalogc
