// Names of the enumerations, as the JSON and the catalogue spell them.
#include <array>

#include "model/diagnosis.h"
#include "model/record.h"
#include "model/verification.h"

namespace gpumedic::model {
namespace {

template <class E, std::size_t N>
using Names = std::array<std::pair<E, std::string_view>, N>;

template <class E, std::size_t N>
std::string_view name_of(const Names<E, N>& names, E value) {
    for (const auto& [v, name] : names)
        if (v == value) return name;
    return "unknown";
}
template <class E, std::size_t N>
std::optional<E> value_of(const Names<E, N>& names, std::string_view text) {
    for (const auto& [v, name] : names)
        if (name == text) return v;
    return std::nullopt;
}

constexpr Names<RecordType, 26> kRecordTypes{{{RecordType::text, "text"},
                                              {RecordType::kernel, "kernel"},
                                              {RecordType::syslog, "syslog"},
                                              {RecordType::virt, "virt"},
                                              {RecordType::libvirt, "libvirt"},
                                              {RecordType::qemu, "qemu"},
                                              {RecordType::k8s_event, "k8s_event"},
                                              {RecordType::k8s_vm, "k8s_vm"},
                                              {RecordType::k8s_vmi, "k8s_vmi"},
                                              {RecordType::k8s_pod, "k8s_pod"},
                                              {RecordType::smi_line, "smi_line"},
                                              {RecordType::gpu, "gpu"},
                                              {RecordType::nvlink, "nvlink"},
                                              {RecordType::pci_device, "pci_device"},
                                              {RecordType::pci_register, "pci_register"},
                                              {RecordType::k8s_node, "k8s_node"},
                                              {RecordType::slurm_node, "slurm_node"},
                                              {RecordType::slurm_job, "slurm_job"},
                                              {RecordType::bmc_event, "bmc_event"},
                                              {RecordType::dcgm, "dcgm"},
                                              {RecordType::module, "module"},
                                              {RecordType::package, "package"},
                                              {RecordType::driver, "driver"},
                                              {RecordType::iommu_group, "iommu_group"},
                                              {RecordType::kernel_cmdline, "kernel_cmdline"},
                                              {RecordType::collected_item, "collected_item"}}};
constexpr Names<Severity, 4> kSeverities{
    {{Severity::info, "info"}, {Severity::warning, "warning"}, {Severity::error, "error"}, {Severity::fatal, "fatal"}}};
constexpr Names<Vantage, 3> kVantages{
    {{Vantage::unknown, "unknown"}, {Vantage::host, "host"}, {Vantage::guest, "guest"}}};
constexpr Names<Verdict, 3> kVerdicts{
    {{Verdict::healthy, "healthy"}, {Verdict::inconclusive, "inconclusive"}, {Verdict::fault, "fault"}}};
constexpr Names<IncidentState, 3> kStates{{{IncidentState::open, "open"},
                                           {IncidentState::cleared, "cleared"},
                                           {IncidentState::earlier_boot, "earlier_boot"}}};
constexpr Names<How, 2> kHows{{{How::seen, "seen"}, {How::inferred, "inferred"}}};

}  // namespace

std::string_view to_string(RecordType type) { return name_of(kRecordTypes, type); }
std::optional<RecordType> parse_record_type(std::string_view name) { return value_of(kRecordTypes, name); }
std::string_view to_string(Severity severity) { return name_of(kSeverities, severity); }
std::optional<Severity> parse_severity(std::string_view name) { return value_of(kSeverities, name); }
std::string_view to_string(Vantage vantage) { return name_of(kVantages, vantage); }
std::string_view to_string(Verdict verdict) { return name_of(kVerdicts, verdict); }
std::string_view to_string(IncidentState state) { return name_of(kStates, state); }
std::string_view to_string(How how) { return name_of(kHows, how); }

int exit_code(Verdict verdict) {
    switch (verdict) {
        case Verdict::healthy: return 0;
        case Verdict::fault: return 1;
        case Verdict::inconclusive: return 2;
    }
    return 2;
}

std::string_view to_string(CheckResult result) {
    return result == CheckResult::pass ? "pass" : result == CheckResult::fail ? "fail" : "unknown";
}

int exit_code(CheckResult result) { return result == CheckResult::pass ? 0 : result == CheckResult::fail ? 1 : 2; }

}  // namespace gpumedic::model
