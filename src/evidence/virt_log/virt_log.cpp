#include "evidence/virt_log/virt_log.h"

#include <array>

#include "base/text.h"
#include "evidence/virt_log/component_line.h"
#include "evidence/virt_log/container_line.h"
#include "evidence/virt_log/go_quoting.h"
#include "evidence/virt_log/plain_line.h"

namespace gpumedic::evidence {
namespace {

using model::Record;
using model::RecordType;

constexpr std::size_t kMaxJoined = std::size_t{1} << 20;  // of one line that a runtime cut into pieces
constexpr std::size_t kMaxKeptRaw = 4096;
constexpr std::size_t kMaxLines = 400;
constexpr std::size_t kMaxHeadBytes = 64 * 1024;

/// The pieces of a cut line, while its end is still to come.
struct Pending {
    std::string payload{};
    std::string raw{};  // the first piece's line
    std::uint64_t line{0};
    std::optional<base::Timestamp> time{};
    bool open{false};
    bool full{false};
};

class VirtLogReader final : public ports::Reader {
public:
    VirtLogReader(const ports::ReadContext& context, ports::RecordSink sink)
        : time_(context.time), sink_(std::move(sink)) {}

    void line(std::string_view raw, std::uint64_t number) override {
        const auto container = parse_container_line(raw, docker_text_);
        if (container.stream == Stream::none) return payload_line(container.payload, raw, number, container.time);
        auto& pending = pending_[container.stream == Stream::standard_error ? 1 : 0];
        if (!pending.open && container.part == LinePart::whole)
            return payload_line(container.payload, raw, number, container.time);
        append(pending, container, raw, number);
        if (container.part == LinePart::whole) flush(pending);
    }

    void finish() override {
        for (auto& pending : pending_) flush(pending);
    }

    [[nodiscard]] const ports::ReadStats& stats() const override { return stats_; }

private:
    void append(Pending& pending, const ContainerLine& container, std::string_view raw, std::uint64_t number) {
        if (!pending.open) {
            pending.open = true;
            pending.line = number;
            pending.time = container.time;
            pending.raw = raw.substr(0, kMaxKeptRaw);
        }
        const auto room = kMaxJoined - pending.payload.size();
        pending.payload.append(container.payload.substr(0, room));
        if (container.payload.size() <= room || pending.full) return;
        pending.full = true;
        stats_.count_malformed(pending.line, "a line in pieces, longer than 1 MiB");
    }

    void flush(Pending& pending) {
        if (!pending.open) return;
        const Pending done = std::exchange(pending, {});
        payload_line(done.payload, done.raw, done.line, done.time);
    }

    void payload_line(std::string_view payload, std::string_view raw, std::uint64_t number,
                      const std::optional<base::Timestamp>& time) {
        record_ = Record{};
        record_.line = number;
        record_.raw = raw;
        record_.time = time;
        payload = base::trim(payload);
        if (payload.empty()) return;
        if (payload.front() == '{') return json_line(payload);
        if (const auto plain = parse_plain_line(payload, time_)) return plain_line(*plain);
        if (!base::is_valid_utf8(payload) || payload.find('\0') != std::string_view::npos)
            return stats_.count_malformed(number, "bytes that are no text");
        record_.text = payload;
        deliver();
    }

    void json_line(std::string_view payload) {
        if (auto component = parse_component_line(payload, time_)) {
            record_.type = component->type;
            if (component->time) record_.time = component->time;
            record_.text = component->text;
            record_.fields = std::move(component->fields);
            return deliver();
        }
        if (looks_like_component_line(payload))
            stats_.count_malformed(record_.line, "a JSON line that is not complete");
        record_.text = payload;  // a cut line may still hold the words that matter
        deliver();
    }

    void plain_line(const PlainLine& plain) {
        record_.type = plain.type;
        if (plain.time) record_.time = plain.time;
        record_.text = plain.message;
        if (!plain.level.empty()) record_.fields.push_back({"level", std::string{plain.level}});
        if (!plain.program.empty()) record_.fields.push_back({"program", std::string{plain.program}});
        deliver();
    }

    void deliver() {
        ++stats_.records;
        sink_(record_);
    }

    base::TimeContext time_;
    ports::RecordSink sink_;
    ports::ReadStats stats_{};
    Record record_{};
    std::array<Pending, 2> pending_{};  // standard output, standard error
    std::string docker_text_{};
};

bool is_virt_line(std::string_view line, std::string_view command, std::string& storage) {
    const auto payload = base::trim(parse_container_line(line, storage).payload);
    if (payload.starts_with('{')) return looks_like_component_line(payload);
    const auto plain = parse_plain_line(payload, {});
    if (!plain) return false;
    const bool said_by_anybody = plain->type == RecordType::libvirt && !plain->time && payload.starts_with("error: ");
    return !said_by_anybody || is_libvirt_wording(plain->message) || base::contains(command, "virsh");
}

/// The command line that libvirt writes into QEMU's log when it starts a domain: neither for nor against.
bool is_command_line(std::string_view line) {
    return line.ends_with('\\') || line.starts_with('-') || line.starts_with("LC_ALL=") || line.starts_with(' ') ||
           line.starts_with('\t');
}

int recognise(const ports::Head& head) {
    auto text = head.text.substr(0, kMaxHeadBytes);
    std::string storage;
    int lines = 0;
    int mine = 0;
    for (std::size_t count = 0; count < kMaxLines && !text.empty(); ++count) {
        const auto [line, rest] = base::split_once(text, "\n");
        text = rest;
        const bool is_mine = !line.empty() && is_virt_line(line, head.command, storage);
        if (!is_mine && (base::trim(line).empty() || is_command_line(base::trim_right(line)))) continue;
        ++lines;
        if (is_mine) ++mine;
    }
    if (mine == 0) return 0;
    const int percent = mine * 100 / lines;
    return percent >= 50 ? 80 + percent * 16 / 100 : percent / 2 + 2;
}

std::unique_ptr<ports::Reader> make_reader(const ports::ReadContext& context, ports::RecordSink sink) {
    return std::make_unique<VirtLogReader>(context, std::move(sink));
}

}  // namespace

ports::ReaderKind virt_log_kind() { return {"virt log", &recognise, &make_reader}; }

}  // namespace gpumedic::evidence
