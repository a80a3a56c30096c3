#include "catalogue_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

namespace gpumedic::catalogc {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::Field;

class CatalogueFolder : public ::testing::Test {
protected:
    void SetUp() override {
        folder_ = fs::temp_directory_path() / ("catalogc-" + std::to_string(::getpid()) + "-" +
                                               ::testing::UnitTest::GetInstance()->current_test_info()->name());
        fs::create_directories(folder_);
    }
    void TearDown() override { fs::remove_all(folder_); }
    void put(const std::string& name, const std::string& text) {
        fs::create_directories((folder_ / name).parent_path());
        std::ofstream(folder_ / name) << text;
    }
    fs::path folder_;
};

TEST_F(CatalogueFolder, GivesYamlFilesInPathOrderWithTheirFolderAsKind) {
    put("signals/b.yaml", "b");
    put("signals/a.yaml", "a");
    put("faults/deep/c.yml", "c");
    put("signals/README.md", "not read");
    put("stray.yaml", "s");
    const auto layer = read_catalogue_folder(folder_);
    ASSERT_TRUE(layer.has_value());
    using File = knowledge::CatalogueFile;
    EXPECT_THAT(layer->files, ElementsAre(Field(&File::path, "faults/deep/c.yml"), Field(&File::path, "signals/a.yaml"),
                                          Field(&File::path, "signals/b.yaml"), Field(&File::path, "stray.yaml")));
    EXPECT_EQ(layer->files[0].kind, "faults");
    EXPECT_EQ(layer->files[0].text, "c");
    EXPECT_EQ(layer->files[3].kind, "");
}

TEST_F(CatalogueFolder, RefusesAFolderThatIsMissingOrHasNoYaml) {
    EXPECT_FALSE(read_catalogue_folder(folder_).has_value());
    EXPECT_FALSE(read_catalogue_folder(folder_ / "absent").has_value());
}

TEST_F(CatalogueFolder, WritesTheWholeFileOrNothing) {
    const auto target = folder_ / "out.bin";
    ASSERT_TRUE(write_file(target, std::string_view("a\0b", 3)).has_value());
    EXPECT_EQ(fs::file_size(target), 3U);
    EXPECT_FALSE(fs::exists(folder_ / "out.bin.tmp"));
    EXPECT_FALSE(write_file(folder_ / "absent" / "out.bin", "x").has_value());
}

}  // namespace
}  // namespace gpumedic::catalogc
