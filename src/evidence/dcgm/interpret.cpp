#include "evidence/dcgm/interpret.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/text.h"

namespace gpumedic::evidence::dcgm {
namespace {

constexpr std::string_view kDigits = "0123456789";
constexpr std::size_t kMaxGpus = 256;  // of one result: each gives a finding that holds its row

std::string_view leading_digits(std::string_view text) { return text.substr(0, text.find_first_not_of(kDigits)); }

/// What a test or a watched system came to, and for which GPUs; none of them: for all.
struct Outcome {
    std::string result;
    std::vector<std::string> gpus;
    std::string message;  // behind "Warning - " in a health report
};

/// "Fail - All", "Pass - GPUs: 0, 1", "GPU0: Pass", "Warning - Detected more than 8 replays".
std::optional<Outcome> parse_outcome(std::string_view text) {
    text = base::trim(text);
    Outcome outcome;
    if (const auto gpu = gpu_of_message(text); !gpu.empty() && base::contains(text, ": ")) {
        auto result = parse_result_word(base::trim(base::split_once(text, ": ").second));
        if (!result) return std::nullopt;
        outcome.result = std::move(*result);
        outcome.gpus.emplace_back(gpu);
        return outcome;
    }
    const auto [head, rest] = base::split_once(text, " - ");
    auto result = parse_result_word(base::trim(head));
    if (!result) return std::nullopt;
    outcome.result = std::move(*result);
    const auto list = base::trim(rest);
    if (!list.starts_with("GPU: ") && !list.starts_with("GPUs: ")) {
        if (list != "All") outcome.message = list;
        return outcome;
    }
    for (const auto piece : base::split(base::split_once(list, ": ").second, ','))
        if (const auto gpu = base::trim(piece);
            !gpu.empty() && leading_digits(gpu) == gpu && outcome.gpus.size() < kMaxGpus)
            outcome.gpus.emplace_back(gpu);
    return outcome;
}

/// Rows of a cell in groups: each group begins with a row that `begins` accepts.
template <class Begins>
std::vector<std::string> grouped(const Entry& entry, std::size_t first, Begins begins) {
    std::vector<std::string> groups;
    std::vector<std::string> open;
    for (std::size_t i = first; i < entry.parts.size(); ++i) {
        if (!open.empty() && begins(entry.parts[i])) groups.push_back(join_parts(std::exchange(open, {})));
        open.push_back(entry.parts[i]);
    }
    if (!open.empty()) groups.push_back(join_parts(open));
    return groups;
}

// --- diag

struct Test {
    const Entry* entry{};
    std::vector<Outcome> outcomes{};
    std::vector<Finding> messages{};
};

bool is_failure(const Outcome& outcome) { return outcome.result != "pass" && outcome.result != "skip"; }

const Outcome* outcome_for(const Test& test, std::string_view gpu) {
    for (const auto& outcome : test.outcomes)
        if (std::find(outcome.gpus.begin(), outcome.gpus.end(), gpu) != outcome.gpus.end()) return &outcome;
    const auto failed = std::find_if(test.outcomes.begin(), test.outcomes.end(), is_failure);
    if (failed != test.outcomes.end()) return &*failed;
    return test.outcomes.empty() ? nullptr : &test.outcomes.front();
}

void close_test(Test& test, std::vector<Finding>& findings) {
    if (test.entry == nullptr) return;
    std::vector<std::string> told;
    for (auto& message : test.messages) {
        message.test = test.entry->label;
        if (const auto* outcome = outcome_for(test, message.index)) message.result = outcome->result;
        told.push_back(message.index);
        findings.push_back(std::move(message));
    }
    for (const auto& outcome : test.outcomes) {
        auto gpus = outcome.gpus;
        if (gpus.empty()) gpus.emplace_back();
        for (auto& gpu : gpus) {
            const bool covered = gpu.empty() ? !told.empty() : std::find(told.begin(), told.end(), gpu) != told.end();
            if (covered) continue;
            Finding finding;
            finding.line = test.entry->line;
            finding.raw = test.entry->raw;
            finding.text = finding.test = test.entry->label;
            finding.result = outcome.result;
            finding.index = std::move(gpu);
            findings.push_back(std::move(finding));
        }
    }
    test = Test{};
}

void take_messages(const Entry& entry, Test& test) {
    const auto labelled = gpu_of_message(base::trim(base::split_once(entry.label, ":").second));
    for (auto& text : split_messages(join_parts(entry.parts))) {
        Finding message;
        message.line = entry.line;
        message.raw = entry.raw;
        const auto named = gpu_of_message(text);
        message.index = named.empty() ? labelled : named;
        message.text = std::move(text);
        test.messages.push_back(std::move(message));
    }
}

std::vector<Finding> findings_of_diag(const std::vector<Entry>& entries) {
    std::vector<Finding> findings;
    Test test;
    for (const auto& entry : entries) {
        const auto kind = base::split_once(entry.label, ":").first;
        if (kind == "Warning" || kind == "Error") {
            take_messages(entry, test);
            continue;
        }
        if (kind == "Info" || entry.section == "Metadata" || entry.parts.empty()) continue;
        close_test(test, findings);
        const auto begins = [](const std::string& part) { return parse_outcome(part).has_value(); };
        for (const auto& group : grouped(entry, 0, begins))
            if (auto outcome = parse_outcome(group)) test.outcomes.push_back(std::move(*outcome));
        if (!test.outcomes.empty()) test.entry = &entry;
    }
    close_test(test, findings);
    return findings;
}

// --- health

bool names_system(std::string_view text) {
    const auto [name, rest] = base::split_once(text, " system: ");
    return name.size() < text.size() && !rest.empty() && parse_result_word(rest.substr(0, rest.find_first_of(" -")));
}

Finding finding_of(const Entry& entry, std::string_view system, std::string_view gpu, const Outcome& outcome) {
    Finding finding;
    finding.line = entry.line;
    finding.raw = entry.raw;
    finding.index = gpu;
    finding.system = system;
    finding.result = outcome.result;
    finding.text = outcome.message.empty() ? std::string(system) : outcome.message;
    return finding;
}

/// "GPU 3's NvLink link 0 is down": of several messages in a cell each begins a row.
bool begins_message(std::string_view part) {
    const auto gpu = gpu_of_message(part);
    return !gpu.empty() &&
           part.substr(static_cast<std::size_t>(gpu.data() - part.data()) + gpu.size()).starts_with("'s ");
}

/// "-> 0", "-> Errors", "-> PCIe system": depth is told by the words.
void take_nested(const Entry& entry, std::string& gpu, std::vector<Finding>& findings) {
    const auto name = base::trim(std::string_view(entry.label).substr(2));
    if (!name.empty() && leading_digits(name) == name) gpu = name;
    if (!name.ends_with("system") || entry.parts.empty()) return;
    auto outcome = parse_outcome(entry.parts.front());
    if (!outcome) return;
    if (!outcome->message.empty()) {
        outcome->message = base::split_once(join_parts(entry.parts), " - ").second;
        findings.push_back(finding_of(entry, name, gpu, *outcome));
        return;
    }
    const auto messages = grouped(entry, 1, begins_message);
    if (messages.empty()) findings.push_back(finding_of(entry, name, gpu, *outcome));
    for (const auto& message : messages) {
        outcome->message = message;
        findings.push_back(finding_of(entry, name, gpu, *outcome));
    }
}

/// Before DCGM 2: "GPU ID: 0" and below its result rows like "PCIe system: Warning - Detected more ...".
void take_old_gpu(const Entry& entry, std::vector<Finding>& findings) {
    const auto gpu = base::trim(base::split_once(entry.label, ":").second);
    for (const auto& group : grouped(entry, 1, [](const std::string& part) { return names_system(part); })) {
        const auto [name, rest] = base::split_once(group, ": ");
        if (const auto outcome = parse_outcome(rest)) findings.push_back(finding_of(entry, name, gpu, *outcome));
    }
}

std::vector<Finding> findings_of_health(const std::vector<Entry>& entries) {
    constexpr std::string_view kOverall = "Overall Health";
    std::vector<Finding> findings;
    std::string gpu;
    bool counts_gpus = true;
    for (const auto& entry : entries) {
        const auto value = join_parts(entry.parts);
        if (entry.label == kOverall || value.starts_with(kOverall)) {
            const auto word =
                entry.label == kOverall ? value : std::string(base::trim(base::split_once(value, ":").second));
            if (const auto outcome = parse_outcome(word)) findings.push_back(finding_of(entry, kOverall, {}, *outcome));
        } else if (entry.label.starts_with("GPU ID:")) {
            take_old_gpu(entry, findings);
        } else if (entry.label.starts_with("->")) {
            take_nested(entry, gpu, findings);
            if (!counts_gpus) gpu.clear();  // the number of a switch or a CPU
        } else {
            counts_gpus = entry.label != "NvSwitch" && entry.label != "CPU";
            gpu.clear();
        }
    }
    return findings;
}

}  // namespace

std::string_view gpu_of_message(std::string_view message) {
    if (!message.starts_with("GPU")) return {};
    message.remove_prefix(3);
    if (message.starts_with(" ")) message.remove_prefix(1);
    const auto digits = leading_digits(message);
    return digits.size() <= 4 ? digits : std::string_view{};
}

std::optional<std::string> parse_result_word(std::string_view word) {
    constexpr std::array<std::string_view, 9> kWords{"pass",    "fail",    "warn",    "skip",   "healthy",
                                                     "warning", "failure", "skipped", "not run"};
    auto name = base::lower(word);
    if (std::find(kWords.begin(), kWords.end(), name) == kWords.end()) return std::nullopt;
    return name;
}

std::vector<std::string> split_messages(std::string_view text) {
    constexpr std::string_view kNext = "., GPU ";
    std::vector<std::string> messages;
    while (!text.empty()) {
        const auto at = text.find(kNext);
        const auto length = at == std::string_view::npos ? text.size() : at + 1;
        if (const auto message = base::trim(text.substr(0, length)); !message.empty()) messages.emplace_back(message);
        text = at == std::string_view::npos ? std::string_view{} : text.substr(at + 3);
    }
    return messages;
}

std::vector<Finding> findings_of(const std::vector<Entry>& entries) {
    const auto any = [&](auto accepts) { return std::any_of(entries.begin(), entries.end(), accepts); };
    if (any([](const Entry& entry) {
            return entry.label == "Health Monitor Report" || entry.label == "Overall Health" ||
                   (!entry.parts.empty() && entry.parts.front().starts_with("Overall Health:"));
        }))
        return findings_of_health(entries);
    if (any([](const Entry& entry) {
            return entry.label == "Diagnostic" && !entry.parts.empty() && base::trim(entry.parts.front()) == "Result";
        }))
        return findings_of_diag(entries);
    return {};
}

}  // namespace gpumedic::evidence::dcgm
