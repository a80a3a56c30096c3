#include "guest_command.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "environment.h"
#include "observation.h"
#include "wiring.h"

namespace gpumedic::cli {
namespace {

using verify::GuestAnswer;
using namespace std::chrono_literals;

/// The probe's processes see a fixed environment; what reaches a guest needs its user's keys and cluster.
std::vector<std::string> with_surroundings(std::vector<std::string> argv) {
    std::vector<std::string> whole{"env"};
    const auto variables = process_variables();
    for (const auto* name : {"PATH", "HOME", "USER", "KUBECONFIG", "SSH_AUTH_SOCK"})
        if (const auto value = variables(name); value) whole.push_back(fmt::format("{}={}", name, *value));
    std::ranges::move(argv, std::back_inserter(whole));
    return whole;
}

std::uint32_t gpus_in(const verify::Inventory& inventory) {
    std::uint32_t count = 0;
    for (const auto* map : {&inventory.devices, &inventory.listed})
        for (const auto& [name, device] : *map) count += device.kind == "gpu" ? 1U : 0U;
    return count;
}

void judge(const knowledge::Index& index, const std::string& printed, GuestAnswer& answer) {
    const auto seen = observe_text(index, answer.vm, printed);
    if (!seen) {
        answer.why = seen.error().what;
        return;
    }
    answer.end = GuestAnswer::End::answered;
    answer.gpus = gpus_in(seen->seen.node) + gpus_in(seen->seen.guest);
    answer.shows_errors = seen->diagnosis.verdict == model::Verdict::fault;
}

GuestAnswer ask(const knowledge::Index& index, std::vector<std::string> argv, const std::string& vm) {
    const auto [space, name] = vm.find('/') == std::string::npos
                                   ? std::pair<std::string, std::string>{"", vm}
                                   : std::pair{vm.substr(0, vm.find('/')), vm.substr(vm.find('/') + 1)};
    GuestAnswer answer{.vm = vm};
    for (auto& word : argv) {
        word = base::replace_all(base::replace_all(word, "{vm}", name), "{namespace}", space);
        answer.command += (answer.command.empty() ? "" : " ") + word;
    }
    const auto world = make_node_world("/", "/tmp");
    std::string printed;
    const auto result = world.probe->run_command(with_surroundings(std::move(argv)),
                                                 {.deadline = 60s, .max_bytes = std::uint64_t{4} << 20},
                                                 [&printed](std::string_view piece) { printed += piece; }, {});
    if (result.end == ports::ProbeEnd::exited && (result.code == 0 || !printed.empty())) {
        judge(index, printed, answer);
    } else if (result.end == ports::ProbeEnd::exited) {
        const auto said = base::trim(result.errors);
        answer.why = said.empty() ? fmt::format("exit code {}", result.code)
                                  : base::printable(said.substr(0, said.find('\n')).substr(0, 200));
    } else {
        answer.why = result.end == ports::ProbeEnd::timed_out || result.end == ports::ProbeEnd::blocked
                         ? "no answer within 60 s"
                         : "it could not be run";
    }
    return answer;
}

}  // namespace

base::Result<std::vector<std::string>> split_words(const std::string& text) {
    std::vector<std::string> words;
    char quote = '\0';
    bool open = false;
    for (const char letter : text) {
        const bool blank = letter == ' ' || letter == '\t';
        if (quote != '\0') {
            if (letter == quote) {
                quote = '\0';
            } else {
                words.back() += letter;
            }
        } else if (blank) {
            open = false;
        } else {
            if (!open) words.emplace_back();
            open = true;
            if (letter == '\'' || letter == '"') {
                quote = letter;
            } else {
                words.back() += letter;
            }
        }
    }
    if (quote != '\0') return base::fail(base::ErrorCode::usage, "a quote is not closed", "--guest-command");
    if (words.empty()) return base::fail(base::ErrorCode::usage, "the command is empty", "--guest-command");
    return words;
}

base::Result<std::vector<GuestAnswer>> ask_guests(const knowledge::Index& index, const std::string& command,
                                                  const std::vector<std::string>& vms) {
    const auto words = split_words(command);
    if (!words) return tl::make_unexpected(words.error());
    std::vector<GuestAnswer> answers;
    for (const auto& vm : vms) answers.push_back(ask(index, *words, vm));
    return answers;
}

}  // namespace gpumedic::cli
