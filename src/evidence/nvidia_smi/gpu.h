// What a listing says about one GPU or one NVLink. Plain values.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/timestamp.h"

namespace gpumedic::evidence::nvidia_smi {

/// Empty texts were not shown.
struct Gpu {
    std::uint64_t line{};
    std::string raw{};
    std::string index{};
    std::string uuid{};
    std::string pci{};
    std::string name{};
    std::string temperature{};
    std::string ecc_uncorrected{};            // since the driver started
    std::string ecc_uncorrected_aggregate{};  // since the card was made
    std::string ecc_corrected{};              // since the driver started
    std::string driver{};
    std::string state{};
    std::vector<std::pair<std::string_view, std::string>> more{};  // fields of sections, keys are literals

    void add(std::string_view key, std::string_view value) { more.emplace_back(key, std::string(value)); }
};

struct Link {
    std::uint64_t line{};
    std::string raw{};
    std::string number{};
    std::string state{};  // active or inactive
    std::string speed{};  // "26.562 GB/s"
};

/// Links of one GPU, counted. A listing numbers them from 0 without a gap; where a line is missing the count says
/// nothing.
struct LinkTally {
    std::uint64_t links{};
    std::uint64_t active{};
    bool whole{true};
    void add(const Link& link) {
        if (link.state.empty()) return;
        if (link.number != std::to_string(links)) whole = false;
        ++links;
        if (link.state == "active") ++active;
    }
};

/// A cell or value by which the tool says that it could not read the GPU ("ERR!", "[Unknown Error]", "GPU is lost"
/// ...).
[[nodiscard]] bool is_error_cell(std::string_view cell);
/// The tool's ways to say that there is nothing to show: "N/A", "[N/A]", "[Not Supported]", "-", "" ...
[[nodiscard]] bool is_nothing(std::string_view cell);
/// Neither nothing nor an error.
[[nodiscard]] bool is_shown(std::string_view cell);
/// "00000000:ED:00.0" -> "0000:ed:00.0"; empty when it is no address.
[[nodiscard]] std::string address_of(std::string_view text);

/// "Link 3: 26.562 GB/s", "Link 3: <inactive>", "Link 3          : Active". Nothing for other lines, and for other
/// facts about a link (error counters, capabilities).
[[nodiscard]] std::optional<Link> parse_link(std::string_view line);
/// "active", "inactive" or "" for the words a listing uses.
[[nodiscard]] std::string_view link_state(std::string_view word);

/// "GPU 0: NVIDIA H100 80GB HBM3 (UUID: GPU-...)" of -L and nvlink -s. The uuid may be missing.
[[nodiscard]] std::optional<Gpu> parse_list_line(std::string_view line);

/// First row of a GPU in the table; nothing for headers, other rows and the process table.
[[nodiscard]] std::optional<Gpu> parse_table_row(std::string_view line);
/// Second and third row: temperature and error marks.
void add_table_row(std::string_view line, Gpu& gpu);
/// "Driver Version: 550.90.07" of the table's head, or "".
[[nodiscard]] std::string_view table_driver(std::string_view line);

}  // namespace gpumedic::evidence::nvidia_smi
