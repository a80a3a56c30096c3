#include "evidence/nvidia_smi/query.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/text.h"
#include "evidence/nvidia_smi/fields.h"

namespace gpumedic::evidence::nvidia_smi {
namespace {

constexpr std::size_t kMaxDepth = 32;

std::string_view leading_number(std::string_view value) {
    return value.substr(0, value.find_first_not_of("0123456789"));
}

/// An "Unknown Error" deep in the listing is usual on healthy cards of some ages; the GPU itself is unreadable where
/// what every card has cannot be read, or where the tool says so.
bool is_unreadable(std::string_view section, std::string_view key, std::string_view value) {
    if (value == "GPU is lost" || value == "GPU requires reset" || value == "ERR!") return true;
    const bool basic = (section.empty() && (key == "Product Name" || key == "GPU UUID")) ||
                       (section == "Temperature" && key == "GPU Current Temp");
    return basic && is_error_cell(value);
}

std::size_t indent_of(std::string_view text) {
    const auto start = text.find_first_not_of(" \t");
    return start == std::string_view::npos ? 0 : start;
}

}  // namespace

bool Query::is_known_section(std::string_view text) {
    return indent_of(text) > 0 && is_section_of_fields(base::trim(text));
}

/// Without its GPU a section still says what some GPU's state is.
bool Query::start_nameless(std::string_view text, std::uint64_t number) {
    const auto name = base::trim(text);
    const bool starts = gpus_.empty() ? is_known_section(text) : !nameless_.empty() && name == nameless_;
    if (!starts || gpus_.size() >= kMaxGpus) return false;
    nameless_ = name;
    QueriedGpu block;
    block.gpu.line = number;
    block.gpu.raw = text;
    block.gpu.driver = driver_;
    gpus_.push_back(std::move(block));
    sections_.assign(1, {indent_of(text), nameless_});
    return true;
}

bool Query::line(std::string_view text, std::uint64_t number) {
    const auto trimmed = base::trim(text);
    if (base::contains(trimmed, "NVSMI LOG=")) return true;
    const auto indent = indent_of(text);
    if (indent == 0 && trimmed.starts_with("GPU ") && !address_of(base::trim(trimmed.substr(4))).empty()) {
        QueriedGpu block;
        block.gpu.line = number;
        block.gpu.raw = text;
        block.gpu.pci = address_of(base::trim(trimmed.substr(4)));
        block.gpu.driver = driver_;
        block.gpu.state = "ok";
        gpus_.push_back(std::move(block));
        sections_.clear();
        nameless_.clear();
        return true;
    }
    const auto [head, rest] = base::split_once(trimmed, ":");
    const auto key = base::trim(head);
    const auto value = base::trim(rest);
    const bool pair = base::contains(trimmed, " : ");
    if (indent == 0) {
        if (pair) take_head(key, value);
        return pair;
    }
    if (start_nameless(text, number)) return true;
    if (gpus_.empty()) return false;

    while (!sections_.empty() && sections_.back().indent >= indent) sections_.pop_back();
    if (!value.empty()) {
        take_link(text, number, key, value);
        take_value(key, value);
    } else if (sections_.size() < kMaxDepth) {
        sections_.push_back({indent, std::string(key)});
    }
    return true;
}

void Query::take_head(std::string_view key, std::string_view value) {
    if (key == "Driver Version") driver_ = value;
    if (key == "Attached GPUs") attached_ = base::parse_number<std::uint64_t>(value);
    if (key != "Timestamp") return;
    if (const auto parsed = base::parse_ctime(value, {})) time_ = parsed->time;
}

void Query::take_value(std::string_view key, std::string_view value) {
    auto& gpu = gpus_.back().gpu;
    const auto section = sections_.empty() ? std::string_view{} : std::string_view(sections_.back().name);
    if (is_unreadable(section, key, value)) gpu.state = "err";
    // Instances of a MIG GPU have keys of the same names.
    if (inside("MIG Device")) return;
    take_query_field(section, key, value, gpu);
    if (!is_shown(value)) return;
    if (section.empty() && key == "Product Name") gpu.name = value;
    if (section.empty() && key == "GPU UUID") gpu.uuid = value;
    if (section == "Temperature" && key == "GPU Current Temp") gpu.temperature = leading_number(value);
    if (inside("ECC Errors")) take_ecc(key, value);
}

/// Several rows since Ampere, "Total" below "Single Bit" and "Double Bit" before.
void Query::take_ecc(std::string_view key, std::string_view value) {
    auto& gpu = gpus_.back().gpu;
    const bool total = key == "Total";
    const bool uncorrected = base::contains(key, "Uncorrectable") || (total && inside("Double Bit"));
    const bool corrected = base::contains(key, "Correctable") || (total && inside("Single Bit"));
    if (uncorrected && inside("Volatile")) add_count(value, gpu.ecc_uncorrected);
    if (uncorrected && inside("Aggregate")) add_count(value, gpu.ecc_uncorrected_aggregate);
    if (corrected && inside("Volatile")) add_count(value, gpu.ecc_corrected);
}

/// Either "Link 3 : Active", or a section "Link 3" with "State : Active".
void Query::take_link(std::string_view text, std::uint64_t number, std::string_view key, std::string_view value) {
    auto link = parse_link(text);
    const bool state_row = key == "State" || key == "Status" || key == "Link State";
    if (!link && state_row && !sections_.empty() && sections_.back().name.starts_with("Link ")) {
        link = parse_link(sections_.back().name + ": " + std::string(value));
        if (link) link->raw = text;
    }
    if (!link || links_ >= kMaxLinks) return;
    link->line = number;
    gpus_.back().links.push_back(std::move(*link));
    ++links_;
}

bool Query::inside(std::string_view section) const {
    return std::any_of(sections_.begin(), sections_.end(), [&](const Section& s) { return s.name == section; });
}

std::vector<QueriedGpu> Query::take() {
    // With "-i 3" the only block is not GPU 0, so positions count only when all attached GPUs are shown.
    if (attached_ && *attached_ == gpus_.size()) {
        for (std::size_t i = 0; i < gpus_.size(); ++i) gpus_[i].gpu.index = std::to_string(i);
    }
    auto all = std::move(gpus_);
    *this = Query{};
    return all;
}

}  // namespace gpumedic::evidence::nvidia_smi
