#include "codec/archive_writer.h"

#include <gtest/gtest.h>

#include <array>

#include "codec/archive.h"

namespace gpumedic::codec {
namespace {

using Form = ArchiveWriter::Form;

std::string packed(Form form) {
    std::string bytes;
    ArchiveWriter writer(form, [&bytes](std::string_view piece) -> base::Result<void> {
        bytes += piece;
        return {};
    });
    EXPECT_TRUE(writer.begin("commands/a b.txt", 5, 1'700'000'000).has_value());
    EXPECT_TRUE(writer.write("hello").has_value());
    EXPECT_TRUE(writer.begin("sys/bus/pci/devices/0000:c4:00.0/config", 0, 1'700'000'000).has_value());
    EXPECT_TRUE(writer.finish().has_value());
    return bytes;
}

class WritesForm : public testing::TestWithParam<Form> {};

TEST_P(WritesForm, OurReaderReadsItBack) {
    const std::string bytes = packed(GetParam());
    std::string_view rest = bytes;
    ArchiveReader reader([&rest] { return std::exchange(rest, {}); });
    auto name = reader.next();
    ASSERT_TRUE(name.has_value() && name->has_value());
    EXPECT_EQ(**name, "commands/a b.txt");
    std::array<char, 100> buffer{};
    EXPECT_EQ(reader.read(buffer).value_or(0), 5U);
    EXPECT_EQ(std::string_view(buffer.data(), 5), "hello");
    name = reader.next();
    ASSERT_TRUE(name.has_value() && name->has_value());
    EXPECT_EQ(**name, "sys/bus/pci/devices/0000:c4:00.0/config");
    name = reader.next();
    ASSERT_TRUE(name.has_value());
    EXPECT_FALSE(name->has_value());
}

INSTANTIATE_TEST_SUITE_P(All, WritesForm, testing::Values(Form::tar_zst, Form::tar_gz, Form::tar));

TEST(ArchiveWriter, TheOutputsRefusalComesBack) {
    ArchiveWriter writer(Form::tar, [](std::string_view) -> base::Result<void> {
        return base::fail(base::ErrorCode::unreadable, "No space left on device", "x.tar");
    });
    auto done = writer.begin("name", 1 << 20, 0);
    if (done) done = writer.write(std::string(1 << 20, 'x'));
    ASSERT_FALSE(done.has_value());
    EXPECT_EQ(done.error().what, "No space left on device");
}

TEST(ArchiveWriter, FormsGoByTheEndOfTheName) {
    Form form{};
    EXPECT_TRUE(parse_archive_form("a/b.tar.gz", form));
    EXPECT_EQ(form, Form::tar_gz);
    EXPECT_TRUE(parse_archive_form("x.tar.zst", form));
    EXPECT_EQ(form, Form::tar_zst);
    EXPECT_FALSE(parse_archive_form("x.zip", form));
    EXPECT_FALSE(parse_archive_form("folder", form));
}

}  // namespace
}  // namespace gpumedic::codec
