// Lines of other subsystems between those that matter.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>

#include "base/text.h"
#include "base/timestamp.h"
#include "evidence/log_lines/line_header.h"
#include "kernel_log.h"
#include "variant.h"

namespace gpumedic::mutate {
namespace {

using namespace std::string_view_literals;

constexpr std::array kUsb{"usb 1-3: new high-speed USB device number {} using xhci_hcd"sv,
                          "usb 1-3: USB disconnect, device number {}"sv, "hub 2-0:1.0: {} ports detected"sv,
                          "input: Virtual Keyboard as /devices/pci0000:00/0000:00:14.0/usb1/1-{}/input/input9"sv};
constexpr std::array kNetwork{"eth0: renamed from tmp{}"sv, "cni0: port {}(veth1f2e3d) entered forwarding state"sv,
                              "IPv6: ADDRCONF(NETDEV_CHANGE): cali77{}: link becomes ready"sv,
                              "mlx5_core 0000:d1:00.0 mlx5_{}: Port: 1 Link ACTIVE"sv,
                              "TCP: request_sock_TCP: Possible SYN flooding on port {}. Sending cookies."sv};
constexpr std::array kStorage{"nvme nvme{}: Shutdown timeout set to 8 seconds"sv,
                              "EXT4-fs (nvme0n1p{}): mounted filesystem with ordered data mode. Quota mode: none."sv,
                              "loop{}: detected capacity change from 0 to 8"sv,
                              "sd 0:0:{}:0: [sdb] Write cache: enabled, read cache: enabled"sv,
                              "md/raid1:md0: active with {} out of 2 mirrors"sv};
constexpr std::array kAudit{
    "audit: type=1400 audit(1781524800.{}:77): apparmor=\"STATUS\" operation=\"profile_replace\" name=\"snap.x\""sv,
    "audit: type=1326 audit(1781524801.{}:78): auid=1000 uid=1000 gid=1000 subj=unconfined comm=\"chrome\" sig=0"sv,
    "audit: backlog limit exceeded {} times"sv};
constexpr std::array kSystem{"systemd-journald[512]: Received client request to flush runtime journal. {}"sv,
                             "systemd[1]: Started session-{}.scope - Session of User ops."sv,
                             "perf: interrupt took too long ({} > 2500), lowering kernel.perf_event_max_sample_rate"sv,
                             "clocksource: Long readout interval, skipping watchdog check: cs_nsec: {} wd_nsec: 15"sv};
constexpr std::array kKvm{"kvm [{}]: ignored rdmsr: 0x1b0 data 0x0"sv,
                          "kvm: SMP vm created on host with unstable TSC; guest TSC will not be reliable ({})"sv,
                          "x86/split lock detection: #AC: CPU 0/KVM/{} took a split_lock trap at address: 0x7ee5d050"sv,
                          "tun: Universal TUN/TAP device driver, 1.{}"sv};

constexpr std::array<std::span<const std::string_view>, 6> kThemes{kUsb, kNetwork, kStorage, kAudit, kSystem, kKvm};

std::string one_line(Random& random, std::size_t theme) {
    const auto lines = kThemes.at(theme % kThemes.size());
    return fmt::format(fmt::runtime(lines[random.below(lines.size())]), 2 + random.below(900));
}

/// After each line of a log up to three others, with that line's own header. A message of several lines stays whole.
std::string between(std::string_view text, Random& random, const std::optional<std::size_t>& theme) {
    std::string out;
    std::string head;
    const auto add = [&] {
        if (head.empty()) return;
        for (auto n = random.below(4); n > 0; --n)
            ((out += head) += one_line(random, theme ? *theme : random.below(kThemes.size()))) += '\n';
    };
    for (const auto line : lines_of(text)) {
        evidence::LineHeader header;
        const bool entry = evidence::parse_line_header(line, {}, header) && !header.message.empty() && header.time;
        if (entry) {
            add();
            const bool is_kernel = header.type == model::RecordType::kernel;
            head = is_kernel ? std::string(line.substr(0, line.size() - header.message.size())) : "";
        }
        (out += line) += '\n';
    }
    add();
    return out;
}

/// A case without a kernel log gets a file of other programs' lines: a kernel log in which no GPU speaks would be
/// evidence of its own.
std::string other_programs(Random& random) {
    constexpr std::array kLines{"systemd[1]: Started session-{}.scope - Session of User ops."sv,
                                "sshd[{}]: Accepted publickey for ops from 10.1.2.3 port 50022 ssh2"sv,
                                "CRON[{}]: pam_unix(cron:session): session opened for user root(uid=0) by (uid=0)"sv,
                                "chronyd[{}]: Selected source 10.1.2.9"sv};
    std::string out;
    for (int i = 0; i < 30; ++i)
        out += fmt::format("Jun 15 12:{:02}:07 gx-u17 {}\n", i,
                           fmt::format(fmt::runtime(kLines.at(random.below(kLines.size()))), random.below(9000)));
    return out;
}

std::optional<Variant> noise(const Step& step, Variant variant) {
    const auto theme = step.number < kThemes.size() ? std::optional(step.number) : std::nullopt;
    bool any = false;
    for (auto& [name, text] : variant.files) {
        if (!is_kernel_log(text)) continue;
        text = between(text, *step.random, theme);
        any = true;
    }
    // Only where no node is named: another host name would make another node.
    if (!any && !step.subject->node.empty()) return std::nullopt;
    if (!any) variant.files["auth-messages.log"] = other_programs(*step.random);
    return variant;
}

}  // namespace

std::vector<Kind> noise_kinds() { return {{"noise", 8, noise, Kind::Use::also_combined}}; }

}  // namespace gpumedic::mutate
