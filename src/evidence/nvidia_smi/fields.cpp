#include "evidence/nvidia_smi/fields.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>

#include "base/text.h"

namespace gpumedic::evidence::nvidia_smi {
namespace {

/// How a value is kept.
enum class Shape : std::uint8_t {
    word,    // as printed
    number,  // the number before the unit: "16x", "-8 C", "640 bank(s)"
    active,  // "Active" or "Not Active" only: newer listings count times under the same keys
};

/// Where a listing shows one value: section and key of `-q`, parent and element of `-q -x`.
struct Place {
    std::string_view where;
    std::string_view name;
    std::string_view field;
    Shape shape{Shape::word};
};

constexpr std::string_view kAnySection = "*";  // the key says all

constexpr Place kQuery[] = {
    {"", "Serial Number", "serial"},
    {"", "Persistence Mode", "persistence"},
    {"", "Performance State", "pstate"},
    {"", "GPU Recovery Action", "recovery_action"},
    {"GPU Virtualization Mode", "Virtualization Mode", "virtualization"},
    {"MIG Mode", "Current", "mig_mode"},
    {"ECC Mode", "Current", "ecc_mode"},
    {"GPU Reset Status", "Reset Required", "reset_required"},
    {"GPU Reset Status", "Drain and Reset Recommended", "reset_recommended"},
    {kAnySection, "License Status", "license"},
    {"Utilization", "Gpu", "utilization", Shape::number},
    {"Utilization", "GPU", "utilization", Shape::number},
    {"PCIe Generation", "Current", "pcie_gen", Shape::number},
    {"PCIe Generation", "Max", "pcie_gen_max", Shape::number},
    {"Link Width", "Current", "pcie_width", Shape::number},
    {"Link Width", "Max", "pcie_width_max", Shape::number},
    {kAnySection, "Replays Since Reset", "pcie_replays", Shape::number},
    {kAnySection, "Replay Number Rollovers", "pcie_replay_rollovers", Shape::number},
    {kAnySection, "HW Slowdown", "hw_slowdown", Shape::active},
    {kAnySection, "HW Thermal Slowdown", "hw_thermal_slowdown", Shape::active},
    {kAnySection, "HW Power Brake Slowdown", "hw_power_brake", Shape::active},
    {kAnySection, "SW Thermal Slowdown", "sw_thermal_slowdown", Shape::active},
    {kAnySection, "SW Power Cap", "sw_power_cap", Shape::active},
    {"Clocks Event Reasons", "Idle", "clocks_idle", Shape::active},
    {"Clocks Throttle Reasons", "Idle", "clocks_idle", Shape::active},
    {"Retired Pages", "Single Bit ECC", "retired_sbe", Shape::number},
    {"Retired Pages", "Double Bit ECC", "retired_dbe", Shape::number},
    {"Retired Pages", "Pending", "retired_pending"},
    {kAnySection, "Pending Page Blacklist", "retired_pending"},
    {kAnySection, "Pending Page Retirement", "retired_pending"},
    {"Remapped Rows", "Correctable Error", "remap_corrected", Shape::number},
    {"Remapped Rows", "Uncorrectable Error", "remap_uncorrected"},
    {"Remapped Rows", "Pending", "remap_pending"},
    {kAnySection, "Remapping Failure Occurred", "remap_failed"},
    {"Bank Remap Availability Histogram", "Max", "banks_max", Shape::number},
    {"Bank Remap Availability Histogram", "High", "banks_high", Shape::number},
    {"Bank Remap Availability Histogram", "Partial", "banks_partial", Shape::number},
    {"Bank Remap Availability Histogram", "Low", "banks_low", Shape::number},
    {"Bank Remap Availability Histogram", "None", "banks_none", Shape::number},
    {kAnySection, "SRAM Threshold Exceeded", "sram_threshold_exceeded"},
    {kAnySection, "Channel Repair Pending", "channel_repair_pending"},
    {kAnySection, "TPC Repair Pending", "tpc_repair_pending"},
    {kAnySection, "Unrepairable Memory", "unrepairable_memory"},
    {kAnySection, "GPU T.Limit Temp", "temp_headroom", Shape::number},
    {kAnySection, "GPU Shutdown Temp", "temp_shutdown", Shape::number},
    {kAnySection, "GPU Slowdown Temp", "temp_slowdown", Shape::number},
    {kAnySection, "GPU Shutdown T.Limit Temp", "headroom_shutdown", Shape::number},
    {kAnySection, "GPU Slowdown T.Limit Temp", "headroom_slowdown", Shape::number},
    {kAnySection, "Memory Current Temp", "memory_temperature", Shape::number},
    {"Fabric", "State", "fabric_state"},
    {"Fabric", "Status", "fabric_status"},
    {kAnySection, "CliqueId", "clique"},
    {kAnySection, "ClusterUUID", "cluster_uuid"},
    {"Health", "Summary", "fabric_health"},
    {"Health", "Bandwidth", "fabric_bandwidth"},
    {kAnySection, "Route Recovery in progress", "route_recovery"},
    {kAnySection, "Route Unhealthy", "route_unhealthy"},
    {kAnySection, "Access Timeout Recovery", "access_timeout_recovery"},
    {kAnySection, "Incorrect Configuration", "fabric_misconfigured"},
};

constexpr Place kXml[] = {
    {"gpu", "serial", "serial"},
    {"gpu", "persistence_mode", "persistence"},
    {"gpu", "performance_state", "pstate"},
    {"gpu", "gpu_recovery_action", "recovery_action"},
    {"gpu_virtualization_mode", "virtualization_mode", "virtualization"},
    {"mig_mode", "current_mig", "mig_mode"},
    {"ecc_mode", "current_ecc", "ecc_mode"},
    {"gpu_reset_status", "reset_required", "reset_required"},
    {"gpu_reset_status", "drain_and_reset_recommended", "reset_recommended"},
    {"vgpu_software_licensed_product", "license_status", "license"},
    {"grid_licensed_product", "license_status", "license"},
    {"utilization", "gpu_util", "utilization", Shape::number},
    {"pcie_gen", "current_link_gen", "pcie_gen", Shape::number},
    {"pcie_gen", "max_link_gen", "pcie_gen_max", Shape::number},
    {"link_widths", "current_link_width", "pcie_width", Shape::number},
    {"link_widths", "max_link_width", "pcie_width_max", Shape::number},
    {"pci", "replay_counter", "pcie_replays", Shape::number},
    {"pci", "replay_rollover_counter", "pcie_replay_rollovers", Shape::number},
    {"multiple_single_bit_retirement", "retired_count", "retired_sbe", Shape::number},
    {"double_bit_retirement", "retired_count", "retired_dbe", Shape::number},
    {"retired_pages", "pending_blacklist", "retired_pending"},
    {"retired_pages", "pending_retirement", "retired_pending"},
    {"remapped_rows", "remapped_row_corr", "remap_corrected", Shape::number},
    {"remapped_rows", "remapped_row_unc", "remap_uncorrected"},
    {"remapped_rows", "remapped_row_pending", "remap_pending"},
    {"remapped_rows", "remapped_row_failure", "remap_failed"},
    {"row_remapper_histogram", "row_remapper_histogram_max", "banks_max", Shape::number},
    {"row_remapper_histogram", "row_remapper_histogram_high", "banks_high", Shape::number},
    {"row_remapper_histogram", "row_remapper_histogram_partial", "banks_partial", Shape::number},
    {"row_remapper_histogram", "row_remapper_histogram_low", "banks_low", Shape::number},
    {"row_remapper_histogram", "row_remapper_histogram_none", "banks_none", Shape::number},
    {"aggregate", "sram_threshold_exceeded", "sram_threshold_exceeded"},
    {"ecc_errors", "channel_repair_pending", "channel_repair_pending"},
    {"ecc_errors", "tpc_repair_pending", "tpc_repair_pending"},
    {"ecc_errors", "unrepairable_memory", "unrepairable_memory"},
    {"temperature", "gpu_temp_tlimit", "temp_headroom", Shape::number},
    {"temperature", "gpu_temp_max_threshold", "temp_shutdown", Shape::number},
    {"temperature", "gpu_temp_slow_threshold", "temp_slowdown", Shape::number},
    {"temperature", "gpu_temp_max_tlimit_threshold", "headroom_shutdown", Shape::number},
    {"temperature", "gpu_temp_slow_tlimit_threshold", "headroom_slowdown", Shape::number},
    {"temperature", "memory_temp", "memory_temperature", Shape::number},
    {"fabric", "state", "fabric_state"},
    {"fabric", "status", "fabric_status"},
    {"fabric", "cliqueId", "clique"},
    {"fabric", "clusterUuid", "cluster_uuid"},
    {"health", "summary", "fabric_health"},
    {"health", "bandwidth", "fabric_bandwidth"},
    {"health", "route_recovery_in_progress", "route_recovery"},
    {"health", "route_unhealthy", "route_unhealthy"},
    {"health", "access_timeout_recovery", "access_timeout_recovery"},
    {"health", "incorrect_configuration", "fabric_misconfigured"},
};

constexpr Place kColumns[] = {
    {"", "serial", "serial"},
    {"", "gpu_serial", "serial"},
    {"", "persistence_mode", "persistence"},
    {"", "pstate", "pstate"},
    {"", "gpu_recovery_action", "recovery_action"},
    {"", "mig.mode.current", "mig_mode"},
    {"", "ecc.mode.current", "ecc_mode"},
    {"", "reset_status.reset_required", "reset_required"},
    {"", "reset_status.drain_and_reset_recommended", "reset_recommended"},
    {"", "utilization.gpu", "utilization", Shape::number},
    {"", "pcie.link.gen.current", "pcie_gen", Shape::number},
    {"", "pcie.link.gen.gpucurrent", "pcie_gen", Shape::number},
    {"", "pcie.link.gen.max", "pcie_gen_max", Shape::number},
    {"", "pcie.link.gen.gpumax", "pcie_gen_max", Shape::number},
    {"", "pcie.link.width.current", "pcie_width", Shape::number},
    {"", "pcie.link.width.max", "pcie_width_max", Shape::number},
    {"", "retired_pages.single_bit_ecc.count", "retired_sbe", Shape::number},
    {"", "retired_pages.sbe", "retired_sbe", Shape::number},
    {"", "retired_pages.double_bit.count", "retired_dbe", Shape::number},
    {"", "retired_pages.dbe", "retired_dbe", Shape::number},
    {"", "retired_pages.pending", "retired_pending"},
    {"", "remapped_rows.correctable", "remap_corrected", Shape::number},
    {"", "remapped_rows.uncorrectable", "remap_uncorrected"},
    {"", "remapped_rows.pending", "remap_pending"},
    {"", "remapped_rows.failure", "remap_failed"},
    {"", "remapped_rows.histogram.max", "banks_max", Shape::number},
    {"", "remapped_rows.histogram.high", "banks_high", Shape::number},
    {"", "remapped_rows.histogram.partial", "banks_partial", Shape::number},
    {"", "remapped_rows.histogram.low", "banks_low", Shape::number},
    {"", "remapped_rows.histogram.none", "banks_none", Shape::number},
    {"", "temperature.gpu.tlimit", "temp_headroom", Shape::number},
    {"", "temperature.memory", "memory_temperature", Shape::number},
    {"", "ecc.errors.corrected.volatile.total", "ecc_corrected", Shape::number},
    {"", "ecc.errors.uncorrected.aggregate.total", "ecc_uncorrected_aggregate", Shape::number},
    {"", "fabric.state", "fabric_state"},
    {"", "fabric.status", "fabric_status"},
    {"", "fabric.cliqueid", "clique"},
    {"", "fabric.clusteruuid", "cluster_uuid"},
    {"", "fabric.health.summary", "fabric_health"},
    {"", "fabric.health.bandwidth", "fabric_bandwidth"},
    {"", "fabric.health.route_recovery_in_progress", "route_recovery"},
    {"", "fabric.health.route_unhealthy", "route_unhealthy"},
    {"", "fabric.health.access_timeout_recovery", "access_timeout_recovery"},
    {"", "fabric.health.incorrect_configuration", "fabric_misconfigured"},
};

/// What slows the clocks down, by the end of its name: "clocks_event_reason_hw_slowdown" of `-q -x`, and
/// "clocks_event_reasons.hw_slowdown" of csv; before R535 "throttle" in place of "event".
constexpr Place kReasons[] = {
    {"", "hw_slowdown", "hw_slowdown", Shape::active},
    {"", "hw_thermal_slowdown", "hw_thermal_slowdown", Shape::active},
    {"", "hw_power_brake_slowdown", "hw_power_brake", Shape::active},
    {"", "sw_thermal_slowdown", "sw_thermal_slowdown", Shape::active},
    {"", "sw_power_cap", "sw_power_cap", Shape::active},
    {"", "gpu_idle", "clocks_idle", Shape::active},
};

std::string_view reason_of(std::string_view name) {
    constexpr std::array<std::string_view, 4> kStarts{"clocks_event_reason_", "clocks_throttle_reason_",
                                                      "clocks_event_reasons.", "clocks_throttle_reasons."};
    for (const auto start : kStarts)
        if (name.starts_with(start)) return name.substr(start.size());
    return {};
}

/// "-8 C" -> "-8", "16x" -> "16", "100.89 W" -> "100.89"; nothing for other texts.
std::string_view leading_number(std::string_view value) {
    const auto start = value.starts_with("-") ? std::size_t{1} : std::size_t{0};
    const auto number = value.substr(0, value.find_first_not_of("0123456789.", start));
    return number.size() <= 20 && base::parse_decimal(number.substr(start)) ? number : std::string_view{};
}

void take(const Place& place, std::string_view value, Gpu& gpu) {
    if (is_nothing(value)) return;
    if (place.shape == Shape::number) value = leading_number(value);
    const bool is_state = value == "Active" || value == "Not Active";
    if (value.empty() || (place.shape == Shape::active && !is_state)) return;
    const bool has =
        std::any_of(gpu.more.begin(), gpu.more.end(), [&](const auto& f) { return f.first == place.field; });
    if (!has) gpu.add(place.field, value);
}

bool is_of(const Place& place, std::string_view section) {
    return place.where == kAnySection || place.where == section;
}

}  // namespace

void take_query_field(std::string_view section, std::string_view key, std::string_view value, Gpu& gpu) {
    for (const auto& place : kQuery)
        if (place.name == key && is_of(place, section)) take(place, value, gpu);
}

void take_xml_field(std::string_view parent, std::string_view element, std::string_view value, Gpu& gpu) {
    for (const auto& place : kXml)
        if (place.name == element && place.where == parent) take(place, value, gpu);
    const auto reason = reason_of(element);
    for (const auto& place : kReasons)
        if (place.name == reason) take(place, value, gpu);
}

void take_csv_field(std::string_view column, std::string_view value, Gpu& gpu) {
    const auto name = base::lower(column);
    for (const auto& place : kColumns)
        if (place.name == name) take(place, value, gpu);
    const auto reason = reason_of(name);
    for (const auto& place : kReasons)
        if (place.name == reason) take(place, value, gpu);
}

bool is_section_of_fields(std::string_view name) {
    return !name.empty() && name != kAnySection &&
           std::any_of(std::begin(kQuery), std::end(kQuery), [&](const Place& place) { return place.where == name; });
}

bool is_known_pair(std::string_view line) {
    const auto [key, value] = base::split_once(line, " : ");
    const auto name = base::trim(key);
    return !base::trim(value).empty() &&
           std::any_of(std::begin(kQuery), std::end(kQuery), [&](const Place& place) { return place.name == name; });
}

void add_count(std::string_view value, std::string& sum) {
    const auto count = base::parse_number<std::uint64_t>(value);
    if (!count) return;
    constexpr std::uint64_t kCap = std::uint64_t{1} << 62;
    const auto before = base::parse_number<std::uint64_t>(sum).value_or(0);
    sum = std::to_string(std::min(before, kCap) + std::min(*count, kCap));
}

}  // namespace gpumedic::evidence::nvidia_smi
