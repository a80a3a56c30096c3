#include "codec/binary.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace gpumedic::codec {
namespace {

TEST(Binary, GivesBackWhatWasWritten) {
    const std::uint64_t numbers[] = {0, 1, 127, 128, 300, 1ULL << 35U, std::numeric_limits<std::uint64_t>::max()};
    const double reals[] = {0.0, -0.0, 0.93, -1e300, std::numeric_limits<double>::infinity()};
    BinaryWriter writer;
    for (const std::uint64_t number : numbers) writer.number(number);
    for (const double real : reals) writer.real(real);
    writer.text("");
    writer.text(std::string_view("a\0b", 3));
    const std::string bytes = writer.take();

    BinaryReader reader(bytes);
    for (const std::uint64_t number : numbers) EXPECT_EQ(reader.number(), number);
    for (const double real : reals) {
        const double back = reader.real();
        EXPECT_EQ(back, real);
        EXPECT_EQ(std::signbit(back), std::signbit(real));
    }
    EXPECT_EQ(reader.text(), "");
    EXPECT_EQ(reader.text(), std::string_view("a\0b", 3));
    EXPECT_TRUE(reader.ok());
    EXPECT_TRUE(reader.at_end());
}

TEST(Binary, TruncationAtEveryByteIsNoticed) {
    BinaryWriter writer;
    writer.number(1000);
    writer.real(2.5);
    writer.text("hello");
    const std::string bytes = writer.take();
    for (std::size_t length = 0; length < bytes.size(); ++length) {
        BinaryReader reader(std::string_view{bytes}.substr(0, length));
        static_cast<void>(reader.number());
        static_cast<void>(reader.real());
        EXPECT_EQ(reader.text(), "") << length;
        EXPECT_FALSE(reader.ok()) << length;
        EXPECT_EQ(reader.number(), 0U) << length;
    }
}

TEST(Binary, RefusesNumbersAndLengthsThatCannotBe) {
    BinaryReader overflow(std::string_view("\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02", 10));
    EXPECT_EQ(overflow.number(), 0U);
    EXPECT_FALSE(overflow.ok());
    const std::string endless(100, '\x80');
    BinaryReader long_number(endless);
    EXPECT_EQ(long_number.number(), 0U);
    EXPECT_FALSE(long_number.ok());
    BinaryReader long_text(std::string_view("\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01zz", 12));
    EXPECT_EQ(long_text.text(), "");
    EXPECT_FALSE(long_text.ok());
    EXPECT_EQ(long_text.real(), 0.0);
}

}  // namespace
}  // namespace gpumedic::codec
