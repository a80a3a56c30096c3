#include "evidence/collection/collection_reader.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "base/text.h"
#include "codec/value.h"

namespace gpumedic::evidence {
namespace {

using codec::Value;

constexpr std::size_t kMaxBytes = std::size_t{16} << 20;
constexpr std::string_view kSchema = "\"gpumedic.manifest/v1\"";
constexpr std::string_view kFirstWords = "\"gpumedic.collection/v1\"";
constexpr std::array<std::string_view, 7> kOutcomes{"ok",        "absent",  "denied", "timed_out",
                                                    "truncated", "blocked", "failed"};

bool is_outcome(std::string_view text) {
    return std::find(kOutcomes.begin(), kOutcomes.end(), text) != kOutcomes.end();
}

class CollectionReader final : public ports::Reader {
public:
    explicit CollectionReader(ports::RecordSink sink) : sink_(std::move(sink)) {}

    void line(std::string_view text, std::uint64_t number) override {
        if (text_.size() + text.size() > kMaxBytes) {
            is_too_large_ = true;
            return;
        }
        if (text_.empty()) first_line_ = number;
        text_ += text;
        text_ += '\n';
        const auto trimmed = base::trim(text);
        constexpr std::string_view kName = "\"name\": \"";
        if (!trimmed.starts_with(kName)) return;
        const auto name = base::split_once(trimmed.substr(kName.size()), "\"").first;
        lines_.try_emplace(std::string(name), number);
    }
    void finish() override;
    [[nodiscard]] const ports::ReadStats& stats() const override { return stats_; }

private:
    void take_first_words(const Value& document);
    void take_item(const Value& item);
    void deliver(const Value& part, std::vector<model::Field> fields, std::string_view name, std::string_view outcome);

    ports::RecordSink sink_;
    std::string text_{};
    std::uint64_t first_line_{1};
    bool is_too_large_{false};
    std::map<std::string, std::uint64_t, std::less<>> lines_{};  // where an item or a file is named first
    ports::ReadStats stats_{};
};

void CollectionReader::finish() {
    if (text_.empty()) return;
    const auto document = codec::parse_json(text_);
    if (is_too_large_ || !document || !document->is_map()) {
        stats_.count_malformed(first_line_,
                               is_too_large_ ? "longer than any manifest" : "a manifest that is cut or damaged");
        return;
    }
    take_first_words(*document);
    const auto* const items = document->find("items");
    if (items == nullptr) return;
    for (const auto& item : items->items) take_item(item);
}

void CollectionReader::take_first_words(const Value& document) {
    const auto offset = document.text({"utc_offset_minutes"});
    if (document.text({"schema"}) != "gpumedic.collection/v1" || !base::parse_number<int>(offset)) return;
    model::Record record;
    record.type = model::RecordType::collected_item;
    record.line = first_line_;
    record.text = "collection";
    record.raw = "collection";
    record.fields = {{"item", "collection"}, {"utc_offset", std::string(offset)}};
    ++stats_.records;
    sink_(record);
}

void set(std::vector<model::Field>& fields, std::string_view key, std::string_view value) {
    if (!value.empty()) fields.push_back({key, std::string(value)});
}

void CollectionReader::take_item(const Value& item) {
    const auto name = item.text({"name"});
    const auto outcome = item.text({"outcome"});
    if (name.empty() || !is_outcome(outcome)) {
        stats_.count_malformed(first_line_, "an item without name or outcome");
        return;
    }
    if (outcome != "ok") {
        std::vector<model::Field> fields;
        set(fields, "item", name);
        for (const auto key : {"kind", "path", "command", "pci", "waits_in", "exit_code"})
            set(fields, key, item.text({key}));
        deliver(item, std::move(fields), name, outcome);
    }
    const auto* const files = item.find("files");
    if (files == nullptr) return;
    for (const auto& file : files->items) {
        const auto file_outcome = file.text({"outcome"});
        if (!is_outcome(file_outcome) || file_outcome == "ok" || file.text({"name"}).empty()) continue;
        std::vector<model::Field> fields;
        set(fields, "item", name);
        set(fields, "file", file.text({"name"}));
        deliver(file, std::move(fields), file.text({"name"}), file_outcome);
    }
}

void CollectionReader::deliver(const Value& part, std::vector<model::Field> fields, std::string_view name,
                               std::string_view outcome) {
    set(fields, "outcome", outcome);
    set(fields, "why", part.text({"why"}));
    const auto why = part.text({"why"});
    const std::string text =
        std::string(name) + ": " + std::string(outcome) + (why.empty() ? "" : ": ") + std::string(why);
    model::Record record;
    record.type = model::RecordType::collected_item;
    const auto place = lines_.find(name);
    record.line = place == lines_.end() ? first_line_ : place->second;
    record.text = text;
    record.raw = text;
    record.fields = std::move(fields);
    ++stats_.records;
    sink_(record);
}

int recognise(const ports::Head& head) {
    const auto start = head.text.substr(0, 4096);
    return base::contains(start, kSchema) || base::contains(start, kFirstWords) ? 100 : 0;
}

std::unique_ptr<ports::Reader> make(const ports::ReadContext& /*context*/, ports::RecordSink sink) {
    return std::make_unique<CollectionReader>(std::move(sink));
}

}  // namespace

ports::ReaderKind collection_kind() { return {"collection", &recognise, &make}; }

}  // namespace gpumedic::evidence
