#include "adapters/bmc/config.h"

#include <gmock/gmock.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace gpumedic::adapters::bmc {
namespace {

using base::ErrorCode;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;

class BmcConfig : public testing::Test {
protected:
    void SetUp() override {
        std::string name = (std::filesystem::temp_directory_path() / "bmc_config_XXXXXX").string();
        folder_ = ::mkdtemp(name.data());
        write("password", "hush\n", 0600);
    }
    void TearDown() override { std::filesystem::remove_all(folder_); }

    void write(const std::string& name, const std::string& text, ::mode_t mode = 0644) const {
        std::ofstream(folder_ / name) << text;
        ::chmod((folder_ / name).c_str(), mode);
    }
    [[nodiscard]] base::Result<Config> read(const std::string& text) const {
        write("bmc.yaml", text);
        return read_config((folder_ / "bmc.yaml").string(), "mule-3");
    }
    std::filesystem::path folder_;
};

TEST_F(BmcConfig, TheNodesNameFindsItsBmc) {
    const auto config = read("server: https://{node}-bmc.mgmt.test/\nuser: monitor\npassword_file: password\n");
    ASSERT_TRUE(config) << config.error().what;
    EXPECT_EQ(config->server.url, "https://mule-3-bmc.mgmt.test");
    EXPECT_EQ(config->secret.authorization, "Basic bW9uaXRvcjpodXNo");
    EXPECT_EQ(config->server.trust, http::Server::Trust::verified);
}

TEST_F(BmcConfig, MistakesHaveTheirPlace) {
    const auto wrong = [this](const std::string& text) {
        const auto config = read(text);
        return config ? std::string("was read") : config.error().what + " at " + config.error().where;
    };
    EXPECT_THAT(wrong("server: https://b\nuser: u\npasword_file: p\n"), HasSubstr("unknown field \"pasword_file\""));
    EXPECT_THAT(wrong("server: https://b\nuser: u\npasword_file: p\n"), EndsWith("bmc.yaml:3:15"));
    EXPECT_THAT(wrong("server: b\nuser: u\npassword_file: password\n"), HasSubstr("must begin with https://"));
    EXPECT_THAT(wrong("server: https://me:x@b\nuser: u\npassword_file: password\n"), HasSubstr("https://HOST"));
    EXPECT_THAT(wrong("server: https://b\nuser: u\n"), HasSubstr("password_file is missing"));
    EXPECT_THAT(wrong("server: https://b\nuser: u\npassword_file: password\ninsecure_skip_tls_verify: maybe\n"),
                HasSubstr("true or false"));
    EXPECT_THAT(wrong("- a\n"), HasSubstr("must hold fields"));
    EXPECT_THAT(wrong("server: [\n"), Not(HasSubstr("was read")));
}

TEST_F(BmcConfig, ThePasswordIsNobodyElses) {
    const std::string text = "server: https://b\nuser: u\npassword_file: password\n";
    ::chmod((folder_ / "password").c_str(), 0644);
    EXPECT_EQ(read(text).error().code, ErrorCode::denied);
    std::filesystem::remove(folder_ / "password");
    EXPECT_EQ(read(text).error().code, ErrorCode::malformed) << "named, but not there: a mistake";
    EXPECT_EQ(read_config("/nonexistent/bmc.yaml", "n").error().code, ErrorCode::not_found);
}

}  // namespace
}  // namespace gpumedic::adapters::bmc
