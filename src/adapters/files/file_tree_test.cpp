#include "adapters/files/file_tree.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

namespace gpumedic::adapters {
namespace {

using base::ErrorCode;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// Root may read everything: as long as this lives, we are somebody else.
class NotRoot {
public:
    NotRoot() : was_root_(::geteuid() == 0) {
        if (was_root_) {
            EXPECT_EQ(::seteuid(65534), 0);
        }
    }
    NotRoot(const NotRoot&) = delete;
    NotRoot& operator=(const NotRoot&) = delete;
    ~NotRoot() {
        if (was_root_) {
            EXPECT_EQ(::seteuid(0), 0);
        }
    }

private:
    bool was_root_;
};

class FileTreeTest : public ::testing::Test {
protected:
    void SetUp() override {
        std::string form = (std::filesystem::temp_directory_path() / "file_tree_test_XXXXXX").string();
        ASSERT_NE(::mkdtemp(form.data()), nullptr);
        root_ = form;
    }
    void TearDown() override {
        std::error_code ignored;
        std::filesystem::permissions(root_ / "closed", std::filesystem::perms::owner_all, ignored);
        std::filesystem::remove_all(root_, ignored);
    }
    std::string put(const std::string& name, const std::string& text) const {
        const auto path = root_ / name;
        std::filesystem::create_directories(path.parent_path());
        std::ofstream(path, std::ios::binary) << text;
        return path.string();
    }
    static std::string read_all(ports::ByteSource& source) {
        std::string all;
        std::array<char, 100> buffer{};
        for (;;) {
            const auto got = source.read(buffer);
            if (!got || *got == 0) return all;
            all.append(buffer.data(), *got);
        }
    }
    static std::vector<std::string> names(const ports::EvidenceTree::Listing& listing) {
        std::vector<std::string> result;
        for (const auto& entry : listing.entries) result.push_back(entry.name);
        return result;
    }
    std::filesystem::path root_;
    FileTree tree_;
};

TEST_F(FileTreeTest, FileGivesItself) {
    const std::string path = put("kernel.log", "one\ntwo\n");
    const auto listing = tree_.list(path);
    ASSERT_TRUE(listing);
    EXPECT_THAT(names(*listing), ElementsAre(path));
    auto source = tree_.open(listing->entries[0]);
    ASSERT_TRUE(source);
    EXPECT_EQ(read_all(**source), "one\ntwo\n");
}

TEST_F(FileTreeTest, FolderIsListedRecursivelyInOrderOfNames) {
    put("b.log", "");
    put("a/z.txt", "");
    put("a/b/c.txt", "");
    put("A.log", "");
    put(".hidden", "");
    const auto listing = tree_.list(root_.string());
    ASSERT_TRUE(listing);
    EXPECT_THAT(names(*listing), ElementsAre(".hidden", "A.log", "a/b/c.txt", "a/z.txt", "b.log"));
    EXPECT_EQ(listing->entries[2].path, (root_ / "a/b/c.txt").string());
    EXPECT_THAT(listing->problems, IsEmpty());
}

TEST_F(FileTreeTest, TrailingSlashDoesNotDouble) {
    put("x.log", "x");
    const auto listing = tree_.list(root_.string() + "/");
    ASSERT_TRUE(listing);
    ASSERT_EQ(listing->entries.size(), 1U);
    EXPECT_EQ(listing->entries[0].path, root_.string() + "/x.log");
}

TEST_F(FileTreeTest, MissingFileSaysWhereAndWhy) {
    const auto listing = tree_.list((root_ / "nothing").string());
    ASSERT_FALSE(listing);
    EXPECT_EQ(listing.error().code, ErrorCode::not_found);
    EXPECT_EQ(listing.error().where, (root_ / "nothing").string());
    EXPECT_THAT(listing.error().what, HasSubstr("No such file"));
}

TEST_F(FileTreeTest, DeniedFolderAndFileAreDenied) {
    std::filesystem::permissions(root_, std::filesystem::perms::all);
    const std::string path = put("locked/secret.log", "x");
    put("open.log", "x");
    put("closed/x.log", "x");
    std::filesystem::permissions(root_ / "closed", std::filesystem::perms::none);
    std::filesystem::permissions(path, std::filesystem::perms::none);
    const NotRoot not_root;  // root is never denied
    auto source = tree_.open({path, path});
    ASSERT_FALSE(source);
    EXPECT_EQ(source.error().code, ErrorCode::denied);

    const auto locked = tree_.list((root_ / "closed").string());
    ASSERT_FALSE(locked);
    EXPECT_EQ(locked.error().code, ErrorCode::denied);
    const auto listing = tree_.list(root_.string());
    ASSERT_TRUE(listing);
    EXPECT_THAT(names(*listing), ElementsAre("locked/secret.log", "open.log"));
    ASSERT_EQ(listing->problems.size(), 1U);
    EXPECT_EQ(listing->problems[0].code, ErrorCode::denied);
}

TEST_F(FileTreeTest, FifoAndLinkInFolderAreProblemsAndDoNotBlock) {
    const std::string target = put("real.log", "x");
    ASSERT_EQ(::mkfifo((root_ / "pipe").c_str(), 0600), 0);
    std::filesystem::create_symlink(target, root_ / "link.log");
    std::filesystem::create_directory_symlink(root_, root_ / "loop");
    const auto listing = tree_.list(root_.string());
    ASSERT_TRUE(listing);
    EXPECT_THAT(names(*listing), ElementsAre("real.log"));
    ASSERT_EQ(listing->problems.size(), 3U);
    EXPECT_THAT(listing->problems[0].what, HasSubstr("symbolic link"));
    EXPECT_THAT(listing->problems[2].what, HasSubstr("FIFO"));
}

TEST_F(FileTreeTest, FileThatBecameFifoIsRefusedWithoutBlocking) {
    const std::string path = put("x.log", "x");
    const auto listing = tree_.list(root_.string());
    ASSERT_TRUE(listing);
    std::filesystem::remove(path);
    ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
    const auto source = tree_.open(listing->entries[0]);
    ASSERT_FALSE(source);
    EXPECT_EQ(source.error().code, ErrorCode::unreadable);
}

TEST_F(FileTreeTest, FifoAsArgumentIsReadToItsEnd) {
    const std::string path = (root_ / "pipe").string();
    ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
    std::jthread writer([&path] {
        std::ofstream pipe(path);
        pipe << std::string(300'000, 'x');
    });
    const auto listing = tree_.list(path);
    ASSERT_TRUE(listing);
    auto source = tree_.open(listing->entries.at(0));
    ASSERT_TRUE(source);
    EXPECT_EQ(read_all(**source).size(), 300'000U);
}

TEST_F(FileTreeTest, ProcessSubstitutionPathIsRead) {
    std::array<int, 2> ends{};
    ASSERT_EQ(::pipe(ends.data()), 0);
    ASSERT_EQ(::write(ends[1], "line\n", 5), 5);
    ::close(ends[1]);
    const std::string path = "/dev/fd/" + std::to_string(ends[0]);
    const auto listing = tree_.list(path);
    ASSERT_TRUE(listing);
    auto source = tree_.open(listing->entries.at(0));
    ASSERT_TRUE(source);
    EXPECT_EQ(read_all(**source), "line\n");
    ::close(ends[0]);
}

TEST_F(FileTreeTest, LinkAsArgumentIsFollowed) {
    put("folder/x.log", "x");
    std::filesystem::create_directory_symlink(root_ / "folder", root_ / "link");
    const auto listing = tree_.list((root_ / "link").string());
    ASSERT_TRUE(listing);
    EXPECT_THAT(names(*listing), ElementsAre("x.log"));
}

TEST_F(FileTreeTest, DashIsStandardInput) {
    const std::string path = put("in.txt", "from standard input");
    const int saved = ::dup(STDIN_FILENO);
    const int file = ::open(path.c_str(), O_RDONLY);
    ASSERT_GE(::dup2(file, STDIN_FILENO), 0);
    ::close(file);
    const auto listing = tree_.list("-");
    ASSERT_TRUE(listing);
    EXPECT_THAT(names(*listing), ElementsAre("-"));
    {
        auto source = tree_.open(listing->entries.at(0));
        ASSERT_TRUE(source);
        EXPECT_EQ(read_all(**source), "from standard input");
    }
    EXPECT_NE(::fcntl(STDIN_FILENO, F_GETFD), -1) << "standard input is borrowed, not owned";
    if (saved >= 0) {
        ::dup2(saved, STDIN_FILENO);
        ::close(saved);
    }
}

TEST_F(FileTreeTest, CapsOnEntriesAndDepthAreNamed) {
    put("1.log", "");
    put("2.log", "");
    put("3.log", "");
    put("4/5/6.log", "");
    FileTree few({2, 64});
    const auto listing = few.list(root_.string());
    ASSERT_TRUE(listing);
    EXPECT_THAT(names(*listing), ElementsAre("1.log", "2.log"));
    ASSERT_EQ(listing->problems.size(), 1U);
    EXPECT_EQ(listing->problems[0].code, ErrorCode::too_large);

    FileTree shallow({100, 1});
    const auto cut = shallow.list(root_.string());
    ASSERT_TRUE(cut);
    EXPECT_EQ(cut->entries.size(), 3U);
    ASSERT_EQ(cut->problems.size(), 1U);
    EXPECT_THAT(cut->problems[0].what, HasSubstr("nested"));
}

TEST_F(FileTreeTest, ReadingAFolderAsAFileIsAnErrorNotACrash) {
    const auto source = tree_.open({"x", root_.string()});
    ASSERT_FALSE(source);
    EXPECT_EQ(source.error().code, ErrorCode::unreadable);
}

}  // namespace
}  // namespace gpumedic::adapters
