#include "evidence/bmc/bmc_reader.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/text.h"
#include "codec/value.h"
#include "evidence/bmc/ipmi.h"
#include "evidence/bmc/redfish.h"

namespace gpumedic::evidence {
namespace {

using bmc::Event;

constexpr std::size_t kMaxDocumentBytes = std::size_t{32} << 20;

bool runs_ipmitool(std::string_view command) {
    for (const auto word : base::split_blanks(command.substr(0, command.find('|')))) {
        if (word == "grep" || word == "cat" || word == "man" || word == "which") return false;
        const auto name = word.substr(word.rfind('/') + 1);
        if (name == "ipmitool" || name == "ipmi-sel") return true;
    }
    return false;
}

struct Line {
    std::uint64_t number{};
    std::string text{};
};

class BmcReader final : public ports::Reader {
public:
    BmcReader(const ports::ReadContext& context, ports::RecordSink sink)
        : sink_(std::move(sink)), time_(context.time) {}

    void line(std::string_view text, std::uint64_t number) override;
    void finish() override {
        if (!document_.empty()) end_document();
    }
    [[nodiscard]] const ports::ReadStats& stats() const override { return stats_; }

private:
    bool take_row(std::string_view text, std::uint64_t number);
    bool take_document(std::string_view text, std::uint64_t number);
    void end_document();
    void deliver_event(const Event& event, std::string_view raw, std::uint64_t number);
    void deliver_text(std::string_view text, std::uint64_t number);

    ports::RecordSink sink_;
    base::TimeContext time_;
    std::vector<Line> document_;
    std::size_t document_bytes_{0};
    ports::ReadStats stats_;
};

void BmcReader::line(std::string_view text, std::uint64_t number) {
    text = base::trim_right(text);
    if (take_document(text, number) || base::trim(text).empty() || text.starts_with("$ ") || take_row(text, number))
        return;
    deliver_text(text, number);
}

bool BmcReader::take_row(std::string_view text, std::uint64_t number) {
    if (const auto event = bmc::parse_log_row(text, time_)) {
        deliver_event(*event, text, number);
        return true;
    }
    if (const auto event = bmc::parse_sensor_row(text)) {
        if (!event->status.empty()) deliver_event(*event, text, number);
        return true;
    }
    if (const auto event = bmc::parse_chassis_line(text)) {
        if (bmc::is_telling(*event)) deliver_event(*event, text, number);
        return true;
    }
    return false;
}

/// A document ends at a bracket in the first column, or with the line that holds all of it.
bool BmcReader::take_document(std::string_view text, std::uint64_t number) {
    const bool starts = text.starts_with("{") || text.starts_with("[");
    if (document_.empty() && !starts) return false;
    document_.push_back({number, std::string(text)});
    document_bytes_ += text.size() + sizeof(Line);
    const bool one_line = document_.size() == 1 && text.size() > 1 && (text.ends_with("}") || text.ends_with("]"));
    if (text == "}" || text == "]" || one_line || document_bytes_ > kMaxDocumentBytes) end_document();
    return true;
}

void BmcReader::end_document() {
    std::string all;
    for (const auto& line : document_) all.append(line.text).append("\n");
    const auto tree = codec::parse_json(all);
    const auto events = tree ? bmc::events_of_json(*tree, time_) : std::vector<Event>{};
    if (!tree) stats_.count_malformed(document_.front().number, "no JSON document: " + tree.error().what);
    // Entries stand in the order of their messages, so each is looked for behind the one before.
    // A message with escapes is not found; each miss costs a pass, so their number is bounded.
    constexpr int kMaxMissed = 32;
    int missed = 0;
    std::size_t at = 0;
    for (const auto& event : events) {
        const auto& needle = event.event.empty() ? event.sensor : event.event;
        const std::string_view key = event.event.empty() ? "Name\"" : "\"Message\"";
        const auto begin = missed < kMaxMissed ? document_.begin() + static_cast<std::ptrdiff_t>(at) : document_.end();
        const auto found = std::find_if(begin, document_.end(), [&](const Line& line) {
            return base::contains(line.text, needle) && base::contains(line.text, key);
        });
        if (found == document_.end()) ++missed;
        const auto& shown = found == document_.end() ? document_[at] : *found;
        if (found != document_.end() && found + 1 != document_.end())
            at = static_cast<std::size_t>(found - document_.begin()) + 1;
        deliver_event(event, shown.text, shown.number);
    }
    if (events.empty())
        for (const auto& line : document_) deliver_text(line.text, line.number);
    document_.clear();
    document_bytes_ = 0;
}

void BmcReader::deliver_event(const Event& event, std::string_view raw, std::uint64_t number) {
    constexpr std::size_t kMaxRaw = 1000;  // a collection on one line
    model::Record record;
    record.type = model::RecordType::bmc_event;
    record.line = number;
    record.time = event.time;
    record.raw = raw.substr(0, kMaxRaw);
    const auto& what = event.event.empty() ? event.value : event.event;
    const auto text = event.sensor.empty() ? what : what.empty() ? event.sensor : event.sensor + ": " + what;
    record.text = text;
    const auto set = [&record](std::string_view key, const std::string& value) {
        if (!value.empty() && value != "na") record.fields.push_back({key, value});
    };
    set("sensor", event.sensor);
    set("event", event.event);
    set("state", event.state);
    set("value", event.value);
    set("unit", event.unit);
    set("status", event.status);
    set("severity", event.severity);
    set("id", event.id);
    ++stats_.records;
    if (sink_) sink_(record);
}

void BmcReader::deliver_text(std::string_view text, std::uint64_t number) {
    if (base::trim(text).empty()) return;
    model::Record record;
    record.line = number;
    record.text = record.raw = text;
    ++stats_.records;
    if (sink_) sink_(record);
}

bool is_redfish(std::string_view text) {
    if (!text.starts_with("{") && !text.starts_with("[")) return false;
    if (base::contains(text, "\"@odata.type\"") && base::contains(text, "\"/redfish/v1")) return true;
    if (base::contains(text, "#LogEntry") || base::contains(text, "/LogServices/")) return true;
    return base::contains(text, "\"EntryType\"") && base::contains(text, "\"Severity\"");
}

int recognise(const ports::Head& head) {
    if (runs_ipmitool(head.command)) return 95;
    if (is_redfish(base::trim_left(head.text))) return 92;
    constexpr int kFirstLines = 60;
    int lines = 0;
    int mine = 0;
    for (auto rest = head.text; !rest.empty() && lines < kFirstLines;) {
        const auto [line, tail] = base::split_once(rest, "\n");
        rest = tail;
        if (base::trim(line).empty()) continue;
        ++lines;
        const bool row = base::contains(line, "|") && (bmc::parse_log_row(line, {}) || bmc::parse_sensor_row(line));
        if (row || bmc::parse_chassis_line(line)) ++mine;
    }
    if (mine == 0) return 0;
    return mine * 2 >= lines ? 85 : 30;
}

std::unique_ptr<ports::Reader> make(const ports::ReadContext& context, ports::RecordSink sink) {
    return std::make_unique<BmcReader>(context, std::move(sink));
}

}  // namespace

ports::ReaderKind bmc_kind() { return {"bmc", &recognise, &make}; }

}  // namespace gpumedic::evidence
