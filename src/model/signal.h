// A typed observation, made from a record by a definition of the catalogue.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/timestamp.h"
#include "model/pci_address.h"
#include "model/record.h"

namespace gpumedic::model {

enum class Severity : std::uint8_t { info, warning, error, fatal };
[[nodiscard]] std::string_view to_string(Severity severity);
[[nodiscard]] std::optional<Severity> parse_severity(std::string_view name);

/// Who printed it: a host's kernel sees the GPU from outside, a guest's sees a virtual address.
enum class Vantage : std::uint8_t { unknown, host, guest };
[[nodiscard]] std::string_view to_string(Vantage vantage);

/// Where a signal was seen. It owns its text: records are gone by the time anybody asks.
struct EvidenceRef {
    std::uint32_t source{};  // index into Diagnosis::sources
    std::uint64_t line{};    // 1-based
    std::optional<base::Timestamp> time{};
    std::string text{};
};

/// The names a signal uses for what it speaks of. Every one may be missing.
struct Subject {
    std::optional<PciAddress> pci{};
    std::string uuid{};
    std::optional<int> index{};     // nvidia-smi's index
    std::optional<int> instance{};  // the driver's own number ("GPU4" in NVRM lines); not the index
    std::optional<int> link{};
    std::optional<int> nvswitch{};
    std::string iommu_group{};
    std::string vm{};
    std::string namespace_{};
    std::string pod{};
    std::string node{};
    bool operator==(const Subject&) const = default;
};

struct Signal {
    std::string id{};  // of the catalogue: "xid.79"
    Severity severity{Severity::info};
    RecordType record{RecordType::text};  // what kind of record carried it
    Subject subject{};
    std::string device_kind{};  // of what it names, where it is known to be no GPU or NVSwitch: nic, port ...
    std::vector<std::pair<std::string, std::string>> fields{};  // other captures, in order of the definition
    std::string host{};                                         // as the record named it
    Vantage vantage{Vantage::unknown};
    std::uint64_t count{1};  // identical subject and fields folded
    std::optional<base::Timestamp> first{};
    std::optional<base::Timestamp> last{};
    std::vector<EvidenceRef> evidence{};  // the first kMaxEvidence and the last

    static constexpr std::size_t kMaxEvidence = 8;
    [[nodiscard]] std::string_view field(std::string_view key) const {
        for (const auto& [k, v] : fields)
            if (k == key) return v;
        return {};
    }
};

}  // namespace gpumedic::model
