#include "codec/base64.h"

#include <gtest/gtest.h>

#include <initializer_list>
#include <utility>

namespace gpumedic::codec {
namespace {

TEST(Base64, BothWays) {
    for (const auto& [plain, coded] : std::initializer_list<std::pair<std::string, std::string>>{
             {"", ""}, {"f", "Zg=="}, {"fo", "Zm8="}, {"foo", "Zm9v"}, {"foob", "Zm9vYg=="}, {"\xff\xfe", "//4="}}) {
        EXPECT_EQ(encode_base64(plain), coded);
        EXPECT_EQ(decode_base64(coded), plain);
    }
    EXPECT_EQ(decode_base64("Zm9v\n Yg==\n"), "foob");
    for (const auto* wrong : {"Z", "Zm9v!", "Zg=", "Zg===", "=", "Zg==Zg", "Zm9vY"}) {
        EXPECT_EQ(decode_base64(wrong), std::nullopt) << wrong;
    }
}

}  // namespace
}  // namespace gpumedic::codec
