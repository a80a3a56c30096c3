#include "adapters/bundle_target/bundle_target.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>

namespace gpumedic::adapters {
namespace {

namespace fs = std::filesystem;

class Bytes final : public ports::ByteSource {
public:
    explicit Bytes(std::string bytes) : bytes_(std::move(bytes)) {}
    base::Result<std::size_t> read(std::span<char> buffer) override {
        const auto count = std::min(buffer.size(), bytes_.size() - at_);
        std::copy_n(bytes_.data() + at_, count, buffer.data());
        at_ += count;
        return count;
    }

private:
    std::string bytes_;
    std::size_t at_{0};
};

class Target : public testing::Test {
protected:
    void SetUp() override {
        fs::remove_all(folder_);
        fs::create_directories(folder_);
    }
    void TearDown() override { fs::remove_all(folder_); }
    static base::Result<void> add(ports::BundleTarget& target, const std::string& name, const std::string& bytes) {
        Bytes source(bytes);
        return target.add(name, bytes.size(), source);
    }
    std::vector<std::string> left() const {
        std::vector<std::string> names;
        for (const auto& entry : fs::directory_iterator(folder_)) names.push_back(entry.path().filename());
        std::sort(names.begin(), names.end());
        return names;
    }
    std::string folder_{testing::TempDir() + "gpumedic-target-" + std::to_string(::getpid())};
};

TEST_F(Target, AnArchiveAppearsWhenItIsFinished) {
    auto target = make_bundle_target(folder_ + "/b.tar.zst", 0);
    ASSERT_TRUE(target.has_value());
    ASSERT_TRUE(add(**target, "a/b.txt", "text").has_value());
    EXPECT_FALSE(fs::exists(folder_ + "/b.tar.zst"));
    ASSERT_TRUE((*target)->finish().has_value());
    EXPECT_THAT(left(), testing::ElementsAre("b.tar.zst"));
}

TEST_F(Target, WhatIsGivenUpLeavesNothing) {
    for (const std::string name : {"/b.tar.gz", "/folder"}) {
        auto target = make_bundle_target(folder_ + name, 0);
        ASSERT_TRUE(target.has_value());
        ASSERT_TRUE(add(**target, "a/b.txt", "text").has_value());
        target->reset();
        EXPECT_THAT(left(), testing::IsEmpty());
    }
}

TEST_F(Target, AFolderAppearsWhenItIsFinished) {
    auto target = make_bundle_target(folder_ + "/out/", 0);
    ASSERT_TRUE(target.has_value());
    ASSERT_TRUE(add(**target, "a/b.txt", "text").has_value());
    ASSERT_TRUE((*target)->finish().has_value());
    std::string text;
    std::getline(std::ifstream(folder_ + "/out/a/b.txt"), text);
    EXPECT_EQ(text, "text");
    EXPECT_THAT(left(), testing::ElementsAre("out"));
}

TEST_F(Target, BadPlacesAreRefusedBeforeTheWork) {
    fs::create_directories(folder_ + "/full/x");
    std::ofstream(folder_ + "/file") << "x";
    for (const std::string name : {"/full", "/file", "/x.zip", "/none/b.tar.zst", "/full/x/none/folder"}) {
        const auto target = make_bundle_target(folder_ + name, 0);
        ASSERT_FALSE(target.has_value()) << name;
        EXPECT_EQ(target.error().code, base::ErrorCode::usage) << name;
    }
}

TEST_F(Target, AFullDiskIsSaidAndThePartIsKept) {
    auto target = make_bundle_target(folder_ + "/b.tar", 0);
    ASSERT_TRUE(target.has_value());
    ::signal(SIGXFSZ, SIG_IGN);
    rlimit before{};
    ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
    const rlimit small{100'000, before.rlim_max};
    ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
    const auto first = add(**target, "first", "small");
    const auto second = add(**target, "second", std::string(1'000'000, 'x'));
    ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
    EXPECT_TRUE(first.has_value());
    ASSERT_FALSE(second.has_value());
    EXPECT_EQ(second.error().what, "cannot write the bundle: File too large");
    EXPECT_EQ((*target)->keep_part(), folder_ + "/b.tar.partial");
    target->reset();
    EXPECT_THAT(left(), testing::ElementsAre("b.tar.partial"));
}

TEST_F(Target, ALostPlaceIsSaid) {
    auto target = make_bundle_target(folder_ + "/b.tar", 0);
    ASSERT_TRUE(target.has_value());
    ASSERT_TRUE(add(**target, "first", "small").has_value());
    fs::remove_all(folder_);
    const auto done = (*target)->finish();
    ASSERT_FALSE(done.has_value());
    EXPECT_EQ(done.error().what, "cannot write the bundle: No such file or directory");
    EXPECT_EQ((*target)->keep_part(), "");
}

}  // namespace
}  // namespace gpumedic::adapters
