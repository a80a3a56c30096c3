#include "evidence/nvidia_smi/csv.h"

#include <algorithm>
#include <array>

#include "base/text.h"
#include "evidence/nvidia_smi/fields.h"

namespace gpumedic::evidence::nvidia_smi {
namespace {

/// A column without which a row names no GPU.
constexpr std::array<std::string_view, 6> kNaming{"index", "uuid", "gpu_uuid", "pci.bus_id", "gpu_bus_id", "name"};

bool names_a_gpu(const std::vector<std::string>& columns) {
    return std::any_of(columns.begin(), columns.end(), [](const std::string& column) {
        return std::find(kNaming.begin(), kNaming.end(), column) != kNaming.end();
    });
}

bool is_column_name(std::string_view text) {
    constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.";
    return !text.empty() && text.find_first_not_of(kLetters) == std::string_view::npos;
}

std::vector<std::string> columns_of(std::string_view list) {
    std::vector<std::string> columns;
    for (const auto piece : base::split(list, ',')) {
        auto name = base::trim(piece);
        name = base::trim(name.substr(0, name.find('[')));
        if (!is_column_name(name)) return {};
        columns.emplace_back(name);
    }
    return names_a_gpu(columns) ? columns : std::vector<std::string>{};
}

/// What every card has: where that cannot be read, the card cannot. An "Unknown Error" in another column is usual on
/// healthy cards of some ages.
bool is_unreadable(std::string_view column, std::string_view cell) {
    if (base::contains(cell, "GPU is lost") || base::contains(cell, "GPU requires reset")) return true;
    constexpr std::array<std::string_view, 4> kBasic{"temperature.gpu", "power.draw", "memory.used", "utilization.gpu"};
    const bool names = std::find(kNaming.begin(), kNaming.end(), column) != kNaming.end() || column == "gpu_name";
    return (names || std::find(kBasic.begin(), kBasic.end(), column) != kBasic.end()) && is_error_cell(cell);
}

void take_cell(std::string_view column, std::string_view cell, Gpu& gpu) {
    if (is_unreadable(column, cell)) gpu.state = "err";
    if (!is_shown(cell)) return;
    if (column == "index") gpu.index = cell;
    if (column == "name" || column == "gpu_name") gpu.name = cell;
    if (column == "uuid" || column == "gpu_uuid") gpu.uuid = cell;
    if (column == "pci.bus_id" || column == "gpu_bus_id") gpu.pci = address_of(cell);
    if (column == "temperature.gpu") gpu.temperature = cell;
    if (column == "driver_version") gpu.driver = cell;
    if (column == "ecc.errors.uncorrected.volatile.total") gpu.ecc_uncorrected = cell;
    take_csv_field(column, cell, gpu);
}

}  // namespace

std::vector<std::string> csv_columns_of_command(std::string_view command) {
    constexpr std::string_view kOption = "--query-gpu=";
    const auto at = command.find(kOption);
    if (at == std::string_view::npos) return {};
    const auto list = command.substr(at + kOption.size());
    return columns_of(list.substr(0, list.find_first_of(" \t|")));
}

std::vector<std::string> csv_columns_of_header(std::string_view line) {
    // A header of one column is indistinguishable from a word.
    return base::contains(line, ", ") ? columns_of(line) : std::vector<std::string>{};
}

std::vector<std::string> csv_columns_of_row(std::string_view line) {
    constexpr std::array<std::string_view, 5> kActions{"None", "Reset", "Reboot", "Drain P2P", "Drain and Reset"};
    const auto [index, action] = base::split_once(line, ", ");
    if (!base::parse_number<std::uint8_t>(index)) return {};
    if (std::find(kActions.begin(), kActions.end(), base::trim(action)) == kActions.end()) return {};
    return {"index", "gpu_recovery_action"};
}

std::optional<Gpu> parse_csv_row(std::string_view line, const std::vector<std::string>& columns) {
    if (columns.empty()) return std::nullopt;
    const auto cells = base::split(line, ',');
    if (cells.size() != columns.size()) return std::nullopt;
    Gpu gpu;
    gpu.raw = line;
    gpu.state = "ok";
    for (std::size_t i = 0; i < cells.size(); ++i) take_cell(columns[i], base::trim(cells[i]), gpu);
    if (gpu.index.empty() && gpu.uuid.empty() && gpu.pci.empty()) return std::nullopt;
    if (!gpu.index.empty() && !base::parse_number<unsigned>(gpu.index)) return std::nullopt;
    return gpu;
}

}  // namespace gpumedic::evidence::nvidia_smi
