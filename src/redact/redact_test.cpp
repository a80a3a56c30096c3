#include <gmock/gmock.h>

#include "redact/finder.h"
#include "redact/forms.h"
#include "redact/redactor.h"

namespace gpumedic::redact {
namespace {

using testing::HasSubstr;
using testing::Not;

class Redacting : public testing::Test {
protected:
    std::string line(std::string_view text) {
        Redactor redactor(finder_.names(), map_);
        return redactor.line(text);
    }
    void host(std::string_view name) {
        model::Record record;
        record.host = name;
        finder_.see(record);
    }
    void vm(const std::string& space, const std::string& name) {
        finder_.see({.type = model::RecordType::k8s_vm, .fields = {{"namespace", space}, {"name", name}}});
    }
    Finder finder_{};
    TokenMap map_{};
};

TEST_F(Redacting, ANameGoesWhereverItStands) {
    host("Seoul-GPU04.dc1.corp.kr");
    vm("hpc", "train-vm-3");
    EXPECT_EQ(line("Apr 16 seoul-gpu04 kernel: x"), "Apr 16 host-1 kernel: x");
    EXPECT_EQ(line("SEOUL-GPU04.dc1.corp.kr:22"), "host-1.example.invalid:22");
    EXPECT_EQ(line("virt-launcher-train-vm-3-x7k2p hpc_train-vm-3 hpc/train-vm-3"),
              "virt-launcher-vm-1-x7k2p namespace-1_vm-1 namespace-1/vm-1");
    EXPECT_EQ(line("train-vm-33 atrain-vm-3 hpcx"), "train-vm-33 atrain-vm-3 hpcx") << "other words";
}

TEST_F(Redacting, WhatADiagnosisNeedsStays) {
    for (const auto* text :
         {"0000:ed:00.0 PCI:0000:ed:00 00000000:09:00.0 [10de:2330] (rev a1)",
          "NVRM: Xid (PCI:0000:c4:00): 79, pid=1234", "2026-04-16T21:43:11.552177+09:00", "[Sun Feb 23 16:24:18 2025]",
          "driver 535.129.03, firmware 28.39.3560, VBIOS 96.00.74.00.01", "127.0.0.1 ::1 0.0.0.0 255.255.255.0",
          "std::vector<int>, nvml::Device", "0x00000000deadbeef", "root@localhost, user root, namespace kube-system",
          "kernel 6.8.0-45.45.1.2 build 10.2.3.4.5"})
        EXPECT_EQ(line(text), text);
}

TEST_F(Redacting, FormsKeepTheirForm) {
    const auto out = line(
        "GPU-5d8c1f7e-0b94-4a31-9d3a-6f2e8c7b1a02 10.1.2.3 fe80::1ff:fe23:4567:890a 3c:ec:ef:12:34:56 me@corp.kr "
        "4f0c0ffee0ddba11deadbeefcafe0123");
    EXPECT_THAT(out, HasSubstr("GPU-00000000-0000-4000-8000-000000000001"));
    EXPECT_THAT(out, HasSubstr(" 240.0.0.1 "));
    EXPECT_THAT(out, HasSubstr(" 2001:db8::0:1 "));
    EXPECT_THAT(out, HasSubstr(" 02:00:00:00:00:01 "));
    EXPECT_THAT(out, HasSubstr("user-1@example.invalid"));
    EXPECT_THAT(out, HasSubstr("00000000000000000000000000000001"));
    EXPECT_EQ(line(out), out) << "a redacted text is not redacted again";
}

TEST_F(Redacting, NamesOfTextsWithoutReader) {
    for (const auto* text :
         {"sshd[1]: Accepted publickey for mkim from 10.0.0.9 port 1",
          "JobId=7 JobName=llama-ft UserId=jpark(1021) Account=visionlab",
          "   Serial Number                         : 1680167580812", "cd /home/shlee/run",
          R"({"nodeName":"pan-7","namespace":"research"})", "qemu -name guest=research_llm-7,debug-threads=on",
          "https://vault.corp.kr/v1/secret", "ops@icn-gpu9:~$ lspci"})
        finder_.see_line(text);
    finder_.see_path("var/log/pods/team-a_virt-launcher-llm-7-abcde_uid/compute/0.log");
    for (const auto* name : {"mkim", "llama-ft", "jpark", "visionlab", "1680167580812", "shlee", "pan-7", "research",
                             "vault", "corp.kr", "icn-gpu9", "team-a"})
        EXPECT_TRUE(finder_.names().contains(name)) << name;
    EXPECT_EQ(line("mkim ran llama-ft on 1680167580812"), "user-1 ran job-1 on 0000000000001");
}

TEST_F(Redacting, ColumnsKeepTheirPlaces) {
    vm("media", "transcode-1");
    EXPECT_EQ(line("transcode-1   41d    Running"), "vm-1          41d    Running");
    EXPECT_EQ(line("media   x"), "namespace-1  x") << "two blanks at least";
    EXPECT_EQ(line("  transcode-1 a  b"), "  vm-1 a  b") << "a message's own blanks";
}

TEST_F(Redacting, ALaunchersPodKeepsItsVm) {
    finder_.see({.type = model::RecordType::k8s_pod, .fields = {{"name", "virt-launcher-llm-7-x7k2p"}}});
    EXPECT_EQ(line("virt-launcher-llm-7-x7k2p"), "virt-launcher-vm-1-x7k2p");
}

TEST_F(Redacting, SecretsAreNotEvenMapped) {
    EXPECT_EQ(line("password: hunter22, next"), "password: REDACTED, next");
    EXPECT_EQ(line("Authorization: Bearer abc.def"), "Authorization: Bearer REDACTED");
    EXPECT_THAT(line("x eyJhbGciOiJSUzI1NiIsImtpZCI6IjEifQ.eyJpc3MiOiJrdWJlcm5ldGVzIn0.sig y"), Not(HasSubstr("eyJ")));
    Redactor redactor(finder_.names(), map_);
    EXPECT_EQ(redactor.line("-----BEGIN RSA PRIVATE KEY-----"), "REDACTED");
    EXPECT_EQ(redactor.line("MIIEow"), "REDACTED");
    EXPECT_EQ(redactor.line("-----END RSA PRIVATE KEY-----"), "REDACTED");
    EXPECT_EQ(redactor.line("after"), "after");
    EXPECT_EQ(map_.render().find("hunter22"), std::string::npos);
}

TEST_F(Redacting, AMapMakesTheSameTokensAgain) {
    host("icn-gpu9");
    const auto first = line("icn-gpu9 10.1.2.3");
    auto again = TokenMap::parse(map_.render(), "m.json");
    ASSERT_TRUE(again);
    Finder other;
    model::Record record;
    record.host = "abc-node1";
    other.see(record);
    Redactor redactor(other.names(), *again);
    EXPECT_EQ(redactor.line("icn-gpu9 10.1.2.3"), first);
    EXPECT_EQ(redactor.line("abc-node1"), "host-2");
    EXPECT_FALSE(TokenMap::parse("{}", "m.json"));
}

}  // namespace
}  // namespace gpumedic::redact
