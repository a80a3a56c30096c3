#include "evidence/nvidia_smi/gpu.h"

#include <algorithm>
#include <array>

#include "base/text.h"
#include "model/pci_address.h"

namespace gpumedic::evidence::nvidia_smi {
namespace {

constexpr std::string_view kDigits = "0123456789";

bool is_number(std::string_view text) {
    return !text.empty() && text.size() <= 10 && text.find_first_not_of(kDigits) == std::string_view::npos;
}

/// Cells of "| a | b | c |", trimmed.
std::vector<std::string_view> cells_of(std::string_view line) {
    line = base::trim(line);
    if (!line.starts_with("|")) return {};
    line.remove_prefix(1);
    if (line.ends_with("|")) line.remove_suffix(1);
    auto cells = base::split(line, '|');
    for (auto& cell : cells) cell = base::trim(cell);
    return cells;
}

std::string_view first_word(std::string_view text) { return text.substr(0, text.find_first_of(" \t")); }

}  // namespace

bool is_error_cell(std::string_view cell) {
    if (cell.starts_with("[") && cell.ends_with("]")) cell = cell.substr(1, cell.size() - 2);
    constexpr std::array<std::string_view, 5> kErrors{"ERR!", "Unknown Error", "GPU is lost", "GPU requires reset",
                                                      "Error"};
    return std::find(kErrors.begin(), kErrors.end(), cell) != kErrors.end();
}

bool is_nothing(std::string_view cell) {
    if (cell.starts_with("[") && cell.ends_with("]")) cell = cell.substr(1, cell.size() - 2);
    constexpr std::array<std::string_view, 6> kNothing{
        "", "N/A", "-", "Not Supported", "Insufficient Permissions", "Requested functionality has been deprecated"};
    return std::find(kNothing.begin(), kNothing.end(), cell) != kNothing.end();
}

bool is_shown(std::string_view cell) { return !is_nothing(cell) && !is_error_cell(cell); }

std::string address_of(std::string_view text) {
    if (!base::contains(text, ".")) return {};
    const auto address = model::parse_pci_address(text);
    return address ? address->to_string() : std::string{};
}

std::string_view link_state(std::string_view word) {
    const auto name = base::lower(word);
    if (name == "active" || name == "<active>" || name == "up" || name == "enabled") return "active";
    if (name == "inactive" || name == "<inactive>" || name == "down" || name == "disabled") return "inactive";
    return {};
}

std::optional<Link> parse_link(std::string_view line) {
    constexpr std::string_view kLink = "Link ";
    const auto text = base::trim(line);
    if (!text.starts_with(kLink)) return std::nullopt;
    const auto [head, rest] = base::split_once(text.substr(kLink.size()), ":");
    const auto number = base::trim(head);
    const auto value = base::trim(rest);
    if (!is_number(number)) return std::nullopt;

    Link link;
    link.raw = line;
    link.number = number;
    if (value.ends_with("GB/s") && base::parse_decimal(first_word(value))) {
        link.speed = value;
        link.state = "active";
    } else {
        link.state = link_state(value);
    }
    if (link.state.empty()) return std::nullopt;
    return link;
}

std::optional<Gpu> parse_list_line(std::string_view line) {
    constexpr std::string_view kGpu = "GPU ";
    constexpr std::string_view kUuid = "(UUID: ";
    const auto text = base::trim(line);
    if (!text.starts_with(kGpu)) return std::nullopt;
    const auto [head, rest] = base::split_once(text.substr(kGpu.size()), ": ");
    const auto number = base::trim(head);
    if (!is_number(number) || rest.empty()) return std::nullopt;

    Gpu gpu;
    gpu.raw = line;
    gpu.index = number;
    const auto at = rest.find(kUuid);
    gpu.name = base::trim(rest.substr(0, at));
    if (at == std::string_view::npos) return gpu;
    const auto uuid = rest.substr(at + kUuid.size());
    if (const auto end = uuid.find(')'); end != std::string_view::npos) gpu.uuid = base::trim(uuid.substr(0, end));
    return gpu;
}

std::optional<Gpu> parse_table_row(std::string_view line) {
    const auto cells = cells_of(line);
    if (cells.size() != 3) return std::nullopt;
    const auto words = base::split_blanks(cells[0]);
    const auto pci = address_of(first_word(cells[1]));
    if (words.size() < 2 || !is_number(words.front()) || pci.empty()) return std::nullopt;

    Gpu gpu;
    gpu.raw = line;
    gpu.index = words.front();
    gpu.pci = pci;
    gpu.state = "ok";
    // Between the index and the persistence mode stands the name, which may have been cut with "...".
    const auto start = static_cast<std::size_t>(words[1].data() - cells[0].data());
    const auto end = static_cast<std::size_t>(words.back().data() - cells[0].data());
    const auto name = words.size() > 2 ? base::trim(cells[0].substr(start, end - start)) : words[1];
    if (is_shown(name)) gpu.name = name;
    if (is_number(cells[2])) gpu.ecc_uncorrected = cells[2];
    if (base::contains(line, "ERR!")) gpu.state = "err";
    return gpu;
}

void add_table_row(std::string_view line, Gpu& gpu) {
    const auto cells = cells_of(line);
    if (cells.empty()) return;
    if (base::contains(line, "ERR!")) gpu.state = "err";
    if (!gpu.temperature.empty() || cells.size() != 3) return;
    // The fan's cell touches the frame ("|ERR!   68C"), so positions do not help: the first word like "68C" is it.
    for (const auto word : base::split_blanks(cells[0])) {
        if (!word.ends_with("C") || !is_number(word.substr(0, word.size() - 1))) continue;
        gpu.temperature = word.substr(0, word.size() - 1);
        return;
    }
}

std::string_view table_driver(std::string_view line) {
    constexpr std::string_view kDriver = "Driver Version: ";
    const auto at = line.find(kDriver);
    if (at == std::string_view::npos) return {};
    return first_word(base::trim_left(line.substr(at + kDriver.size())));
}

}  // namespace gpumedic::evidence::nvidia_smi
