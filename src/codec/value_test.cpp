#include "codec/value.h"

#include <gtest/gtest.h>

namespace gpumedic::codec {
namespace {

Value scalar(std::string text) {
    Value value;
    value.kind = Value::Kind::scalar;
    value.scalar = std::move(text);
    return value;
}

Value map_of(std::string key, Value inner) {
    Value value;
    value.kind = Value::Kind::map;
    value.members.push_back({std::move(key), std::move(inner)});
    return value;
}

TEST(Value, FollowsAPathOfKeys) {
    const Value tree = map_of("status", map_of("phase", scalar("Running")));
    EXPECT_EQ(tree.text({"status", "phase"}), "Running");
    ASSERT_NE(tree.at({"status"}), nullptr);
    EXPECT_TRUE(tree.at({"status"})->is_map());
    EXPECT_EQ(tree.at({}), &tree);
}

TEST(Value, GivesNothingWhereThePathLeavesTheTree) {
    const Value tree = map_of("status", map_of("phase", scalar("Running")));
    EXPECT_EQ(tree.at({"status", "phase", "deeper"}), nullptr);
    EXPECT_EQ(tree.at({"spec"}), nullptr);
    EXPECT_EQ(tree.text({"status"}), "");
    EXPECT_EQ(scalar("x").find("x"), nullptr);
}

}  // namespace
}  // namespace gpumedic::codec
