#include "evidence/kubectl/kubectl_reader.h"

#include <utility>
#include <vector>

#include "base/text.h"
#include "codec/value.h"
#include "evidence/kubectl/command.h"
#include "evidence/kubectl/describe.h"
#include "evidence/kubectl/document.h"
#include "evidence/kubectl/node.h"
#include "evidence/kubectl/objects.h"
#include "evidence/kubectl/recognise.h"
#include "evidence/kubectl/table.h"

namespace gpumedic::evidence {
namespace {

using kubectl::Command;
using kubectl::Draft;
using kubectl::Subject;
using kubectl::Table;

class KubectlReader final : public ports::Reader {
public:
    KubectlReader(const ports::ReadContext& context, ports::RecordSink sink)
        : sink_(std::move(sink)), time_context_(context.time), command_(kubectl::parse_command(context.command)) {}

    void line(std::string_view text, std::uint64_t number) override;
    void finish() override { end_block(); }
    [[nodiscard]] const ports::ReadStats& stats() const override { return stats_; }

private:
    enum class Block { none, table, description, json, yaml };
    /// Of a list that is read item by item.
    struct ListState {
        bool open{false};
        bool has_known_items{false};
        std::uint64_t last_line{};
        std::string item_kind{};  // where the items do not say theirs
    };

    bool take_prompt(std::string_view text);
    bool start_block(std::string_view text, std::uint64_t number);
    bool continue_block(std::string_view text, std::uint64_t number);
    void take_row(std::string_view text, std::uint64_t number);
    void take_loose_line(std::string_view text, std::uint64_t number);
    void add_to_document(std::string_view text, std::uint64_t number);
    void add_json(std::string_view text, std::uint64_t number);
    void add_yaml(std::string_view text, std::uint64_t number);
    void start_list(std::string_view kind_line);
    void end_item(Block block);
    void add_to_description(std::string_view text, std::uint64_t number);
    void end_block();
    void end_document(Block block);
    void end_description();
    void deliver_objects(const std::vector<codec::Value>& objects);
    void deliver_document_as_text();
    void deliver_text(std::string_view text, std::uint64_t number);
    void deliver(const Draft& draft);

    ports::RecordSink sink_;
    base::TimeContext time_context_;
    Command command_;
    Block block_{Block::none};
    std::optional<Table> table_;
    std::vector<kubectl::Line> description_;
    std::size_t description_bytes_{0};
    kubectl::Document document_;
    kubectl::JsonParts json_;
    ListState list_{};
    bool document_has_version_{false};
    kubectl::LooseResources loose_resources_;
    ports::ReadStats stats_;
};

bool is_yaml_start(std::string_view text) {
    return text.starts_with("apiVersion:") || text.starts_with("- apiVersion:") || text.starts_with("kind: ") ||
           text == "items:" || text == "metadata:" || text == "---";
}

bool is_description_start(std::string_view text) {
    return text.starts_with("Name:  ") || text.starts_with("Events:") || kubectl::starts_node_part(text) ||
           Table::parse_event_header(text).has_value();
}

void KubectlReader::line(std::string_view text, std::uint64_t number) {
    text = base::trim_right(text);
    if (take_prompt(text)) return;
    if (continue_block(text, number)) return;
    if (text.empty() || start_block(text, number)) return;
    take_loose_line(text, number);
}

/// A transcript that nobody split: the next command's answer follows.
bool KubectlReader::take_prompt(std::string_view text) {
    if (!text.starts_with("$ ") && !text.starts_with("# ")) return false;
    auto command = kubectl::parse_command(text.substr(2));
    if (command.verb == Command::Verb::none) return false;
    end_block();
    command_ = std::move(command);
    return true;
}

/// False when the line does not belong to the block that is open; then the block is closed.
bool KubectlReader::continue_block(std::string_view text, std::uint64_t number) {
    switch (block_) {
        case Block::none: return false;
        case Block::json: add_to_document(text, number); return true;
        case Block::yaml:
            if (text == "---" || text == "..." || (document_has_version_ && text.starts_with("apiVersion:"))) break;
            add_to_document(text, number);
            return true;
        case Block::description:
            if (text.starts_with("Name:  ") || Table::parse_header(text) || text.starts_with("apiVersion:") ||
                text == "{")
                break;
            add_to_description(text, number);
            return true;
        case Block::table:
            if (text.empty() || is_description_start(text) || Table::parse_header(text)) break;
            take_row(text, number);
            return true;
    }
    end_block();
    return false;
}

bool KubectlReader::start_block(std::string_view text, std::uint64_t number) {
    if (auto table = Table::parse_header(text)) {
        table_ = std::move(table);
        block_ = Block::table;
        return true;
    }
    if (is_description_start(text)) {
        block_ = Block::description;
        add_to_description(text, number);
        return true;
    }
    const bool json = text.starts_with("{") || text.starts_with("[");
    if (!json && !is_yaml_start(text)) return false;
    block_ = json ? Block::json : Block::yaml;
    json_ = {};
    list_ = {};
    document_has_version_ = false;
    add_to_document(text, number);
    return true;
}

void KubectlReader::take_row(std::string_view text, std::uint64_t number) {
    if (table_->subject() == Subject::other) return;
    auto draft = kubectl::draft_of_row(table_->subject(), table_->row(text), command_);
    if (!draft) {
        stats_.count_malformed(number, "a row that does not fit its table's header");
        return deliver_text(text, number);
    }
    draft->line = number;
    draft->raw = text;
    deliver(*draft);
}

/// A row whose header or section a grep took away, or a message of kubectl.
void KubectlReader::take_loose_line(std::string_view text, std::uint64_t number) {
    if (command_.verb == Command::Verb::get) {
        const auto row = kubectl::row_without_header(text, command_);
        if (auto draft = row.empty() ? std::nullopt : kubectl::draft_of_row(command_.subject, row, command_)) {
            draft->line = number;
            draft->raw = text;
            return deliver(*draft);
        }
    }
    if (auto draft = loose_resources_.take(text, command_)) {
        draft->line = number;
        draft->raw = text;
        return deliver(*draft);
    }
    deliver_text(text, number);
}

void KubectlReader::add_to_document(std::string_view text, std::uint64_t number) {
    if (document_.text().size() + text.size() > kubectl::Document::kMaxBytes) {
        stats_.count_malformed(document_.first_line(), "the document is too large");
        deliver_document_as_text();
        block_ = Block::none;
        return deliver_text(text, number);
    }
    if (block_ == Block::json) return add_json(text, number);
    add_yaml(text, number);
}

/// A list may have any length: each item is read when it is complete.
void KubectlReader::add_json(std::string_view text, std::uint64_t number) {
    using Role = kubectl::JsonParts::Role;
    list_.last_line = number;
    json_.line(text, [&](std::string_view piece, Role role) {
        if (json_.is_list() && !list_.open) start_list("\"kind\"");
        if (role == Role::frame || (list_.open && role == Role::document)) return;
        document_.add(piece, number);
        if (role == Role::item_end) end_item(Block::json);
    });
    if (json_.closed()) end_block();
}

void KubectlReader::add_yaml(std::string_view text, std::uint64_t number) {
    if (text == "items:" && !list_.open) {
        start_list("kind");
        return;
    }
    if (!list_.open) {
        document_.add(text, number);
        if (text.starts_with("apiVersion:")) document_has_version_ = true;
        return;
    }
    const bool starts_item = text.starts_with("- ");
    if (starts_item || (!text.empty() && text.front() != ' ')) {
        if (!document_.empty()) end_item(Block::yaml);
        if (!starts_item) return;  // "kind: List" below the items
    } else if (document_.empty()) {
        return;
    }
    std::string line(text);
    if (starts_item) line.front() = ' ';
    document_.add(line, number);
}

/// What stands above the items may name their kind ("PodList").
void KubectlReader::start_list(std::string_view key) {
    list_.open = true;
    const std::string_view head(document_.text());
    if (const auto at = head.find(key); at != std::string_view::npos) {
        const auto value = base::trim_left(head.substr(at + key.size()));
        const auto kind = value.substr(0, value.find_first_of(",\n")).substr(std::min<std::size_t>(value.size(), 1));
        const auto start = kind.find_first_not_of(" \"");
        if (start != std::string_view::npos) {
            const auto name = kind.substr(start, kind.find_first_of(" \"", start) - start);
            if (name.ends_with("List") && name.size() > 4) list_.item_kind = name.substr(0, name.size() - 4);
        }
    }
    document_.clear();
}

void KubectlReader::end_item(Block block) {
    // The item goes on where its list goes on.
    end_document(block);
    document_.clear();
}

void KubectlReader::add_to_description(std::string_view text, std::uint64_t number) {
    description_.push_back({number, std::string(text)});
    description_bytes_ += text.size() + sizeof(kubectl::Line);
    if (description_bytes_ > kubectl::Document::kMaxBytes) end_block();
}

void KubectlReader::end_block() {
    const auto block = std::exchange(block_, Block::none);
    if (block == Block::json && list_.open && !json_.closed() && document_.empty())
        stats_.count_malformed(list_.last_line, "the list is cut");
    table_.reset();
    if (block == Block::json || block == Block::yaml) end_document(block);
    if (block == Block::description) end_description();
}

void KubectlReader::end_document(Block block) {
    if (document_.empty()) return;
    if (block == Block::json) {
        auto tree = codec::parse_json(document_.text());
        if (tree) {
            std::vector<codec::Value> objects;
            objects.push_back(std::move(*tree));
            deliver_objects(objects);
        } else {
            stats_.count_malformed(document_.first_line(), "no JSON document: " + tree.error().what);
            deliver_document_as_text();
        }
    } else {
        const auto trees = codec::parse_yaml(document_.text());
        if (trees) {
            deliver_objects(*trees);
        } else {
            stats_.count_malformed(document_.first_line(), "no YAML document: " + trees.error().what);
            deliver_document_as_text();
        }
    }
    document_.clear();
}

void KubectlReader::deliver_objects(const std::vector<codec::Value>& objects) {
    bool any = false;
    for (const auto& object : objects) {
        for (auto& draft : kubectl::drafts_of(object, time_context_, list_.item_kind)) {
            any = true;
            if (draft.type != model::RecordType::k8s_node && draft.field("namespace").empty())
                draft.set("namespace", command_.namespace_);
            document_.locate(draft);
            deliver(draft);
        }
    }
    list_.has_known_items = list_.has_known_items || any;
    if (!any && !list_.has_known_items) deliver_document_as_text();
}

/// What we cannot read as objects is not lost: a fault's line in it is still seen.
void KubectlReader::deliver_document_as_text() {
    for (std::size_t i = 0; i < document_.line_count(); ++i)
        if (!document_.line(i).empty()) deliver_text(document_.line(i), document_.first_line() + i);
    document_.clear();
}

/// The line of this number; lines follow each other without gaps, so the number gives the place. The first where it
/// does not.
const kubectl::Line& line_at(const std::vector<kubectl::Line>& lines, std::uint64_t number) {
    const auto first = lines.front().number;
    const bool inside = number >= first && number - first < lines.size();
    return lines[inside ? static_cast<std::size_t>(number - first) : 0];
}

void KubectlReader::end_description() {
    const auto lines = std::exchange(description_, {});
    description_bytes_ = 0;
    if (lines.empty()) return;
    std::vector<std::uint64_t> malformed;
    auto drafts = kubectl::drafts_of_description(lines, command_, time_context_, malformed);
    for (const auto number : malformed) stats_.count_malformed(number, "a row that does not fit the table of events");

    bool state = false;
    for (auto& draft : drafts) {
        state = state || draft.type != model::RecordType::k8s_event;
        const auto& line = line_at(lines, draft.line);
        draft.line = line.number;
        draft.raw = line.text;
    }
    for (const auto& draft : drafts)
        if (draft.type != model::RecordType::k8s_event) deliver(draft);
    for (const auto& line : lines) {
        if (line.text.starts_with("Events:") || Table::parse_event_header(line.text)) break;
        if (!state && !line.text.empty()) deliver_text(line.text, line.number);
    }
    for (const auto number : malformed) deliver_text(line_at(lines, number).text, number);
    for (const auto& draft : drafts)
        if (draft.type == model::RecordType::k8s_event) deliver(draft);
}

void KubectlReader::deliver_text(std::string_view text, std::uint64_t number) {
    model::Record record;
    record.line = number;
    record.text = record.raw = text;
    ++stats_.records;
    if (sink_) sink_(record);
}

void KubectlReader::deliver(const Draft& draft) {
    model::Record record;
    record.type = draft.type;
    record.line = draft.line;
    record.time = draft.time;
    record.host = draft.host;
    record.text = draft.text;
    record.raw = draft.raw;
    record.fields = draft.fields;
    ++stats_.records;
    if (sink_) sink_(record);
}

std::unique_ptr<ports::Reader> make(const ports::ReadContext& context, ports::RecordSink sink) {
    return std::make_unique<KubectlReader>(context, std::move(sink));
}

}  // namespace

ports::ReaderKind kubectl_kind() { return {"kubectl", &kubectl::certainty, &make}; }

}  // namespace gpumedic::evidence
