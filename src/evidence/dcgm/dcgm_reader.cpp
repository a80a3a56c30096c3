#include "evidence/dcgm/dcgm_reader.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/text.h"
#include "codec/value.h"
#include "evidence/dcgm/interpret.h"
#include "evidence/dcgm/json_report.h"
#include "evidence/dcgm/listing.h"
#include "evidence/dcgm/report_table.h"

namespace gpumedic::evidence {
namespace {

using dcgm::Finding;

constexpr std::size_t kMaxDocumentBytes = std::size_t{16} << 20;

/// The tool is a word of the first stage of the pipe.
bool runs_dcgmi(std::string_view command) {
    constexpr std::array<std::string_view, 5> kOthers{"grep", "cat", "man", "which", "ls"};
    for (const auto word : base::split_blanks(command.substr(0, command.find('|')))) {
        if (std::find(kOthers.begin(), kOthers.end(), word) != kOthers.end()) return false;
        if (word.substr(word.rfind('/') + 1) == "dcgmi") return true;
    }
    return false;
}

struct Line {
    std::uint64_t number{};
    std::string text{};
};

class DcgmReader final : public ports::Reader {
public:
    explicit DcgmReader(ports::RecordSink sink) : sink_(std::move(sink)) {}

    void line(std::string_view text, std::uint64_t number) override;
    void finish() override;
    [[nodiscard]] const ports::ReadStats& stats() const override { return stats_; }

private:
    bool take_document(std::string_view text, std::uint64_t number);
    bool take_links(std::string_view text, std::uint64_t number);
    bool take_monitor(std::string_view text, std::uint64_t number);
    void end_table();
    void end_document();
    [[nodiscard]] const Line& line_with(const Finding& finding) const;
    void deliver_finding(const Finding& finding);
    void deliver_text(std::string_view text, std::uint64_t number);
    void deliver(const model::Record& record);

    ports::RecordSink sink_;
    dcgm::ReportTable table_;
    std::vector<Line> document_;
    std::size_t document_bytes_{0};
    std::vector<std::string> columns_;  // of dmon
    std::string linked_gpu_;            // whose row of links comes next
    ports::ReadStats stats_;
};

void DcgmReader::line(std::string_view text, std::uint64_t number) {
    text = base::trim_right(text);
    if (take_document(text, number)) return;
    if (table_.line(text, number)) {
        if (table_.full()) end_table();
        return;
    }
    end_table();
    if (base::trim(text).empty() || text.starts_with("$ ") || take_links(text, number) || take_monitor(text, number))
        return;
    deliver_text(text, number);
}

void DcgmReader::finish() {
    end_table();
    if (!document_.empty()) end_document();
}

/// The tool prints one document; it begins and ends at the line's start.
bool DcgmReader::take_document(std::string_view text, std::uint64_t number) {
    if (document_.empty() && !text.starts_with("{")) return false;
    document_.push_back({number, std::string(text)});
    document_bytes_ += text.size() + sizeof(Line);
    if (text.starts_with("}") || document_bytes_ > kMaxDocumentBytes || (text.size() > 1 && text.ends_with("}}")))
        end_document();
    return true;
}

void DcgmReader::end_document() {
    std::string all;
    for (const auto& line : document_) all.append(line.text).append("\n");
    const auto tree = codec::parse_json(all);
    const auto findings = tree ? dcgm::findings_of_json(*tree) : std::vector<Finding>{};
    if (!tree) stats_.count_malformed(document_.front().number, "no JSON document: " + tree.error().what);
    for (auto finding : findings) {
        const auto& shown = line_with(finding);
        finding.line = shown.number;
        finding.raw = shown.text;
        deliver_finding(finding);
    }
    if (findings.empty())
        for (const auto& line : document_) deliver_text(line.text, line.number);
    document_.clear();
    document_bytes_ = 0;
}

/// The first line that shows the text; a message with escapes is not found, then the document's first.
const Line& DcgmReader::line_with(const Finding& finding) const {
    constexpr std::size_t kMaxLines = 4096;  // a search for each finding: bounded on hostile documents
    if (document_.size() > kMaxLines) return document_.front();
    const auto found = std::find_if(document_.begin(), document_.end(),
                                    [&](const Line& line) { return base::contains(line.text, finding.text); });
    return found == document_.end() ? document_.front() : *found;
}

bool DcgmReader::take_links(std::string_view text, std::uint64_t number) {
    if (const auto gpu = dcgm::parse_gpu_heading(text); !gpu.empty()) {
        linked_gpu_ = gpu;
        return true;
    }
    const auto states = dcgm::parse_link_row(text);
    if (states.empty()) {
        linked_gpu_.clear();
        const auto trimmed = base::trim(text);
        return text == "GPUs:" || text == "NvSwitches:" || text.starts_with("Key: ") ||
               trimmed.starts_with("physicalId") || trimmed == "No NvSwitches found.";
    }
    for (std::size_t i = 0; i < states.size() && !linked_gpu_.empty(); ++i) {
        if (states[i] != dcgm::LinkState::up && states[i] != dcgm::LinkState::down) continue;
        const auto link = std::to_string(i);
        const std::string state = states[i] == dcgm::LinkState::up ? "active" : "inactive";
        const auto shown = "gpuId " + linked_gpu_ + " link " + link + ": " + (state == "active" ? "Up" : "Down");
        model::Record record;
        record.type = model::RecordType::nvlink;
        record.line = number;
        record.text = shown;
        record.raw = text;
        record.fields = {{"index", linked_gpu_}, {"link", link}, {"state", state}};
        deliver(record);
    }
    linked_gpu_.clear();
    return true;
}

bool DcgmReader::take_monitor(std::string_view text, std::uint64_t number) {
    if (auto columns = dcgm::parse_monitor_header(text); !columns.empty()) {
        columns_ = std::move(columns);
        return true;
    }
    if (columns_.empty()) return false;
    for (auto finding : dcgm::parse_monitor_row(text, columns_)) {
        finding.line = number;
        deliver_finding(finding);
    }
    const auto trimmed = base::trim(text);
    return trimmed == "ID" || trimmed.starts_with("ID ") || trimmed.starts_with("GPU ") || trimmed.starts_with("GPU-");
}

void DcgmReader::end_table() {
    for (const auto& finding : dcgm::findings_of(table_.take())) deliver_finding(finding);
}

void DcgmReader::deliver_finding(const Finding& finding) {
    model::Record record;
    record.type = model::RecordType::dcgm;
    record.line = finding.line;
    record.text = finding.text;
    record.raw = finding.raw;
    const auto set = [&record](std::string_view key, const std::string& value) {
        if (!value.empty()) record.fields.push_back({key, value});
    };
    set("index", finding.index);
    set("test", finding.test);
    set("system", finding.system);
    set("result", finding.result);
    set("code", finding.code);
    set("value", finding.value);
    deliver(record);
}

void DcgmReader::deliver_text(std::string_view text, std::uint64_t number) {
    if (base::trim(text).empty()) return;
    model::Record record;
    record.line = number;
    record.text = record.raw = text;
    deliver(record);
}

void DcgmReader::deliver(const model::Record& record) {
    ++stats_.records;
    if (sink_) sink_(record);
}

int certainty_of_line(std::string_view line) {
    const auto text = base::trim(line);
    if (text.starts_with("| Health Monitor Report") || base::contains(text, "| Overall Health: ")) return 95;
    if (text.starts_with("| Diagnostic ") && base::contains(text, "| Result ")) return 95;
    if (base::contains(text, "NvLink Link Status")) return 95;
    if (text == "Successfully ran diagnostic for group.") return 90;
    if (base::contains(text, "DCGM Diagnostic\"") || base::contains(text, "DCGM GPU Diagnostic\"")) return 90;
    if (text.starts_with("\"Overall Health\"")) return 90;
    if (!dcgm::parse_monitor_header(text).empty()) return 90;
    return dcgm::parse_gpu_heading(text).empty() ? 0 : 60;
}

/// A member whose name begins so; the same words inside of a string are not meant (a log's line in a JSON frame).
bool has_member(std::string_view json, std::string_view name) {
    for (std::size_t at = 0; (at = json.find(name, at)) != std::string_view::npos; at += name.size()) {
        if (at == 0 || json[at - 1] != '"' || (at > 1 && json[at - 2] == '\\')) continue;
        const auto end = json.find('"', at);
        if (end != std::string_view::npos && base::trim_left(json.substr(end + 1)).starts_with(':')) return true;
    }
    return false;
}

int recognise(const ports::Head& head) {
    if (runs_dcgmi(head.command)) return 95;
    const auto start = base::trim_left(head.text);
    if (start.starts_with("{") && (has_member(start, "Overall Health") || has_member(start, "DCGM "))) return 95;
    constexpr int kFirstLines = 40;
    int best = 0;
    int seen = 0;
    for (auto rest = head.text; !rest.empty() && seen < kFirstLines && best < 90; ++seen) {
        const auto [line, tail] = base::split_once(rest, "\n");
        rest = tail;
        best = std::max(best, certainty_of_line(line));
    }
    return best;
}

std::unique_ptr<ports::Reader> make(const ports::ReadContext&, ports::RecordSink sink) {
    return std::make_unique<DcgmReader>(std::move(sink));
}

}  // namespace

ports::ReaderKind dcgm_kind() { return {"dcgm", &recognise, &make}; }

}  // namespace gpumedic::evidence
