// Writes a node's log of a given size: mostly benign kernel and system lines, about one fault line in a thousand.
// The same size and seed give the same bytes on every machine, so figures of different days can be compared.
//
//   bench_log_gen BYTES FILE [SEED]
#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>

namespace {

/// xorshift64*: the standard library's distributions differ between implementations.
class Random {
public:
    explicit Random(std::uint64_t seed) : state_(seed * 0x9E3779B97F4A7C15ULL + 1) {}
    std::uint64_t below(std::uint64_t bound) {
        state_ ^= state_ >> 12U;
        state_ ^= state_ << 25U;
        state_ ^= state_ >> 27U;
        return (state_ * 0x2545F4914F6CDD1DULL >> 16U) % bound;
    }

private:
    std::uint64_t state_;
};

constexpr std::array<std::string_view, 8> kDevices{"0000:0b:00", "0000:17:00", "0000:2a:00", "0000:4d:00",
                                                   "0000:8c:00", "0000:9b:00", "0000:b8:00", "0000:dc:00"};

// {h} hex id, {n} number, {p} PCI address without function, {g} a small number
constexpr std::array<std::string_view, 16> kBenign{
    "systemd[1]: Started session-{n}.scope - Session {n} of User ops.",
    "systemd[1]: run-containerd-runc-k8s.io-{h}-runc.mount: Deactivated successfully.",
    "containerd[2113]: time=\"2026-03-02T04:05:06.{n}Z\" level=info msg=\"StopContainer for \\\"{h}\\\" returns "
    "successfully\"",
    "kubelet[3127]: I0302 04:05:06.{n}    3127 reconciler_common.go:245] "
    "\"operationExecutor.VerifyControllerAttachedVolume "
    "started for volume \\\"kube-api-access-{g}\\\" (UniqueName: \\\"{h}\\\")\" pod=\"batch/trainer-{g}\"",
    "kubelet[3127]: E0302 04:05:06.{n}    3127 pod_workers.go:1301] \"Error syncing pod, skipping\" err=\"back-off "
    "5m0s "
    "restarting failed container=app pod=web-{g}_default({h})\" pod=\"default/web-{g}\"",
    "sshd[{n}]: Accepted publickey for ops from 192.0.2.{g} port {n} ssh2: ED25519 SHA256:{h}",
    "kernel: audit: type=1400 audit(1772424306.{n}:{n}): apparmor=\"ALLOWED\" operation=\"open\" profile=\"cri-{h}\" "
    "pid={n}",
    "kernel: cali{g}: Caught tx_queue_len zero misconfig",
    "kernel: IPv6: ADDRCONF(NETDEV_CHANGE): veth{g}: link becomes ready",
    "kernel: EXT4-fs (nvme1n1p{g}): mounted filesystem with ordered data mode. Quota mode: none.",
    "kernel: mlx5_core {p}.0 ens{g}np0: Link up",
    "chronyd[1804]: Selected source 198.51.100.{g} (ntp-{g}.example.net)",
    "dockerd[1999]: time=\"2026-03-02T04:05:06.{n}Z\" level=warning msg=\"cleaning up after shim disconnected\" id={h}",
    "kernel: perf: interrupt took too long ({n} > {n}), lowering kernel.perf_event_max_sample_rate to {n}",
    "CRON[{n}]: (root) CMD (command -v debian-sa1 > /dev/null && debian-sa1 1 1)",
    "virt-launcher[{n}]: {{\"component\":\"virt-launcher\",\"level\":\"info\",\"msg\":\"Domain name event: "
    "batch_worker-{g}\","
    "\"pos\":\"client.go:{g}\",\"timestamp\":\"2026-03-02T04:05:06.{n}Z\"}}",
};

// Lines of the layers that faults speak through, which say nothing of a GPU's state.
constexpr std::array<std::string_view, 8> kNearMiss{
    "kernel: NVRM: API call from pid {n}: control 0x{h} took {g} ms",
    "kernel: nvidia-uvm: va space {h}: {n} pages migrated",
    "kernel: pci {p}.0: BAR {g}: assigned [mem 0x{h} 64bit pref]",
    "kernel: pcieport {p}.0: bw_notification: available bandwidth {g}.{n} Gb/s",
    "nvidia-persistenced[{n}]: device {p}.0 - persistence mode enabled.",
    "virt-handler[{n}]: {{\"component\":\"virt-handler\",\"level\":\"info\",\"msg\":\"resyncing "
    "virt-launcher\",\"name\":\"worker-{g}\",\"pos\":\"vm.go:{n}\"}}",
    "kernel: mlx5_core {p}.0: Port module event: module {g}, Cable plugged",
    "dcgm-exporter[{n}]: level=info msg=\"Xid counter of GPU {g} read\"",
};

// States: what drivers print when they load. Signals, but no faults.
constexpr std::array<std::string_view, 4> kState{
    "kernel: NVRM: loading NVIDIA UNIX x86_64 Kernel Module  570.{g}.20",
    "kernel: nvidia {p}.0: enabling device (0140 -> 0142)",
    "kernel: vfio-pci {p}.0: enabling device (0000 -> 0002)",
    "kernel: nvidia-nvswitch{g}: open (major={g})",
};

constexpr std::array<std::string_view, 8> kFault{
    "kernel: NVRM: Xid (PCI:{p}): 79, pid={n}, name=python3, GPU has fallen off the bus.",
    "kernel: NVRM: Xid (PCI:{p}): 31, pid={n}, name=python3, Ch 0000000{g}, intr 00000000. MMU Fault: ENGINE GRAPHICS",
    "kernel: NVRM: Xid (PCI:{p}): 74, NVLink: fatal error detected on link {g}(0x10000, 0x0, 0x0, 0x0, 0x0, 0x0, 0x0)",
    "kernel: NVRM: Xid (PCI:{p}): 48, pid={n}, name=python3, DBE (double bit error) ECC Error: address 0x{h}",
    "kernel: NVRM: Xid (PCI:{p}): 119, pid={n}, name=nvidia-smi, Timeout after 6s of waiting for RPC response from GPU",
    "kernel: NVRM: knvlinkUpdatePostRxDetectLinkMask_IMPL: Failed to update Rx Detect Link mask!",
    "kernel: vfio-pci {p}.0: not ready 65535ms after FLR; giving up",
    "kernel: pcieport {p}.0: AER: Multiple Corrected error received: {p}.0",
};

constexpr std::uint64_t kLinesPerSecond = 2;

std::string render_line(Random& random, std::uint64_t number) {
    const auto second = number / kLinesPerSecond;
    const auto micros =
        number % kLinesPerSecond * (1'000'000 / kLinesPerSecond) + random.below(1'000'000 / kLinesPerSecond);
    const auto dice = random.below(10'000);
    const std::string_view form = dice < 10    ? kFault.at(random.below(kFault.size()))
                                  : dice < 15  ? kState.at(random.below(kState.size()))
                                  : dice < 900 ? kNearMiss.at(random.below(kNearMiss.size()))
                                               : kBenign.at(random.below(kBenign.size()));
    std::string line;
    fmt::format_to(std::back_inserter(line), "2026-03-{:02}T{:02}:{:02}:{:02}.{:06}+09:00 gpu-node-17 ",
                   1 + second / 86'400 % 28, second / 3'600 % 24, second / 60 % 60, second % 60, micros);
    fmt::format_to(std::back_inserter(line), fmt::runtime(form),
                   fmt::arg("h", fmt::format("{:012x}", random.below(1ULL << 47U))),
                   fmt::arg("n", 1'000 + random.below(60'000)), fmt::arg("g", 1 + random.below(9)),
                   fmt::arg("p", kDevices.at(random.below(kDevices.size()))));
    line += '\n';
    return line;
}

template <class Number>
bool parse_number(std::string_view text, Number& out) {
    const auto* end = text.data() + text.size();
    const auto parsed = std::from_chars(text.data(), end, out);
    return parsed.ec == std::errc{} && parsed.ptr == end;
}

int write_log(const char* path, std::uint64_t bytes, std::uint64_t seed) {
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> out(std::fopen(path, "wb"), &std::fclose);
    if (!out) {
        fmt::print(stderr, "bench_log_gen: cannot write {}\n", path);
        return 66;
    }
    Random random(seed);
    std::uint64_t lines = 0;
    for (std::uint64_t written = 0; written < bytes; ++lines) {
        const auto line = render_line(random, lines);
        if (std::fwrite(line.data(), 1, line.size(), out.get()) != line.size()) return 66;
        written += line.size();
    }
    fmt::print(stderr, "bench_log_gen: {} lines\n", lines);
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    std::uint64_t bytes = 0;
    std::uint64_t seed = 1;
    if (argc < 3 || argc > 4 || !parse_number(argv[1], bytes) || (argc == 4 && !parse_number(argv[3], seed))) {
        fmt::print(stderr, "usage: bench_log_gen BYTES FILE [SEED]\n");
        return 64;
    }
    return write_log(argv[2], bytes, seed);
}
