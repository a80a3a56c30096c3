#include "evidence/nvidia_smi/nvidia_smi_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "base/text.h"
#include "evidence/nvidia_smi/comparison.h"
#include "evidence/nvidia_smi/csv.h"
#include "evidence/nvidia_smi/fields.h"
#include "evidence/nvidia_smi/gpu.h"
#include "evidence/nvidia_smi/query.h"
#include "evidence/nvidia_smi/recognise.h"
#include "evidence/nvidia_smi/topology.h"
#include "evidence/nvidia_smi/xml.h"

namespace gpumedic::evidence {
namespace {

using nvidia_smi::Gpu;
using nvidia_smi::Link;

/// Counters, capabilities and firmware of links (`nvlink -e`, `-c`, `-info`): no states.
bool is_link_fact(std::string_view line) {
    constexpr std::array<std::string_view, 5> kStarts{"Link ", "NVLE:", "Firmware Version:", "MSE:", "NETIR"};
    return std::any_of(kStarts.begin(), kStarts.end(), [&](std::string_view start) { return line.starts_with(start); });
}

class NvidiaSmiReader final : public ports::Reader {
public:
    NvidiaSmiReader(const ports::ReadContext& context, ports::RecordSink sink)
        : sink_(std::move(sink)),
          time_context_(context.time),
          columns_(nvidia_smi::csv_columns_of_command(context.command)) {}

    void line(std::string_view text, std::uint64_t number) override;
    void finish() override { flush(); }
    [[nodiscard]] const ports::ReadStats& stats() const override { return stats_; }

private:
    bool take_prompt(std::string_view text);
    bool take_time(std::string_view text);
    bool take_table(std::string_view text, std::uint64_t number);
    bool take_list(std::string_view text, std::uint64_t number);
    bool take_csv(std::string_view text, std::uint64_t number);
    bool take_loose_link(std::string_view text, std::uint64_t number);
    bool take_xml(std::string_view text, std::uint64_t number);
    bool take_topology(std::string_view text, std::uint64_t number);
    void flush();
    void flush_row();
    void flush_rows();
    void deliver_blocks(std::vector<nvidia_smi::QueriedGpu> blocks);
    void deliver_line(std::string_view text, std::uint64_t number);
    void deliver_gpu(const Gpu& gpu);
    void deliver_link(const Link& link, const Gpu& gpu);
    void deliver_tally(const Gpu& gpu);
    void deliver_matrix();
    void deliver(model::Record& record);

    ports::RecordSink sink_;
    base::TimeContext time_context_;
    std::vector<std::string> columns_;     // of a csv listing
    std::optional<base::Timestamp> time_;  // of the listing
    std::string driver_;                   // of the table's head
    std::optional<Gpu> row_;               // of the table, until its last line
    std::vector<Gpu> rows_;                // of csv, until all of them can be compared
    Gpu listed_;                           // whose links follow in `nvlink -s`
    nvidia_smi::Query query_;
    nvidia_smi::XmlQuery xml_;
    nvidia_smi::LinkTally tally_;  // of the GPU whose links are being delivered
    nvidia_smi::Matrix matrix_;
    ports::ReadStats stats_;
};

void NvidiaSmiReader::line(std::string_view text, std::uint64_t number) {
    if (base::trim(text).empty() || take_prompt(text) || take_xml(text, number)) return;
    if (take_topology(text, number) || take_time(text) || take_table(text, number)) return;
    if (take_list(text, number)) return;
    if (query_.full() || (query_.open() && base::contains(text, "NVSMI LOG="))) flush();
    if (!query_.open() && take_loose_link(text, number)) return;
    if (query_.line(text, number)) return;
    if (take_csv(text, number)) return;
    const auto trimmed = base::trim(text);
    // Instances of a MIG GPU in -L, XML of -x whose head was cut, and lines of -q that lost their GPU in a grep.
    if (trimmed.starts_with("MIG ") || trimmed.starts_with("<")) return;
    const bool indented = text.front() == ' ' || text.front() == '\t';
    const bool pair = base::contains(trimmed, " : ") && !nvidia_smi::is_known_pair(trimmed);
    if (indented && (pair || is_link_fact(trimmed))) return;
    deliver_line(text, number);
}

/// A transcript that nobody split: the next command's answer follows.
bool NvidiaSmiReader::take_prompt(std::string_view text) {
    if (!text.starts_with("$ ") && !text.starts_with("# ")) return false;
    if (!nvidia_smi::runs_nvidia_smi(text.substr(2))) return false;
    flush();
    columns_ = nvidia_smi::csv_columns_of_command(text);
    return true;
}

bool NvidiaSmiReader::take_xml(std::string_view text, std::uint64_t number) {
    if (!xml_.line(text, number)) return false;
    if (xml_.finished()) flush();
    return true;
}

bool NvidiaSmiReader::take_topology(std::string_view text, std::uint64_t number) {
    if (nvidia_smi::is_topology_header(text)) {
        deliver_matrix();
        matrix_.open(text);
        return true;
    }
    if (matrix_.row(text, number)) return true;
    deliver_matrix();
    return false;
}

/// The line above the table: "Mon Jan 20 10:18:26 2025".
bool NvidiaSmiReader::take_time(std::string_view text) {
    const auto trimmed = base::trim(text);
    const auto parsed = base::parse_ctime(trimmed, time_context_);
    if (!parsed || !base::trim(trimmed.substr(parsed->length)).empty()) return false;
    flush_rows();
    time_ = parsed->time;
    return true;
}

bool NvidiaSmiReader::take_table(std::string_view text, std::uint64_t number) {
    const auto trimmed = base::trim(text);
    if (trimmed.starts_with("+-") || trimmed.starts_with("|=") || trimmed.starts_with("|-")) {
        flush_row();
        return true;
    }
    if (!trimmed.starts_with("|")) return false;
    if (const auto driver = nvidia_smi::table_driver(trimmed); !driver.empty()) driver_ = driver;
    if (auto row = nvidia_smi::parse_table_row(text)) {
        flush_row();
        row->line = number;
        row->driver = driver_;
        row_ = std::move(*row);
    } else if (row_) {
        nvidia_smi::add_table_row(text, *row_);
    }
    return true;
}

bool NvidiaSmiReader::take_list(std::string_view text, std::uint64_t number) {
    auto gpu = nvidia_smi::parse_list_line(text);
    if (!gpu) return false;
    flush();
    gpu->line = number;
    listed_ = std::move(*gpu);
    // Without a UUID the words after the number may be a name or a complaint: the catalogue tells.
    if (listed_.uuid.empty()) {
        deliver_line(text, number);
    } else {
        deliver_gpu(listed_);
    }
    return true;
}

bool NvidiaSmiReader::take_csv(std::string_view text, std::uint64_t number) {
    if (auto header = nvidia_smi::csv_columns_of_header(text); !header.empty()) {
        columns_ = std::move(header);
        return true;
    }
    if (columns_.empty()) columns_ = nvidia_smi::csv_columns_of_row(text);
    auto gpu = nvidia_smi::parse_csv_row(text, columns_);
    if (!gpu) return false;
    gpu->line = number;
    rows_.push_back(std::move(*gpu));
    if (rows_.size() >= nvidia_smi::Query::kMaxGpus) flush_rows();
    return true;
}

bool NvidiaSmiReader::take_loose_link(std::string_view text, std::uint64_t number) {
    auto link = nvidia_smi::parse_link(text);
    if (!link) return false;
    link->line = number;
    deliver_link(*link, listed_);
    return true;
}

void NvidiaSmiReader::flush() {
    flush_row();
    flush_rows();
    deliver_tally(listed_);
    deliver_matrix();
    if (query_.time()) time_ = query_.time();
    deliver_blocks(query_.take());
    if (xml_.time()) time_ = xml_.time();
    deliver_blocks(xml_.take());
    listed_ = Gpu{};
}

void NvidiaSmiReader::deliver_blocks(std::vector<nvidia_smi::QueriedGpu> blocks) {
    std::vector<Gpu*> gpus;
    gpus.reserve(blocks.size());
    for (auto& block : blocks) gpus.push_back(&block.gpu);
    nvidia_smi::add_comparisons(gpus);
    for (const auto& block : blocks) {
        deliver_gpu(block.gpu);
        for (const auto& link : block.links) deliver_link(link, block.gpu);
        deliver_tally(block.gpu);
    }
}

void NvidiaSmiReader::flush_row() {
    if (row_) deliver_gpu(*row_);
    row_.reset();
}

void NvidiaSmiReader::flush_rows() {
    std::vector<Gpu*> gpus;
    gpus.reserve(rows_.size());
    for (auto& row : rows_) gpus.push_back(&row);
    nvidia_smi::add_comparisons(gpus);
    for (const auto& row : rows_) deliver_gpu(row);
    rows_.clear();
}

void NvidiaSmiReader::deliver_line(std::string_view text, std::uint64_t number) {
    model::Record record;
    record.type = model::RecordType::smi_line;
    record.line = number;
    record.text = base::trim(text);
    record.raw = text;
    if (!listed_.index.empty()) record.fields.push_back({"index", listed_.index});
    if (!listed_.uuid.empty()) record.fields.push_back({"uuid", listed_.uuid});
    deliver(record);
}

void NvidiaSmiReader::deliver_gpu(const Gpu& gpu) {
    model::Record record;
    record.type = model::RecordType::gpu;
    record.line = gpu.line;
    record.text = gpu.name.empty() ? base::trim(gpu.raw) : std::string_view(gpu.name);
    record.raw = gpu.raw;
    const auto set = [&record](std::string_view key, const std::string& value) {
        if (!value.empty()) record.fields.push_back({key, value});
    };
    set("index", gpu.index);
    set("uuid", gpu.uuid);
    set("pci", gpu.pci);
    set("name", gpu.name);
    set("temperature", gpu.temperature);
    set("ecc_uncorrected", gpu.ecc_uncorrected);
    set("ecc_uncorrected_aggregate", gpu.ecc_uncorrected_aggregate);
    set("ecc_corrected", gpu.ecc_corrected);
    set("state", gpu.state);
    set("driver", gpu.driver);
    for (const auto& [key, value] : gpu.more) set(key, value);
    deliver(record);
}

void NvidiaSmiReader::deliver_link(const Link& link, const Gpu& gpu) {
    model::Record record;
    record.type = model::RecordType::nvlink;
    record.line = link.line;
    record.text = base::trim(link.raw);
    record.raw = link.raw;
    const auto set = [&record](std::string_view key, const std::string& value) {
        if (!value.empty()) record.fields.push_back({key, value});
    };
    set("index", gpu.index);
    set("uuid", gpu.uuid);
    set("pci", gpu.pci);
    set("link", link.number);
    set("state", link.state);
    set("speed", link.speed);
    deliver(record);
    tally_.add(link);
}

/// How many of a GPU's links are up, once all of them were seen.
void NvidiaSmiReader::deliver_tally(const Gpu& gpu) {
    const auto tally = std::exchange(tally_, {});
    if (tally.links == 0 || !tally.whole || (gpu.index.empty() && gpu.uuid.empty() && gpu.pci.empty())) return;
    const std::string text = fmt::format("{} of {} NVLinks active", tally.active, tally.links);
    model::Record record;
    record.type = model::RecordType::nvlink;
    record.line = gpu.line;
    record.text = record.raw = text;
    const auto set = [&record](std::string_view key, const std::string& value) {
        if (!value.empty()) record.fields.push_back({key, value});
    };
    set("index", gpu.index);
    set("uuid", gpu.uuid);
    set("pci", gpu.pci);
    set("name", gpu.name);
    set("active", std::to_string(tally.active));
    set("links", std::to_string(tally.links));
    deliver(record);
}

void NvidiaSmiReader::deliver_matrix() {
    for (const auto& row : matrix_.take()) {
        model::Record record;
        record.type = model::RecordType::nvlink;
        record.line = row.line;
        record.text = base::trim(row.raw);
        record.raw = row.raw;
        record.fields = {{"index", row.index},
                         {"nvlink_peers", std::to_string(row.nvlink_peers)},
                         {"most_nvlink_peers", std::to_string(row.most_nvlink_peers)}};
        deliver(record);
    }
}

void NvidiaSmiReader::deliver(model::Record& record) {
    record.time = time_;
    ++stats_.records;
    if (sink_) sink_(record);
}

std::unique_ptr<ports::Reader> make(const ports::ReadContext& context, ports::RecordSink sink) {
    return std::make_unique<NvidiaSmiReader>(context, std::move(sink));
}

}  // namespace

ports::ReaderKind nvidia_smi_kind() { return {"nvidia-smi", &nvidia_smi::recognise, &make}; }

}  // namespace gpumedic::evidence
