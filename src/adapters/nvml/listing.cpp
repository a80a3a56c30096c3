#include "adapters/nvml/listing.h"

#include <fmt/format.h>

#include <array>
#include <cstring>
#include <optional>
#include <string_view>

namespace gpumedic::adapters::nvml {
namespace {

using ports::ServiceText;

using TextFunction = Return (*)(char*, unsigned);
using DeviceTextFunction = Return (*)(Device, char*, unsigned);

std::string until_nul(const char* text, std::size_t size) { return {text, ::strnlen(text, size)}; }

std::string system_text(TextFunction function) {
    std::array<char, kTextBytes> buffer{};
    if (function == nullptr || function(buffer.data(), kTextBytes) != kSuccess) return {};
    return until_nul(buffer.data(), buffer.size());
}

/// A value of a device, and what asking for it came to.
template <class Value, class Function, class... Words>
std::optional<Value> ask(Function function, Device device, Words... words) {
    Value value{};
    if (function == nullptr || function(device, words..., &value) != kSuccess) return std::nullopt;
    return value;
}

class Listing {
public:
    explicit Listing(const Functions& nvml) : nvml_(nvml) {}

    std::string run() {
        if (const auto begun = nvml_.init(); begun != kSuccess) return refusal(begun);
        out_ += "==============NVSMI LOG==============\n\n";
        field(0, "Driver Version", system_text(nvml_.driver_version));
        field(0, "NVML Version", system_text(nvml_.nvml_version));
        unsigned count = 0;
        if (const auto counted = nvml_.count(&count); counted != kSuccess) {
            out_ += "Unable to count the GPUs: " + words(counted) + "\n";
        } else {
            field(0, "Attached GPUs", std::to_string(count));
        }
        for (unsigned i = 0; i < count; ++i) add_gpu(i);
        if (nvml_.shutdown != nullptr) nvml_.shutdown();
        return out_;
    }

private:
    std::string words(Return code) const {
        const char* const text = nvml_.error_string(code);
        return text == nullptr ? fmt::format("error {}", code) : text;
    }

    /// As nvidia-smi says it.
    std::string refusal(Return code) const {
        if (code == kDriverNotLoaded)
            return "NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver. Make sure that the "
                   "latest "
                   "NVIDIA driver is installed and running.\n";
        auto text = "Failed to initialize NVML: " + words(code) + "\n";
        if (const auto version = system_text(nvml_.nvml_version); !version.empty())
            text += "NVML library version: " + version.substr(version.find('.') == 2 ? 3 : 0) + "\n";
        return text;
    }

    void field(std::size_t indent, std::string_view name, std::string_view value) {
        if (value.empty()) return;
        constexpr std::size_t kColumn = 42;
        out_ += fmt::format("{}{:<{}}: {}\n", std::string(indent, ' '), name, kColumn - indent, value);
    }
    void heading(std::size_t indent, std::string_view name) {
        out_ += fmt::format("{}{}\n", std::string(indent, ' '), name);
    }

    template <class Value>
    void number(std::size_t indent, std::string_view name, const std::optional<Value>& value,
                std::string_view unit = {}) {
        if (value) field(indent, name, fmt::format("{}{}", *value, unit));
    }

    void device_text(std::string_view name, DeviceTextFunction function, Device device) {
        std::array<char, kTextBytes> buffer{};
        if (function != nullptr && function(device, buffer.data(), kTextBytes) == kSuccess)
            field(4, name, until_nul(buffer.data(), buffer.size()));
    }

    void add_gpu(unsigned index) {
        Device device = nullptr;
        const auto found = nvml_.handle(index, &device);
        PciInfo pci{};
        const auto placed = found == kSuccess && nvml_.pci_info != nullptr ? nvml_.pci_info(device, &pci) : found;
        const auto address = until_nul(pci.bus_id, sizeof pci.bus_id);
        if (placed != kSuccess || address.empty()) {
            out_ += fmt::format("Unable to determine the device handle for GPU{}{}: {}\n", index,
                                address.empty() ? "" : ": " + address, words(placed));
            return;
        }
        heading(0, "GPU " + address);
        if (const auto lost = health_of(device); lost != kSuccess) {
            // The address is known, and the GPU is not there any more.
            out_ +=
                fmt::format("Unable to determine the device handle for GPU{}: {}: {}\n", index, address, words(lost));
            return;
        }
        add_identity(device);
        add_link(device);
        add_clocks(device);
        add_memory(device);
        add_nvlink(device);
        add_fabric(device);
    }

    /// A lost GPU still has a handle: the first question that needs the hardware tells.
    Return health_of(Device device) const {
        unsigned celsius = 0;
        const auto answer = nvml_.temperature == nullptr ? kSuccess : nvml_.temperature(device, 0, &celsius);
        return answer == kNotSupported ? kSuccess : answer;
    }

    void add_identity(Device device) {
        device_text("Product Name", nvml_.name, device);
        device_text("Serial Number", nvml_.serial, device);
        device_text("GPU UUID", nvml_.uuid, device);
        if (const auto state = ask<int>(nvml_.performance_state, device); state && *state >= 0 && *state <= 15)
            field(4, "Performance State", fmt::format("P{}", *state));
        if (const auto celsius = ask<unsigned>(nvml_.temperature, device, 0)) {
            heading(4, "Temperature");
            field(8, "GPU Current Temp", fmt::format("{} C", *celsius));
        }
    }

    void add_link(Device device) {
        heading(4, "PCI");
        heading(8, "GPU Link Info");
        heading(12, "PCIe Generation");
        number(16, "Max", ask<unsigned>(nvml_.link_generation_max, device));
        number(16, "Current", ask<unsigned>(nvml_.link_generation, device));
        heading(12, "Link Width");
        number(16, "Max", ask<unsigned>(nvml_.link_width_max, device), "x");
        number(16, "Current", ask<unsigned>(nvml_.link_width, device), "x");
    }

    void add_clocks(Device device) {
        const auto reasons = ask<unsigned long long>(nvml_.clock_reasons, device);
        if (!reasons) return;
        const auto active = [&](unsigned long long reason) {
            return (*reasons & reason) != 0 ? "Active" : "Not Active";
        };
        heading(4, "Clocks Event Reasons");
        field(8, "Idle", active(kReasonIdle));
        field(8, "SW Power Cap", active(kReasonSwPowerCap));
        field(8, "HW Slowdown", active(kReasonHwSlowdown));
        field(12, "HW Thermal Slowdown", active(kReasonHwThermal));
        field(12, "HW Power Brake Slowdown", active(kReasonHwPowerBrake));
        field(8, "SW Thermal Slowdown", active(kReasonSwThermal));
    }

    void add_memory(Device device) {
        int current = 0;
        int pending = 0;
        if (nvml_.ecc_mode != nullptr && nvml_.ecc_mode(device, &current, &pending) == kSuccess) {
            heading(4, "ECC Mode");
            field(8, "Current", current == kEnabled ? "Enabled" : "Disabled");
            field(8, "Pending", pending == kEnabled ? "Enabled" : "Disabled");
            heading(4, "ECC Errors");
            for (const auto& [name, counter] : {std::pair{"Volatile", kVolatile}, std::pair{"Aggregate", kAggregate}}) {
                heading(8, name);
                number(12, "DRAM Correctable",
                       ask<unsigned long long>(nvml_.ecc_errors, device, int{kCorrected}, int{counter}));
                number(12, "DRAM Uncorrectable",
                       ask<unsigned long long>(nvml_.ecc_errors, device, int{kUncorrected}, int{counter}));
            }
        }
        if (const auto retired = ask<int>(nvml_.retired_pending, device)) {
            heading(4, "Retired Pages");
            field(8, "Pending Page Blacklist", *retired == kEnabled ? "Yes" : "No");
        }
        std::array<unsigned, 4> rows{};
        if (nvml_.remapped_rows != nullptr &&
            nvml_.remapped_rows(device, &rows[0], &rows[1], &rows[2], &rows[3]) == kSuccess) {
            heading(4, "Remapped Rows");
            field(8, "Correctable Error", std::to_string(rows[0]));
            field(8, "Uncorrectable Error", std::to_string(rows[1]));
            field(8, "Pending", rows[2] != 0 ? "Yes" : "No");
            field(8, "Remapping Failure Occurred", rows[3] != 0 ? "Yes" : "No");
        }
    }

    void add_nvlink(Device device) {
        bool titled = false;
        for (unsigned link = 0; link < kMostLinks; ++link) {
            const auto state = ask<int>(nvml_.nvlink_state, device, link);
            if (!state) continue;
            if (!titled) heading(4, "NVLINK");
            titled = true;
            field(8, fmt::format("Link {}", link), *state == kEnabled ? "Active" : "Inactive");
        }
    }

    void add_fabric(Device device) {
        const auto fabric = ask<FabricInfo>(nvml_.fabric_info, device);
        constexpr std::array<std::string_view, 4> kStates{"", "Not Started", "In Progress", "Completed"};
        if (!fabric || fabric->state == 0 || fabric->state >= kStates.size()) return;
        heading(4, "Fabric");
        field(8, "State", kStates[fabric->state]);
        field(8, "Status", fabric->state != 3 ? "N/A" : fabric->status == kSuccess ? "Success" : words(fabric->status));
    }

    const Functions& nvml_;
    std::string out_{};
};

}  // namespace

std::string list_gpus(const Functions& nvml) { return Listing(nvml).run(); }

std::vector<ServiceText> NvmlListing::about(const std::string& /*node*/, std::chrono::milliseconds /*timeout*/) {
    using Outcome = ServiceText::Outcome;
    const auto library = Library::open();
    if (!library) {
        const bool absent = library.error().code == base::ErrorCode::not_found;
        return {
            {{}, {}, absent ? Outcome::absent : Outcome::failed, library.error().where + ": " + library.error().what}};
    }
    ServiceText text{"nvml/query.txt", list_gpus(library->functions()), Outcome::ok, {}};
    if (!library->missing().empty()) {
        text.outcome = Outcome::truncated;
        text.why = "this version of the library lacks " + library->missing().front();
        if (library->missing().size() > 1)
            text.why += fmt::format(" and {} more functions", library->missing().size() - 1);
    }
    return {std::move(text)};
}

}  // namespace gpumedic::adapters::nvml
