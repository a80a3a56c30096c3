#include "collect/item.h"

namespace gpumedic::collect {
namespace {

template <class... F>
struct Overloaded : F... {
    using F::operator()...;
};
template <class... F>
Overloaded(F...) -> Overloaded<F...>;

}  // namespace

std::string join_words(const std::vector<std::string>& words) {
    std::string all;
    for (const auto& word : words) all += (all.empty() ? "" : " ") + word;
    return all;
}

std::string command_file(const std::vector<std::string>& argv) {
    std::string name = "commands/";
    for (const auto& word : argv) {
        if (!name.ends_with('/')) name += '_';
        for (const char c : word) {
            const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
                               c == '.' || c == ':' || c == '=' || c == ',';
            name += plain ? c : '+';
        }
    }
    constexpr std::size_t kMaxName = 120;
    if (name.size() > kMaxName) name.resize(kMaxName);
    return name + ".txt";
}

std::string_view name_of(AskService::Service service) {
    switch (service) {
        case AskService::Service::cluster: return "the Kubernetes API";
        case AskService::Service::bmc: return "the BMC by Redfish";
        case AskService::Service::nvml: break;
    }
    return "NVML (libnvidia-ml.so.1)";
}

std::string_view kind_of(const How& how) {
    constexpr std::string_view kKinds[] = {"files", "values", "command",   "journal",
                                           "sysfs", "sysfs",  "processes", "service"};
    return kKinds[how.index()];
}

std::string target_of(const How& how) {
    return std::visit(
        Overloaded{
            [](const CopyFiles& x) { return join_words(x.patterns); },
            [](const PrintValues& x) { return x.patterns.empty() ? std::string() : x.patterns.front() + " ..."; },
            [](const RunCommand& x) { return join_words(x.argv); },
            [](const AskJournal& x) {
                return x.query.origin == ports::JournalQuery::Origin::kernel ? std::string("_TRANSPORT=kernel")
                                                                             : "_COMM=" + join_words(x.query.programs);
            },
            [](const ListGroups&) { return std::string("/sys/kernel/iommu_groups"); },
            [](const ReadConfig& x) { return "/sys/bus/pci/devices/" + x.address + "/config"; },
            [](const FindHolders&) { return std::string("/proc/*/fd"); },
            [](const AskService& x) {
                return x.service == AskService::Service::nvml ? std::string(name_of(x.service))
                                                              : std::string(name_of(x.service)) + ", node " + x.node;
            }},
        how);
}

std::string_view to_string(Outcome outcome) {
    constexpr std::string_view kNames[] = {"ok", "absent", "denied", "timed_out", "truncated", "blocked", "failed"};
    return kNames[static_cast<std::size_t>(outcome)];
}

}  // namespace gpumedic::collect
