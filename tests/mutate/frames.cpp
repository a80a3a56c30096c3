// What container runtimes, kubectl and log shippers put around a line.
#include <fmt/format.h>

#include <array>

#include "base/text.h"
#include "codec/json_writer.h"
#include "kernel_log.h"
#include "variant.h"

namespace gpumedic::mutate {
namespace {

constexpr std::string_view kPod = "node-logs-x7k2p";

std::string cri(std::string_view line) { return fmt::format("2026-06-15T12:00:00.123456789Z stderr F {}", line); }
std::string kubectl_prefix(std::string_view line) { return fmt::format("[pod/{}/main] {}", kPod, line); }
std::string compose(std::string_view line) { return fmt::format("gpu-agent-1  | {}", line); }
std::string compose_timed(std::string_view line) {
    return fmt::format("2026-06-15T12:00:00.123456789Z {}", line);  // kubectl and docker logs --timestamps
}
std::string docker_json(std::string_view line) {
    codec::JsonWriter out(codec::JsonWriter::Layout::compact);
    out.begin_object().member("log", std::string(line) + "\n").member("stream", "stderr");
    return std::string(base::trim(out.member("time", "2026-06-15T12:00:00.123456789Z").end_object().take()));
}
std::string syslog_host(std::string_view line) {
    return fmt::format("Jun 15 12:00:00 relay-2 gpu-agent[812]: {}", line);
}
std::string coloured(std::string_view line) { return fmt::format("\x1b[33m{}\x1b[0m", line); }

using Frame = std::string (*)(std::string_view line);

enum class Which { kernel_logs, other_logs };

bool wanted(const std::string& name, const std::string& text, Which which) {
    if (which == Which::kernel_logs) return is_kernel_log(text);
    return name.ends_with(".log") && !is_kernel_log(text);
}

std::optional<Variant> framed(Variant variant, Which which, Frame frame) {
    bool any = false;
    for (auto& [name, text] : variant.files) {
        if (!wanted(name, text, which)) continue;
        std::string out;
        for (const auto line : lines_of(text)) (out += frame(line)) += '\n';
        text = out;
        any = true;
    }
    return any ? std::optional(std::move(variant)) : std::nullopt;
}

template <Which which, Frame frame>
std::optional<Variant> in(const Step&, Variant variant) {
    return framed(std::move(variant), which, frame);
}

/// A shell transcript: the prompt and a command that prints such a file stand before it.
std::optional<Variant> below_prompt(const Step& step, Variant variant) {
    constexpr std::array<std::string_view, 3> kPrompts{"$ ", "root@gx:~# ", "[ops@gx ~]$ "};
    for (auto& [name, text] : variant.files) {
        if (text.starts_with("$ ") || text.find("# ") < 40) return std::nullopt;
        text = fmt::format("{}cat {}\n{}", kPrompts.at(step.number % kPrompts.size()), name, text);
    }
    return variant;
}

/// The same for a kernel log, with the command that prints it.
std::optional<Variant> below_dmesg(const Step&, Variant variant) {
    bool any = false;
    for (auto& [name, text] : variant.files) {
        if (!is_kernel_log(text) || text.starts_with("$ ")) continue;
        text = "$ sudo dmesg -T | tail -n 5000\n" + text;
        any = true;
    }
    return any ? std::optional(std::move(variant)) : std::nullopt;
}

}  // namespace

std::vector<Kind> frame_kinds() {
    using enum Which;
    return {{"frame CRI around kernel log", 1, in<kernel_logs, cri>},
            {"frame CRI around program log", 1, in<other_logs, cri>},
            {"frame kubectl --prefix around kernel log", 1, in<kernel_logs, kubectl_prefix>},
            {"frame kubectl --prefix around program log", 1, in<other_logs, kubectl_prefix>},
            {"frame --timestamps around kernel log", 1, in<kernel_logs, compose_timed>},
            {"frame --timestamps around program log", 1, in<other_logs, compose_timed>},
            {"frame docker compose around kernel log", 1, in<kernel_logs, compose>},
            {"frame docker compose around program log", 1, in<other_logs, compose>},
            {"frame docker JSON around kernel log", 1, in<kernel_logs, docker_json>},
            {"frame docker JSON around program log", 1, in<other_logs, docker_json>},
            {"frame syslog around program log", 1, in<other_logs, syslog_host>},
            {"frame terminal colours around kernel log", 1, in<kernel_logs, coloured>},
            {"frame prompt and cat", 3, below_prompt},
            {"frame prompt and dmesg", 1, below_dmesg, Kind::Use::also_combined}};
}

}  // namespace gpumedic::mutate
