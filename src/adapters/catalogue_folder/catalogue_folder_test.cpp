#include "adapters/catalogue_folder/catalogue_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

namespace gpumedic::adapters {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::Field;

class CatalogueFolder : public ::testing::Test {
protected:
    void SetUp() override {
        folder_ = fs::temp_directory_path() / ("catalogue-folder-" + std::to_string(::getpid()) + "-" +
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
    const auto layer = read_catalogue_folder(folder_, FileNames::below_folder);
    ASSERT_TRUE(layer.has_value());
    using File = knowledge::CatalogueFile;
    EXPECT_THAT(layer->files, ElementsAre(Field(&File::path, "faults/deep/c.yml"), Field(&File::path, "signals/a.yaml"),
                                          Field(&File::path, "signals/b.yaml"), Field(&File::path, "stray.yaml")));
    EXPECT_EQ(layer->files[0].kind, "faults");
    EXPECT_EQ(layer->files[0].text, "c");
    EXPECT_EQ(layer->files[3].kind, "");
    EXPECT_EQ(read_catalogue_folder(folder_, FileNames::as_found)->files[0].path,
              (folder_ / "faults/deep/c.yml").string());
}

TEST_F(CatalogueFolder, RefusesAFolderThatIsMissingOrHasNoYaml) {
    EXPECT_FALSE(read_catalogue_folder(folder_, FileNames::below_folder).has_value());
    EXPECT_FALSE(read_catalogue_folder(folder_ / "absent", FileNames::below_folder).has_value());
}

}  // namespace
}  // namespace gpumedic::adapters
