// The lines of one file: damaged ones are counted, and a shell transcript is split into the answers of its commands.
#pragma once

#include <memory>
#include <string>

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
    [[nodiscard]] Section& section();
    void start_command(std::string_view command);

    Output& output_;
    SectionFacts facts_;
    std::unique_ptr<Section> section_;
    std::size_t sections_{0};
    bool command_goes_on_{false};  // its last line ended in a backslash
    std::string plain_;            // the line without terminal sequences
};

/// Removes terminal escape sequences (colours of `dmesg --color`, titles in recorded sessions). Appends to `out`. Pure.
void strip_escapes(std::string_view text, std::string& out);

}  // namespace gpumedic::bundle
