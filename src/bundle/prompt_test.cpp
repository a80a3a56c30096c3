#include "bundle/prompt.h"

#include <gtest/gtest.h>

#include <string>

namespace gpumedic::bundle {
namespace {

TEST(Prompt, FormsAreRecognised) {
    const std::pair<const char*, const char*> cases[] = {
        {"$ kubectl get vm -n lab", "kubectl get vm -n lab"},
        {"$ ./collect.sh", "./collect.sh"},
        {"# lspci -vvv", "lspci -vvv"},
        {"# sudo dmesg", "sudo dmesg"},
        {"# /usr/bin/nvidia-smi -q", "/usr/bin/nvidia-smi -q"},
        {"# LC_ALL=C lspci", "LC_ALL=C lspci"},
        {"ops@gpu-a:~$ anything at all", "anything at all"},
        {"root@gpu-a:/var/log# cat kern.log", "cat kern.log"},
        {"root@gpu-a:/# lspci", "lspci"},
        {"[root@gpu-a ~]# lspci -nn", "lspci -nn"},
        {"[ops@gpu-a log]$ tail x", "tail x"},
        {"(venv) ops@gpu-a:~$ nvidia-smi", "nvidia-smi"},
        {"/ # nvidia-smi", "nvidia-smi"},
        {"~ $ ls", "ls"},
        {"sh-5.1# lspci", "lspci"},
        {"bash-4.4$ nvidia-smi -L", "nvidia-smi -L"},
        {"PS1> kubectl get pods", "kubectl get pods"},
        {"+ kubectl get vmi", "kubectl get vmi"},
        {"ops@gpu-a:~$", ""},
        {"[root@gpu-a ~]# ", ""},
    };
    for (const auto& [line, command] : cases) {
        const auto found = parse_prompt(line);
        ASSERT_TRUE(found.has_value()) << line;
        EXPECT_EQ(*found, command) << line;
    }
}

TEST(Prompt, LookAlikesAreNot) {
    for (const char* line : {"",
                             "$",
                             "#",
                             "# this host was rebooted twice",
                             "# find the broken GPU",
                             "#lspci",
                             "$5 per hour",
                             "$ 5 per hour",
                             "> kubectl get vm",
                             "[    1.234567] pci 0000:01:00.0: x",
                             "[Thu Apr  4 18:03:11 2024] NVRM: x",
                             "[2024-04-04T18:03:11.123] error: x",
                             "2025-10-10T22:25:01+09:00 gpu-a kernel: x",
                             "Oct 10 22:25:01 gpu-a kernel: # lspci",
                             "mail@example.org wrote: # lspci",
                             "  $ kubectl get vm",
                             "NAME   AGE",
                             "/dev/sda # a disk",
                             "key: value # kubectl",
                             "+ 5 more",
                             "| 50% # lspci",
                             "[root@gpu-a ~]",
                             "[x]# lspci",
                             "user@host",
                             "(note) # remark"})
        EXPECT_FALSE(parse_prompt(line).has_value()) << line;
}

TEST(Prompt, EveryPrefixIsHarmless) {
    for (const std::string line :
         {"(venv) [root@gpu-a ~]# lspci", "ops@gpu-a:~$ ls", "/ # nvidia-smi", "# A=b sudo lspci"}) {
        for (std::size_t i = 0; i <= line.size(); ++i) {
            const auto found = parse_prompt(std::string_view(line).substr(0, i));
            EXPECT_LE(found.value_or("").size(), i);
        }
    }
}

TEST(Prompt, EffectiveCommandHasNoWrapper) {
    const std::pair<const char*, const char*> cases[] = {
        {"sudo lspci -v", "lspci -v"},
        {"sudo -u root -E /usr/bin/lspci", "lspci"},
        {"LC_ALL=C  sudo   lspci   -nn", "lspci -nn"},
        {"oc get vm -n lab", "kubectl get vm -n lab"},
        {"oc debug node/gpu-a -- chroot /host lspci -vvv", "lspci -vvv"},
        {"kubectl exec -n lab virt-launcher-a -- nvidia-smi", "nvidia-smi"},
        {"microk8s kubectl get vm", "kubectl get vm"},
        {"timeout 10 nvidia-smi", "nvidia-smi"},
        {"watch -n 5 nvidia-smi", "nvidia-smi"},
        {"nsenter -t 1 -m -- dmesg", "dmesg"},
        {"lspci | grep -i nvidia", "lspci | grep -i nvidia"},
        {"sudo", "sudo"},
        {"sudo -u", ""},
        {"", ""},
    };
    for (const auto& [typed, effective] : cases) EXPECT_EQ(effective_command(typed), effective) << typed;
}

TEST(Prompt, ContentDecidesWhereACommandPrintsWhatOthersWrote) {
    for (const char* command : {"cat lspci.txt", "kubectl logs -n kubevirt virt-handler-x", "kubectl -n lab logs a",
                                "grep NVRM kern.log", ""})
        EXPECT_TRUE(content_decides(command)) << command;
    for (const char* command : {"kubectl get pods -l app=logs", "kubectl get pods logs", "lspci | grep -i nvidia",
                                "nvidia-smi -q", "dmesg", "kubectl"})
        EXPECT_FALSE(content_decides(command)) << command;
}

}  // namespace
}  // namespace gpumedic::bundle
