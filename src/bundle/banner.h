// Headings inside a file: where one capture of many commands and files goes on to its next part. nvidia-bug-report.log
// (a rule of underscores, then a command or "*** /path"), "=== dmesg ===", "==> file <==" (tail), a title between two
// rules, supportconfig.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace gpumedic::bundle {

struct Banner {
    enum class Kind : std::uint8_t {
        command,  // what follows is its output
        file,     // what follows is its content
        absent,   // the file was sought and is not there
        title     // some other heading
    };
    Kind kind{Kind::title};
    std::string text{};  // "lspci -vvv", "/var/log/kern.log", "GPU node"
    auto operator<=>(const Banner& other) const = default;
};

/// A heading of one line: "=== x ===", "##### lspci -v", "==> x <==", "--- /etc/x ---". Pure, thread-safe; fast on
/// other lines.
[[nodiscard]] std::optional<Banner> parse_banner(std::string_view line);

/// What a heading's words are: a command where the first is a tool's name, a file where it is a path. Pure.
[[nodiscard]] std::optional<Banner> parse_title(std::string_view words);

/// Follows the lines of one file. Not thread-safe.
class BannerFinder {
public:
    enum class Place : std::uint8_t {
        content,        // this line and those that waited
        undecided,      // it waits
        banner,         // the line, with those that waited, is the banner
        banner_before,  // those that waited are the banner; this line is to be looked at again
        dropped         // belongs to a banner, says nothing
    };
    [[nodiscard]] Place look(std::string_view line);
    /// The file is over: is what waited a banner?
    [[nodiscard]] bool finish();
    /// Of the last look that gave one.
    [[nodiscard]] const Banner& banner() const { return banner_; }
    /// Was the form of nvidia-bug-report.log seen?
    [[nodiscard]] bool in_report() const { return in_report_; }

private:
    [[nodiscard]] Place after_title(std::string_view line);
    [[nodiscard]] Place after_rule(std::string_view line);
    [[nodiscard]] Place within_report(std::string_view line);
    [[nodiscard]] Place start(Banner banner);
    [[nodiscard]] Place start_before(Banner banner);

    Banner banner_{};
    std::optional<Banner> candidate_{};  // the title below a rule
    char rule_{'\0'};                    // of the rule that waits
    int waiting_lines_{0};
    bool needs_no_second_rule_{false};
    bool in_report_{false};
    bool after_file_{false};   // the last line was "*** /path"
    bool after_blank_{false};  // the last line was blank
};

}  // namespace gpumedic::bundle
