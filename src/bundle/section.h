// One stretch of a file that one command printed, or the whole file: its lines go to the reader that recognises them.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/timestamp.h"
#include "bundle/account.h"
#include "bundle/bundle.h"
#include "bundle/line_buffer.h"
#include "bundle/reader_table.h"
#include "bundle/vantage.h"
#include "model/diagnosis.h"
#include "ports/reader.h"

namespace gpumedic::bundle {

/// Where records and sources go. The vector may grow; sources are named by index.
struct Output {
    std::vector<model::Source>& sources;
    const RecordSink& sink;
    base::TimeContext time;
    Accounts accounts{};  // of collections, as they are met
};

struct SectionFacts {
    std::string file;  // as it is shown: "kernel.log"
    std::string path;
    std::string command;  // as typed; empty outside a transcript
    /// Readable lines among binary content count only where a reader recognises them: strings of a program look like
    /// text.
    enum class Content : std::uint8_t { text, binary } content{Content::text};
    std::string title{};  // what a heading calls it, where that is no command: "/var/log/kern.log"
    /// Where what nobody recognises is counted instead of being a source of its own: a bug report has a hundred
    /// sections, of which few speak of GPUs.
    std::optional<std::uint32_t> shared_source{};
};

/// How a section ended, where that was not simply its end.
struct Ending {
    std::string outcome;  // "truncated"; empty: nothing special
    std::string note;
};

/// Lists one source as soon as its reader is known, and one more for each further kind of thing that a mixed section
/// holds. Keeps at most 64 KiB and one line. Not thread-safe.
class Section {
public:
    Section(Output& output, SectionFacts facts);
    Section(const Section&) = delete;
    Section& operator=(const Section&) = delete;
    ~Section();

    void line(std::string_view text, std::uint64_t number);
    /// A line that is damaged whoever reads it.
    void count_malformed(std::uint64_t number, std::string why);
    void finish(const Ending& ending);
    /// The index of its own source. Valid after finish().
    [[nodiscard]] std::uint32_t source() const;

private:
    struct Part;  // what one kind of reader has read here
    enum class State : std::uint8_t { head, block, reading };

    [[nodiscard]] ports::Head head_of(std::string_view text) const;
    void settle_head();
    void settle_block();
    [[nodiscard]] const TableRow& row_for_block(std::string_view block) const;
    [[nodiscard]] const TableRow* stranger(std::string_view block) const;
    [[nodiscard]] const TableRow& row_for_line(std::string_view line) const;
    void deliver(std::string_view text, std::uint64_t number);
    [[nodiscard]] Part& part_for(const TableRow& row);
    void start_reader(Part& part);
    void stop_reader(Part& part);
    void close(Part& part, const Ending& ending);
    void list_own_source();
    [[nodiscard]] std::uint32_t list_source(const std::string& name);

    Output& output_;
    SectionFacts facts_;
    std::string effective_;      // command without wrappers
    std::string recognised_by_;  // what of it recognition may rely on
    State state_{State::head};
    bool is_mixed_{false};  // blocks may be of different kinds
    bool has_content_{false};
    const TableRow* current_{};  // null until the head is settled
    Part* active_{};             // the part that got the last line
    LineBuffer waiting_;
    std::vector<std::unique_ptr<Part>> parts_;  // the first is the section's own source
};

}  // namespace gpumedic::bundle
