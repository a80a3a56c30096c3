// The lines of one file: damaged ones are counted, and what holds several things is split: a shell transcript into the
// answers of its commands, a capture (nvidia-bug-report.log, "=== dmesg ===") into its parts.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bundle/banner.h"
#include "bundle/line_splitter.h"
#include "bundle/section.h"

namespace gpumedic::bundle {

/// Not thread-safe. Lists at least one source, unless finish() comes without a single line (then the caller lists the
/// file).
class TextFile {
public:
    TextFile(Output& output, SectionFacts facts) : output_(output), facts_(std::move(facts)) {}
    void line(const Line& line);
    void finish(const Ending& ending);
    [[nodiscard]] bool has_sections() const { return sections_ > 0; }

private:
    struct WaitingLine {
        std::string text;
        std::uint64_t number;
    };
    [[nodiscard]] Section& section();
    void binary_line(const Line& line);
    void text_line(const Line& line, std::string_view text);
    void content_line(std::string_view text, std::uint64_t number);
    void deliver_waiting();
    void end_section();
    void start_command(std::string_view command);
    void start_part(const Banner& banner);
    void list_unread(const std::string& what, std::string outcome, std::string note);

    Output& output_;
    SectionFacts facts_;
    std::unique_ptr<Section> section_;
    std::size_t sections_{0};
    bool command_goes_on_{false};  // its last line ended in a backslash
    bool skips_part_{false};       // it is encoded
    BannerFinder banners_;
    std::vector<WaitingLine> waiting_;          // rules and titles that may be a banner
    std::optional<std::uint32_t> file_source_;  // of the part before the first banner
    std::string plain_;                         // the line without terminal sequences
};

/// Removes terminal escape sequences (colours of `dmesg --color`, titles in recorded sessions). Appends to `out`. Pure.
void strip_escapes(std::string_view text, std::string& out);

}  // namespace gpumedic::bundle
