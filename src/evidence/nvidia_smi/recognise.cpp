#include "evidence/nvidia_smi/recognise.h"

#include <algorithm>
#include <array>
#include <string>

#include "base/text.h"
#include "evidence/nvidia_smi/csv.h"
#include "evidence/nvidia_smi/gpu.h"
#include "evidence/nvidia_smi/query.h"
#include "evidence/nvidia_smi/topology.h"
#include "evidence/nvidia_smi/xml.h"

namespace gpumedic::evidence::nvidia_smi {
namespace {

/// "Link 0: Replay Errors: 0", "Link 0, P2P is supported: true".
bool is_link_counter(std::string_view line) {
    if (!line.starts_with("Link ")) return false;
    return base::contains(line, " Errors: ") || base::contains(line, " is supported: ");
}

/// What the tool prints instead of a listing starts with one of these.
bool is_complaint(std::string_view line) {
    constexpr std::array<std::string_view, 6> kStarts{"Unable to determine the device handle for",
                                                      "No devices were found",
                                                      "Failed to initialize NVML",
                                                      "NVIDIA-SMI has failed",
                                                      "NVML:",
                                                      "NVML library version:"};
    return std::any_of(kStarts.begin(), kStarts.end(), [&](std::string_view start) { return line.starts_with(start); });
}

/// How sure one line makes us.
int certainty_of_line(std::string_view line) {
    const auto text = base::trim(line);
    if (text.starts_with("| NVIDIA-SMI ") || base::contains(text, "==NVSMI LOG==")) return 95;
    if (text.starts_with("GPU ") && base::contains(text, "(UUID: GPU-") && parse_list_line(line)) return 90;
    if (text.starts_with("GPU ") && line.front() == 'G' && !address_of(text.substr(4)).empty()) return 80;
    if (parse_table_row(line)) return 80;
    if (starts_xml_listing(line)) return base::contains(text, "nvidia_smi_log") ? 95 : 0;
    if (is_topology_header(line)) return 90;
    if (parse_link(line) || is_link_counter(text)) return 60;
    return csv_columns_of_header(line).empty() ? 0 : 60;
}

/// "        State                             : Completed".
bool is_section_pair(std::string_view line) {
    const auto colon = line.find(" : ");
    return colon != std::string_view::npos && colon >= 30 && colon <= 60 && line.starts_with("     ");
}

/// Two rows in order, "0, None" and "1, Reset", are a csv listing without header.
bool is_bare_csv(std::string_view text) {
    int rows = 0;
    while (!text.empty() && rows < 2) {
        const auto [line, tail] = base::split_once(text, "\n");
        const auto [index, action] = base::split_once(line, ",");
        if (index != std::to_string(rows) || csv_columns_of_row(base::trim_right(line)).empty()) return false;
        text = tail;
        ++rows;
    }
    return rows == 2;
}

}  // namespace

bool runs_nvidia_smi(std::string_view command) {
    const auto words = base::split_blanks(command.substr(0, command.find('|')));
    constexpr std::array<std::string_view, 6> kOthers{"grep", "cat", "man", "which", "ls", "systemctl"};
    for (const auto word : words) {
        if (std::find(kOthers.begin(), kOthers.end(), word) != kOthers.end()) return false;
        const auto slash = word.rfind('/');
        if ((slash == std::string_view::npos ? word : word.substr(slash + 1)) == "nvidia-smi") return true;
    }
    return false;
}

int recognise(const ports::Head& head) {
    if (runs_nvidia_smi(head.command)) return 95;
    if (is_bare_csv(head.text)) return 70;
    int best = 0;
    bool section = false;
    int seen = 0;
    constexpr int kFirstLines = 5;
    for (auto rest = head.text; !rest.empty() && best < 90;) {
        const auto [line, tail] = base::split_once(rest, "\n");
        rest = tail;
        if (base::trim(line).empty()) continue;
        if (++seen <= kFirstLines && is_complaint(base::trim(line))) best = std::max(best, 85);
        const auto text = base::trim_right(line);
        // A section's name is a word or two: only a pair of the same listing below it makes sure.
        if (section && is_section_pair(text)) best = std::max(best, 70);
        section = Query::is_known_section(text);
        best = std::max(best, certainty_of_line(text));
    }
    return best;
}

}  // namespace gpumedic::evidence::nvidia_smi
