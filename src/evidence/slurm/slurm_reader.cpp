#include "evidence/slurm/slurm_reader.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/text.h"
#include "evidence/slurm/block.h"
#include "evidence/slurm/entry.h"
#include "evidence/slurm/hostlist.h"
#include "evidence/slurm/table.h"

namespace gpumedic::evidence {
namespace {

using model::RecordType;
using slurm::BlockKind;
using slurm::Entry;
using slurm::Table;

/// The first word of the pipe that is one of Slurm's reporting tools, or "".
std::string_view tool_of(std::string_view command) {
    constexpr std::array<std::string_view, 4> kTools{"sinfo", "scontrol", "squeue", "sacct"};
    for (const auto word : base::split_blanks(command.substr(0, command.find('|')))) {
        if (word == "grep" || word == "cat" || word == "man") return {};
        const auto name = word.substr(word.rfind('/') + 1);
        if (std::find(kTools.begin(), kTools.end(), name) != kTools.end()) return name;
    }
    return {};
}

class SlurmReader final : public ports::Reader {
public:
    SlurmReader(const ports::ReadContext& context, ports::RecordSink sink)
        : sink_(std::move(sink)), time_(context.time), asked_scontrol_(tool_of(context.command) == "scontrol") {}

    void line(std::string_view text, std::uint64_t number) override;
    void finish() override { end_block(); }
    [[nodiscard]] const ports::ReadStats& stats() const override { return stats_; }

private:
    bool take_prompt(std::string_view text);
    bool take_block(std::string_view text, std::uint64_t number);
    bool take_table(std::string_view text, std::uint64_t number);
    void end_block();
    void deliver_entry(const Entry& entry);
    void deliver_one(const Entry& entry, std::string_view node);
    void deliver_text(std::string_view text, std::uint64_t number);

    ports::RecordSink sink_;
    base::TimeContext time_;
    bool asked_scontrol_;
    std::optional<Table> table_;
    std::optional<Entry> block_;
    BlockKind kind_{BlockKind::none};
    ports::ReadStats stats_;
};

void SlurmReader::line(std::string_view text, std::uint64_t number) {
    text = base::trim_right(text);
    if (take_prompt(text)) return;
    if (text.empty()) {
        // Inside of a node's block an empty line may precede the reason; a table ends.
        table_.reset();
        return;
    }
    if (take_block(text, number) || take_table(text, number)) return;
    deliver_text(text, number);
}

/// A transcript that nobody split: the next command's answer follows.
bool SlurmReader::take_prompt(std::string_view text) {
    if (!text.starts_with("$ ") && !text.starts_with("# ")) return false;
    const auto tool = tool_of(text.substr(2));
    if (tool.empty()) return false;
    end_block();
    table_.reset();
    asked_scontrol_ = tool == "scontrol";
    return true;
}

bool SlurmReader::take_block(std::string_view text, std::uint64_t number) {
    const auto started = slurm::block_started_by(text);
    if (started != BlockKind::none) {
        end_block();
        if (started == BlockKind::node && !asked_scontrol_ && !slurm::shows_live_node(text)) return false;
        table_.reset();
        kind_ = started;
        block_.emplace();
        block_->type = started == BlockKind::node ? RecordType::slurm_node : RecordType::slurm_job;
        block_->line = number;
        block_->raw = text;
    } else if (!block_) {
        return false;
    } else if (text.front() != ' ' && text.front() != '\t') {
        end_block();
        return false;
    }
    slurm::take_block_line(text, kind_, time_, *block_);
    // The line that tells why is the better evidence.
    if (base::trim_left(text).starts_with("Reason=")) {
        block_->line = number;
        block_->raw = text;
    }
    return true;
}

bool SlurmReader::take_table(std::string_view text, std::uint64_t number) {
    if (auto header = Table::parse_header(text)) {
        table_ = std::move(header);
        return true;
    }
    if (!table_) return base::parse_ctime(text, time_).has_value() && text.size() < 40;  // the time above `sinfo -N -l`
    if (table_->take_dashes(text)) return true;
    auto entry = table_->parse_row(text, time_);
    if (!entry) {
        stats_.count_malformed(number, "a row that does not fit its table's header");
        return false;
    }
    entry->line = number;
    deliver_entry(*entry);
    return true;
}

void SlurmReader::end_block() {
    if (block_) {
        block_->nodes = block_->field("name");
        deliver_entry(*block_);
    }
    block_.reset();
}

void SlurmReader::deliver_entry(const Entry& entry) {
    if (entry.type != RecordType::slurm_node) return deliver_one(entry, {});
    for (const auto& node : slurm::expand_hostlist(entry.nodes)) deliver_one(entry, node);
}

void SlurmReader::deliver_one(const Entry& entry, std::string_view node) {
    model::Record record;
    record.type = entry.type;
    record.line = entry.line;
    record.time = entry.time;
    record.raw = entry.raw;
    record.text = entry.field("reason").empty() ? entry.field("state") : entry.field("reason");
    if (!node.empty()) record.fields.push_back({"name", std::string(node)});
    for (const auto& [key, value] : entry.fields)
        if (node.empty() || key != "name") record.fields.push_back({key, value});
    ++stats_.records;
    if (sink_) sink_(record);
}

void SlurmReader::deliver_text(std::string_view text, std::uint64_t number) {
    model::Record record;
    record.line = number;
    record.text = record.raw = text;
    ++stats_.records;
    if (sink_) sink_(record);
}

/// A line of gres.conf or slurm.conf that says something of GPUs.
bool is_configuration(std::string_view line) {
    const auto text = base::trim(line);
    if (text.starts_with("GresTypes=")) return true;
    const bool line_of_nodes = text.starts_with("NodeName=") || text.starts_with("Name=gpu");
    if (text.starts_with("AutoDetect=")) return base::contains(base::lower(text), "nv") || text == "AutoDetect=off";
    return line_of_nodes && (base::contains(text, "Gres=gpu") || base::contains(text, "Name=gpu"));
}

int certainty_of_line(std::string_view line, bool early) {
    if (slurm::block_started_by(line) == BlockKind::node && slurm::shows_live_node(line)) return 95;
    if (line.starts_with("JobId=") && base::contains(line, " JobName=")) return 95;
    if (is_configuration(line)) return early ? 80 : 40;
    return Table::parse_header(line) ? (early ? 90 : 60) : 0;
}

int recognise(const ports::Head& head) {
    if (!tool_of(head.command).empty()) return 95;
    constexpr int kFirstLines = 8;
    constexpr int kMaxLines = 200;
    int best = 0;
    int seen = 0;
    for (auto rest = head.text; !rest.empty() && best < 90 && seen < kMaxLines;) {
        const auto [line, tail] = base::split_once(rest, "\n");
        rest = tail;
        if (base::trim(line).empty()) continue;
        best = std::max(best, certainty_of_line(base::trim_right(line), seen < kFirstLines));
        ++seen;
    }
    return best;
}

std::unique_ptr<ports::Reader> make(const ports::ReadContext& context, ports::RecordSink sink) {
    return std::make_unique<SlurmReader>(context, std::move(sink));
}

}  // namespace

ports::ReaderKind slurm_kind() { return {"slurm", &recognise, &make}; }

}  // namespace gpumedic::evidence
