#include "diagnosis/observation.h"

#include <algorithm>
#include <map>
#include <unordered_map>

#include "base/text.h"

namespace gpumedic::diagnosis {
namespace {

using model::Holder;
using model::Vantage;
using signals::FoldedSignal;

/// "gpu-n14.cluster-a.lan" and "gpu-n14" are one machine.
std::string short_host(std::string_view host) { return base::lower(host.substr(0, host.find('.'))); }

/// Of "dir/a.log (cat /var/log/x)" the folder is "dir": what stands in brackets says which part of the file it is.
std::string folder_of(std::string_view name) {
    if (name.ends_with(')')) name = name.substr(0, name.find(" ("));
    const auto slash = name.rfind('/');
    return slash == std::string_view::npos ? std::string() : std::string(name.substr(0, slash));
}

/// source -> node. Hosts are what host-side logs call themselves; a guest's own name makes a node only where no host
/// log names one.
class NodeNames {
public:
    explicit NodeNames(const Evidence& evidence) : node_of_(evidence.sources.size()) {
        std::vector<std::map<std::string, std::uint64_t>> hosts(evidence.sources.size());
        for (const auto& folded : evidence.signals)
            if (!folded.signal.host.empty() && folded.source < hosts.size())
                hosts[folded.source][short_host(folded.signal.host)] += folded.signal.count;
        for (std::size_t i = 0; i < hosts.size(); ++i)
            if (evidence.sources[i].vantage != Vantage::guest && !hosts[i].empty()) name_source(i, hosts[i], evidence);
        if (nodes_.empty())
            for (std::size_t i = 0; i < hosts.size(); ++i)
                if (!hosts[i].empty()) name_source(i, hosts[i], evidence);
        for (std::size_t i = 0; i < node_of_.size(); ++i)
            if (node_of_[i].empty()) node_of_[i] = by_folder(evidence.sources[i].name);
    }

    [[nodiscard]] const std::string& of_source(std::size_t source) const { return node_of_[source]; }
    [[nodiscard]] std::string of(const FoldedSignal& folded) const {
        const auto& node = node_of_[folded.source];
        const auto host = short_host(folded.signal.host);
        // One file may hold several machines' lines (a log server's export).
        return nodes_.contains(host) ? host : node;
    }

private:
    void name_source(std::size_t source, const std::map<std::string, std::uint64_t>& hosts, const Evidence& evidence) {
        const auto main = std::ranges::max_element(hosts, {}, [](const auto& h) { return h.second; });
        node_of_[source] = main->first;
        for (const auto& [host, count] : hosts) nodes_.insert(host);
        folders_.emplace(folder_of(evidence.sources[source].name), main->first);
    }
    [[nodiscard]] std::string by_folder(std::string_view name) const {
        if (nodes_.size() == 1) return *nodes_.begin();
        for (auto folder = folder_of(name);; folder = folder_of(folder)) {
            if (const auto it = folders_.find(folder); it != folders_.end()) return it->second;
            if (folder.empty()) return nodes_.empty() ? std::string() : *nodes_.begin();
        }
    }
    std::vector<std::string> node_of_;
    std::set<std::string> nodes_;
    std::map<std::string, std::string> folders_;
};

/// Wall-clock starts of the boots that this node's sources show, ascending.
std::vector<base::Timestamp> boot_starts(const NodeView& node) {
    std::vector<base::Timestamp> starts;
    for (const auto& o : node.observations)
        if (starts_boot(o.signal().id) && o.signal().first && o.signal().first->clock == base::Timestamp::Clock::wall &&
            o.signal().vantage != Vantage::guest)
            starts.push_back(*o.signal().first);
    std::ranges::sort(starts, {}, &base::Timestamp::value);
    // Two sources tell of the same start a few seconds apart.
    constexpr std::chrono::seconds kSameBoot{120};
    const auto same =
        std::ranges::unique(starts, [&](const auto& a, const auto& b) { return b.value - a.value < kSameBoot; });
    starts.erase(same.begin(), same.end());
    return starts;
}

void place_in_boots(NodeView& node) {
    const auto starts = boot_starts(node);
    for (auto& o : node.observations) {
        o.epoch = o.folded->boot;
        const auto& last = o.signal().last;
        if (!starts.empty() && last && last->clock == base::Timestamp::Clock::wall &&
            o.signal().vantage != Vantage::guest)
            o.epoch = static_cast<std::uint32_t>(
                std::ranges::count_if(starts, [&](const auto& s) { return s.value > last->value; }));
        node.epochs = std::max(node.epochs, o.epoch + 1);
    }
}

/// Guest addresses name other things than host addresses, so each vantage has its table; both end up in one list.
void place_devices(NodeView& node) {
    for (const bool guest : {false, true}) {
        std::vector<const model::Signal*> seen;
        for (const auto& o : node.observations)
            if ((o.signal().vantage == Vantage::guest) == guest) seen.push_back(&o.signal());
        signals::DeviceTable table;
        table.learn(seen);
        const auto offset = node.devices.size();
        if (guest) node.first_guest_device = offset;
        node.devices.insert(node.devices.end(), table.devices().begin(), table.devices().end());
        for (auto& o : node.observations) {
            if ((o.signal().vantage == Vantage::guest) != guest) continue;
            if (const auto found = table.find(o.signal().subject)) o.device = offset + *found;
        }
    }
    for (auto& o : node.observations) {
        const auto& s = o.signal().subject;
        o.vm = Holder{s.vm, s.namespace_, s.pod};
        if (o.vm.vm.empty() && o.device) o.vm = node.devices[*o.device].holder;
    }
}

}  // namespace

bool is_event(model::RecordType type) {
    using model::RecordType;
    switch (type) {
        case RecordType::text:
        case RecordType::kernel:
        case RecordType::syslog:
        case RecordType::virt:
        case RecordType::libvirt:
        case RecordType::qemu:
        case RecordType::k8s_event:
        case RecordType::bmc_event: return true;
        default: return false;
    }
}

std::vector<NodeView> view_nodes(const Evidence& evidence) {
    const NodeNames names(evidence);
    std::map<std::string, NodeView> nodes;
    for (std::size_t i = 0; i < evidence.sources.size(); ++i) {
        auto& node = nodes[names.of_source(i)];
        if (i < evidence.record_types.size()) node.read_types |= evidence.record_types[i];
    }
    for (const auto& folded : evidence.signals) nodes[names.of(folded)].observations.push_back({&folded});
    std::vector<NodeView> views;
    for (auto& [name, node] : nodes) {
        node.name = name;
        place_in_boots(node);
        place_devices(node);
        views.push_back(std::move(node));
    }
    return views;
}

}  // namespace gpumedic::diagnosis
