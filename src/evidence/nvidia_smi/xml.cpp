#include "evidence/nvidia_smi/xml.h"

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "evidence/nvidia_smi/fields.h"

namespace gpumedic::evidence::nvidia_smi {
namespace {

constexpr std::size_t kMaxDepth = 64;
constexpr std::size_t kMaxText = 4096;

std::string_view element_name(std::string_view tag) { return tag.substr(0, tag.find_first_of(" \t/")); }

/// The value of id="..." in a tag.
std::string_view id_of(std::string_view tag) {
    constexpr std::string_view kId = "id=\"";
    const auto at = tag.find(kId);
    if (at == std::string_view::npos) return {};
    const auto rest = tag.substr(at + kId.size());
    return rest.substr(0, rest.find('"'));
}

/// What every card has: where that cannot be read, the card cannot.
bool is_unreadable(std::string_view parent, std::string_view name, std::string_view value) {
    if (value == "GPU is lost" || value == "GPU requires reset" || value == "ERR!") return true;
    const bool basic = (parent == "gpu" && (name == "product_name" || name == "uuid")) ||
                       (parent == "temperature" && name == "gpu_temp");
    return basic && is_error_cell(value);
}

/// "link 3" (from <link id="3">), "link_3" -> "Link 3".
std::string link_name(std::string_view element) {
    if (!element.starts_with("link") || element.size() < 6) return {};
    const auto digits = element.substr(5);
    return base::parse_number<std::uint16_t>(digits) ? "Link " + std::string(digits) : std::string{};
}

}  // namespace

bool starts_xml_listing(std::string_view line) {
    const auto text = base::trim(line);
    return text.starts_with("<nvidia_smi_log") || text.starts_with("<!DOCTYPE nvidia_smi_log") ||
           (text.starts_with("<?xml") && (text.ends_with("?>") || base::contains(text, "<nvidia_smi_log")));
}

bool XmlQuery::line(std::string_view text, std::uint64_t number) {
    if (!open_) open_ = starts_xml_listing(text);
    if (!open_) return false;
    for (std::size_t at = 0; at < text.size();) {
        const auto begin = text.find('<', at);
        const auto between = text.substr(at, begin == std::string_view::npos ? begin : begin - at);
        if (text_.size() + between.size() <= kMaxText) text_ += between;
        if (begin == std::string_view::npos) break;
        const auto end = text.find('>', begin);
        if (end == std::string_view::npos) break;  // a tag never spans lines
        take_tag(text.substr(begin + 1, end - begin - 1), text, number);
        text_.clear();
        at = end + 1;
    }
    return true;
}

void XmlQuery::take_tag(std::string_view tag, std::string_view line, std::uint64_t number) {
    if (tag.empty() || tag.front() == '?' || tag.front() == '!') return;
    if (tag.front() == '/') {
        close_element(base::trim(tag.substr(1)), line, number);
    } else if (!tag.ends_with("/")) {
        open_element(tag, line, number);
    }
}

void XmlQuery::open_element(std::string_view tag, std::string_view line, std::uint64_t number) {
    const auto name = element_name(tag);
    const auto id = id_of(tag);
    const auto pci = name == "gpu" ? address_of(id) : std::string{};
    if (!pci.empty()) {
        in_gpu_ = gpus_.size() < Query::kMaxGpus;
        finished_ = !in_gpu_;
        elements_.clear();
        if (in_gpu_) {
            QueriedGpu block;
            block.gpu.line = number;
            block.gpu.raw = base::trim(line).substr(0, kMaxText);
            block.gpu.pci = pci;
            block.gpu.driver = driver_;
            block.gpu.state = "ok";
            gpus_.push_back(std::move(block));
        }
    }
    if (elements_.size() >= kMaxDepth) return;
    std::string element(name.substr(0, kMaxText));
    if (!id.empty() && name != "gpu") element.append(" ").append(id.substr(0, kMaxText));
    elements_.push_back(std::move(element));
}

void XmlQuery::close_element(std::string_view name, std::string_view line, std::uint64_t number) {
    if (name == "nvidia_smi_log") finished_ = true;
    const auto mine = std::find_if(elements_.rbegin(), elements_.rend(),
                                   [&](const std::string& element) { return element_name(element) == name; });
    if (mine == elements_.rend()) return;
    elements_.erase(mine.base() - 1, elements_.end());
    const auto value = base::trim(text_);
    if (!value.empty() && !in_gpu_) take_head(name, value);
    if (!value.empty() && in_gpu_) {
        take_value(name, value);
        take_link(name, value, line, number);
    }
    if (name == "gpu" && elements_.size() <= 1) in_gpu_ = false;
}

void XmlQuery::take_head(std::string_view name, std::string_view value) {
    if (name == "driver_version") driver_ = value;
    if (name == "attached_gpus") attached_ = base::parse_number<std::uint64_t>(value);
    if (name != "timestamp") return;
    if (const auto parsed = base::parse_ctime(value, {})) time_ = parsed->time;
}

void XmlQuery::take_value(std::string_view name, std::string_view value) {
    auto& gpu = gpus_.back().gpu;
    const auto parent = elements_.empty() ? std::string_view{} : std::string_view(elements_.back());
    if (is_unreadable(parent, name, value)) gpu.state = "err";
    take_xml_field(parent, name, value, gpu);
    if (!is_shown(value)) return;
    if (parent == "gpu" && name == "product_name") gpu.name = value;
    if (parent == "gpu" && name == "uuid") gpu.uuid = value;
    if (parent == "temperature" && name == "gpu_temp")
        gpu.temperature = value.substr(0, value.find_first_not_of("0123456789"));
    if (inside("ecc_errors")) take_ecc(name, value);
}

void XmlQuery::take_ecc(std::string_view name, std::string_view value) {
    auto& gpu = gpus_.back().gpu;
    const bool total = name == "total";
    const bool uncorrected = base::contains(name, "uncorrectable") || (total && inside("double_bit"));
    const bool corrected = name.ends_with("_correctable") || (total && inside("single_bit"));
    if (uncorrected && inside("volatile")) add_count(value, gpu.ecc_uncorrected);
    if (uncorrected && inside("aggregate")) add_count(value, gpu.ecc_uncorrected_aggregate);
    if (corrected && inside("volatile")) add_count(value, gpu.ecc_corrected);
}

void XmlQuery::take_link(std::string_view name, std::string_view value, std::string_view line, std::uint64_t number) {
    const bool state = name == "state" || name == "status" || name == "link_state";
    if (!state || elements_.empty() || links_ >= Query::kMaxLinks || !inside("nvlink")) return;
    const auto named = link_name(elements_.back());
    auto link = named.empty() ? std::nullopt : parse_link(named + ": " + std::string(value));
    if (!link) return;
    link->line = number;
    link->raw = base::trim(line).substr(0, kMaxText);
    gpus_.back().links.push_back(std::move(*link));
    ++links_;
}

bool XmlQuery::inside(std::string_view element) const {
    return std::any_of(elements_.begin(), elements_.end(), [&](const std::string& open) { return open == element; });
}

std::vector<QueriedGpu> XmlQuery::take() {
    // With "-i 3" the only block is not GPU 0, so positions count only when all attached GPUs are shown.
    if (attached_ && *attached_ == gpus_.size()) {
        for (std::size_t i = 0; i < gpus_.size(); ++i) gpus_[i].gpu.index = std::to_string(i);
    }
    auto all = std::move(gpus_);
    *this = XmlQuery{};
    return all;
}

}  // namespace gpumedic::evidence::nvidia_smi
