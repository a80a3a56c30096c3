#include "bundle/banner.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/text.h"
#include "bundle/prompt.h"

namespace gpumedic::bundle {
namespace {

using namespace std::string_view_literals;
using Place = BannerFinder::Place;

constexpr std::size_t kMaxTitleBytes = 200;
constexpr std::size_t kMinRule = 5;         // shorter ones are YAML's and Markdown's
constexpr std::size_t kMinReportRule = 30;  // nvidia-bug-report.sh prints 44 underscores
constexpr int kMaxWaitingLines = 4;
constexpr std::string_view kRuleBytes = "=#*-_~";

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

bool is_rule(std::string_view line) {
    return line.size() >= kMinRule && kRuleBytes.find(line.front()) != std::string_view::npos &&
           line.find_first_not_of(line.front()) == std::string_view::npos;
}

/// "#==[ Command ]======#" of SUSE's supportconfig: the line below is "# /usr/bin/lspci -b".
bool is_supportconfig_rule(std::string_view line) { return line.starts_with("#==[") && line.ends_with("=#"); }

/// Lines of tools and of the kernel that look like headings and stand amid what belongs together.
bool is_no_heading(std::string_view title) {
    constexpr std::array kParts{"NVSMI LOG"sv,  "cut here"sv, "end trace"sv, "end Kernel panic"sv,
                                "BEGIN CERT"sv, "END CERT"sv, "BEGIN PGP"sv};
    return title.starts_with('[') ||
           std::any_of(kParts.begin(), kParts.end(), [&](auto part) { return base::contains(title, part); });
}

std::string_view without(std::string_view text, std::string_view start) {
    return text.starts_with(start) ? base::trim_left(text.substr(start.size())) : text;
}

std::string_view bare_title(std::string_view words) {
    words = base::trim(words);
    constexpr std::array kLeads{"Command:"sv, "command:"sv, "COMMAND:"sv,   "CMD:"sv,       "cmd:"sv,
                                "File:"sv,    "file:"sv,    "FILE:"sv,      "Output of "sv, "output of "sv,
                                "Running "sv, "Running:"sv, "Executing "sv, "$ "sv,         "# "sv};
    for (const auto lead : kLeads) words = without(words, lead);
    if (words.ends_with(':')) words.remove_suffix(1);
    if (words.size() > 2 && (words.front() == '`' || words.front() == '\'' || words.front() == '"') &&
        words.back() == words.front())
        words = words.substr(1, words.size() - 2);
    return base::trim(words);
}

/// "/var/log/x", "logs/a.txt", "kern.log": one word with a slash or an ending of letters.
bool is_file_name(std::string_view word) {
    if (word.size() < 3 || base::contains(word, "://")) return false;
    if (word.front() == '/') return word.size() > 3;
    const std::size_t dot = word.rfind('.');
    const bool has_ending = dot != std::string_view::npos && dot > 0 && word.size() - dot >= 3 &&
                            word.size() - dot <= 6 && is_letter(word[dot + 1]) && is_letter(word.back());
    return has_ending && !word.ends_with("...");
}

/// A command line as nvidia-bug-report.sh heads its output with: a tool by its path, "dmesg:", "journalctl -b -0".
bool is_report_command(std::string_view line) {
    const auto [word, rest] = base::split_once(line, " ");
    if (word.starts_with('/')) return names_a_tool(word) || base::contains(word, "bin/");
    if (line.ends_with(':') && rest.empty()) return names_a_tool(word.substr(0, word.size() - 1));
    constexpr std::array kParts{"nvlink"sv, "topo"sv, "conf-compute"sv, "status"sv, "gpu"sv, "nvidia"sv, "60"sv};
    const auto next = base::split_once(base::trim_left(rest), " ").first;
    return names_a_tool(word) &&
           (next.starts_with('-') || std::find(kParts.begin(), kParts.end(), next) != kParts.end());
}

/// The line below a report's rule. A heading that is no command and no file is content too.
Banner report_banner(std::string_view line) {
    constexpr std::string_view kAbsent = " does not exist";
    if (line.starts_with("*** /")) {
        const auto path = line.substr(4);
        if (path.ends_with(kAbsent))
            return {Banner::Kind::absent, std::string(path.substr(0, path.size() - kAbsent.size()))};
        return {Banner::Kind::file, std::string(path)};
    }
    const bool is_command = is_report_command(line);
    if (line.ends_with(':')) line.remove_suffix(1);
    return {is_command ? Banner::Kind::command : Banner::Kind::title, std::string(line.substr(0, kMaxTitleBytes))};
}

/// "  /var/log/kern.log:", "  journalctl -b -0:" in a report's scan of the kernel logs.
std::optional<Banner> parse_scanned_log(std::string_view line) {
    if (!line.starts_with("  ") || !line.ends_with(':') || line.size() > kMaxTitleBytes) return std::nullopt;
    const auto words = line.substr(2, line.size() - 3);
    if (words.starts_with("journalctl ")) return Banner{Banner::Kind::command, std::string(words)};
    if (!words.starts_with('/') || base::contains(words, " ")) return std::nullopt;
    return Banner{Banner::Kind::file, std::string(words)};
}

}  // namespace

std::optional<Banner> parse_title(std::string_view words) {
    words = bare_title(words);
    if (words.size() < 2 || words.size() > kMaxTitleBytes || is_no_heading(words)) return std::nullopt;
    const auto word = base::split_once(words, " ").first;
    if (names_a_tool(words)) return Banner{Banner::Kind::command, std::string(words)};
    if (is_file_name(word)) return Banner{Banner::Kind::file, std::string(words)};
    if (!is_letter(words.front()) && static_cast<unsigned char>(words.front()) < 0x80) return std::nullopt;
    return Banner{Banner::Kind::title, std::string(words)};
}

std::optional<Banner> parse_banner(std::string_view line) {
    if (line.size() < 8 || line.size() > kMaxTitleBytes) return std::nullopt;
    const char mark = line.front();
    if (kRuleBytes.find(mark) == std::string_view::npos) return std::nullopt;
    if (line.starts_with("==> ") && line.ends_with(" <==")) {
        const auto name = base::trim(line.substr(4, line.size() - 8));
        if (name.empty()) return std::nullopt;
        return Banner{Banner::Kind::file, name == "standard input" ? std::string("-") : std::string(name)};
    }
    const std::size_t lead = std::min(line.find_first_not_of(mark), line.size());
    if (lead < 3 || lead == line.size()) return std::nullopt;
    const std::size_t last = line.find_last_not_of(mark);
    const std::size_t tail = line.size() - 1 - last;
    auto title = parse_title(line.substr(lead, last + 1 - lead));
    if (!title) return std::nullopt;
    const bool is_closed = tail >= 3;
    // Open ones ("### nvidia-smi") are remarks and Markdown headings unless they name something.
    if (!is_closed && (mark == '-' || mark == '_' || line[lead] != ' ' || title->kind == Banner::Kind::title))
        return std::nullopt;
    return title;
}

Place BannerFinder::start(Banner banner) {
    banner_ = std::move(banner);
    candidate_.reset();
    rule_ = '\0';
    waiting_lines_ = 0;
    after_file_ = in_report_ && banner_.kind == Banner::Kind::file;
    after_blank_ = false;
    return Place::banner;
}

Place BannerFinder::start_before(Banner banner) {
    static_cast<void>(start(std::move(banner)));
    return Place::banner_before;
}

Place BannerFinder::after_title(std::string_view line) {
    Banner title = *std::exchange(candidate_, std::nullopt);
    const char rule = std::exchange(rule_, '\0');
    waiting_lines_ = 0;
    if (is_rule(line) && line.front() == rule) return start(std::move(title));
    if (title.kind == Banner::Kind::command || needs_no_second_rule_) return start_before(std::move(title));
    return Place::content;
}

Place BannerFinder::after_rule(std::string_view line) {
    const bool may_wait = ++waiting_lines_ < kMaxWaitingLines;
    if (rule_ == '_') {
        if ((line.empty() || is_rule(line)) && may_wait) return Place::undecided;
        const bool is_head = !line.empty() && (in_report_ || line.starts_with("*** /") || is_report_command(line) ||
                                               line.starts_with("Start of NVIDIA bug report") ||
                                               line.starts_with("Scanning kernel log files for NVIDIA"));
        rule_ = '\0';
        if (!is_head) return Place::content;
        const bool is_start = !in_report_ && line.starts_with("Start of");
        in_report_ = true;
        if (is_start) return Place::content;  // the file's own part
        Banner banner = report_banner(line);
        return banner.kind == Banner::Kind::title ? start_before(std::move(banner)) : start(std::move(banner));
    }
    if (is_rule(line) && may_wait) return Place::undecided;
    const auto title =
        line.starts_with(' ') || line.starts_with('\t') || !may_wait
            ? std::nullopt
            : parse_title(rule_ == '#' ? line.substr(std::min(line.find_first_not_of('#'), line.size())) : line);
    if (title) {
        candidate_ = title;
        return Place::undecided;
    }
    rule_ = '\0';
    return Place::content;
}

Place BannerFinder::within_report(std::string_view line) {
    if (std::exchange(after_file_, false) && line.starts_with("*** ls: ")) return Place::dropped;
    const bool after_blank = std::exchange(after_blank_, line.empty());
    if (line.empty() || line.front() == '[') return Place::content;
    if (line.starts_with("*** /")) return start(report_banner(line));
    if (auto scanned = parse_scanned_log(line)) return start(std::move(*scanned));
    if (after_blank && line.size() <= kMaxTitleBytes && is_report_command(line)) return start(report_banner(line));
    return Place::content;
}

Place BannerFinder::look(std::string_view line) {
    line = base::trim_right(line);
    if (candidate_) return after_title(line);
    if (rule_ != '\0') return after_rule(line);
    if (in_report_) {
        if (const Place place = within_report(line); place != Place::content) return place;
    }
    if (line.empty() || kRuleBytes.find(line.front()) == std::string_view::npos) return Place::content;
    needs_no_second_rule_ = is_supportconfig_rule(line);
    if (needs_no_second_rule_ || (is_rule(line) && (line.front() != '_' || line.size() >= kMinReportRule))) {
        rule_ = line.front();
        waiting_lines_ = 0;
        return Place::undecided;
    }
    // A report prints listings whose own headings would cut them.
    if (in_report_) return Place::content;
    auto banner = parse_banner(line);
    return banner ? start(std::move(*banner)) : Place::content;
}

bool BannerFinder::finish() {
    if (!candidate_ || (candidate_->kind != Banner::Kind::command && !needs_no_second_rule_)) return false;
    static_cast<void>(start(std::move(*candidate_)));
    return true;
}

}  // namespace gpumedic::bundle
