// Files of PCI devices in sysfs, as cat, grep, ls and readlink print them. Pure.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "evidence/host_facts/fact.h"

namespace gpumedic::evidence::host_facts {

/// What one file of a device holds.
struct SysfsValue {
    std::string pci{};   // "0000:b8:00.0"
    std::string file{};  // "current_link_width"
    std::string value{};

    /// "/sys/bus/pci/devices/0000:b8:00.0/current_link_width:4", whatever the tool printed.
    [[nodiscard]] std::string to_line() const;
};

/// The first line that spoke of a device, and what all lines together say of it.
struct SysfsDevice {
    std::uint64_t line{};
    std::string raw{};
    Fact fact{};
};

/// The answer of one command, line by line. `cat` and `readlink` print values without names: they are told apart by
/// the order of the files in the command. Not thread-safe.
class SysfsFiles {
public:
    explicit SysfsFiles(std::string_view command);
    /// Nothing when the line is no file that we know.
    [[nodiscard]] std::optional<SysfsValue> line(std::string_view text, std::uint64_t number);
    /// A `pci_device` fact for each device of which something was kept. At most kMaxDevices.
    [[nodiscard]] std::vector<SysfsDevice> take();

    static constexpr std::size_t kMaxDevices = 1024;

private:
    struct File {
        std::string pci;
        std::string name;
    };
    [[nodiscard]] std::optional<SysfsValue> next_of_command(std::string_view text);
    void keep(const SysfsValue& value, std::string_view text, std::uint64_t number);

    std::deque<File> expected_{};  // whose values come without a name
    std::string only_device_{};    // of which `ls -l` lists the folder
    std::map<std::string, SysfsDevice> devices_{};
};

/// "/sys/bus/pci/devices/0000:b8:00.0/power_state:D0", "... 0000:b8:00.0/driver -> ../../drivers/vfio-pci".
[[nodiscard]] std::optional<SysfsValue> parse_sysfs_line(std::string_view line);
/// Whether a command prints files of PCI devices.
[[nodiscard]] bool reads_pci_sysfs(std::string_view command);

}  // namespace gpumedic::evidence::host_facts
