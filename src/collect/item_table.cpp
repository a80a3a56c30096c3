#include "collect/item_table.h"

#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>
#include <utility>

namespace gpumedic::collect {
namespace {

using namespace std::chrono_literals;
using std::chrono::milliseconds;

constexpr std::uint64_t kMiB = std::uint64_t{1} << 20;

Item files(std::string name, std::string shows, std::vector<std::string> patterns, std::uint64_t max = 64 * kMiB) {
    Item item{std::move(name), std::move(shows), CopyFiles{std::move(patterns)}};
    item.deadline = 10s;
    item.max_bytes = max;
    return item;
}

struct Gate {
    std::vector<std::string> any_of{};
    std::string otherwise{};
};

Item command(std::string name, std::string shows, std::vector<std::string> argv, Gate gate = {},
             milliseconds deadline = 10s) {
    Item item{std::move(name), std::move(shows),
              RunCommand{std::move(argv), std::move(gate.any_of), std::move(gate.otherwise)}};
    item.cost = Cost::may_block;
    item.deadline = deadline;
    return item;
}

Item for_root(Item item) {
    item.needs = Privilege::root;
    return item;
}

/// What kernel and programs of a GPU node write to the journal.
std::vector<std::string> telling_programs() {
    return {"kubelet",
            "containerd",
            "crio",
            "dockerd",
            "libvirtd",
            "virtqemud",
            "virtlogd",
            "qemu-system-x86",
            "qemu-kvm",
            "slurmd",
            "nv-fabricmanager",
            "nvidia-fabricm",
            "nvidia-imex",
            "nv-hostengine",
            "nvidia-persiste",
            "nvidia-persistenced",
            "dcgm-exporter",
            "mcelog",
            "rasdaemon",
            "ipmievd",
            "nvidia-powerd",
            "nvidia-toolkit",
            "systemd-shutdow"};
}

void add_node(std::vector<Item>& items) {
    items.push_back({"node/identity", "Name, kernel, uptime, boot id and distribution.",
                     PrintValues{"node/identity.txt",
                                 {"/proc/sys/kernel/hostname", "/etc/hostname", "/proc/sys/kernel/osrelease",
                                  "/proc/sys/kernel/random/boot_id", "/proc/sys/kernel/tainted", "/proc/uptime",
                                  "/proc/version", "/etc/os-release"}}});
    items.push_back(files("node/boot", "The kernel's command line, loaded modules and their options.",
                          {"/proc/cmdline", "/proc/modules", "/etc/modprobe.d/*.conf", "/etc/modules-load.d/*.conf"}));
    Item modules{"node/modules", "Versions and parameters of the GPU stack's kernel modules.",
                 PrintValues{"sys/modules.txt",
                             {"/sys/module/nvidia*/version", "/sys/module/nvidia*/parameters/*",
                              "/sys/module/vfio*/parameters/*", "/sys/module/nouveau/parameters/modeset",
                              "/sys/module/kvm/parameters/*"}}};
    items.push_back(std::move(modules));
}

void add_pci(std::vector<Item>& items, const NodeFacts& node) {
    if (node.functions.empty()) return;
    constexpr std::string_view kFiles[] = {"vendor",
                                           "device",
                                           "class",
                                           "revision",
                                           "subsystem_vendor",
                                           "subsystem_device",
                                           "driver",
                                           "iommu_group",
                                           "numa_node",
                                           "enable",
                                           "reset_method",
                                           "max_link_speed",
                                           "max_link_width",
                                           "power_state",
                                           "d3cold_allowed",
                                           "power/runtime_status",
                                           "power/control",
                                           "aer_dev_fatal",
                                           "aer_dev_nonfatal",
                                           "aer_dev_correctable",
                                           "aer_rootport_total_err_fatal",
                                           "aer_rootport_total_err_nonfatal",
                                           "aer_rootport_total_err_cor",
                                           "current_link_speed",
                                           "current_link_width"};
    PrintValues values{"sys/pci_devices.txt", {}};
    ListGroups groups{"sys/iommu_groups.txt", {}};
    for (const auto& function : node.functions) {
        for (const auto file : kFiles)
            values.patterns.push_back("/sys/bus/pci/devices/" + function.address + "/" + std::string(file));
        if (function.is_nvidia) groups.addresses.push_back(function.address);
    }
    items.push_back({"pci/values",
                     "Of each NVIDIA device, the bridges above it and the members of its group: link, driver, group, "
                     "power state, error counters.",
                     std::move(values)});
    items.push_back({"pci/groups", "Members of the NVIDIA devices' IOMMU groups.", std::move(groups)});
}

void add_logs(std::vector<Item>& items) {
    items.push_back(for_root(files(
        "logs/system", "The system's log files, with those rotated last.",
        {"/var/log/messages", "/var/log/syslog", "/var/log/kern.log", "/var/log/dmesg", "/var/log/messages.[1-2]*",
         "/var/log/messages-*", "/var/log/syslog.[1-2]*", "/var/log/kern.log.[1-2]*", "/var/log/dmesg.[0-1]*"},
        128 * kMiB)));
    items.push_back(for_root(files("logs/pstore", "What the kernel saved when it crashed.",
                                   {"/sys/fs/pstore/*", "/var/lib/systemd/pstore/*", "/var/lib/systemd/pstore/*/*",
                                    "/var/lib/systemd/pstore/*/*/*"})));
    items.push_back(for_root(files("logs/libvirt", "QEMU's and libvirt's logs.",
                                   {"/var/log/libvirt/qemu/*.log", "/var/log/libvirt/*.log"})));
    items.push_back(for_root(files(
        "logs/virt-handler", "virt-handler's log of this node.",
        {"/var/log/pods/*virt-handler*/virt-handler/*.log", "/var/log/pods/*virt-handler*/virt-handler/*.log.*"})));
    items.push_back(for_root(files("logs/virt-launcher", "Logs of the VMs' virt-launcher pods.",
                                   {"/var/log/pods/*virt-launcher*/compute/*.log"})));
    items.push_back(for_root(files("logs/nvidia", "Logs of fabric manager, IMEX, NVLSM and DCGM.",
                                   {"/var/log/fabricmanager.log*", "/var/log/nvidia-imex.log*", "/var/log/nvlsm.log*",
                                    "/var/log/nvidia-dcgm/*.log", "/var/log/nv-hostengine.log"})));
    items.push_back(
        for_root(files("logs/slurm", "slurmd's log of this node.",
                       {"/var/log/slurm/slurmd*.log", "/var/log/slurmd*.log", "/var/log/slurm-llnl/slurmd*.log"})));
    items.push_back(files("config/nvidia", "Configuration of fabric manager and IMEX.",
                          {"/usr/share/nvidia/nvswitch/fabricmanager.cfg", "/etc/nvidia-imex/config.cfg",
                           "/etc/nvidia-imex/nodes_config.cfg"}));
    items.push_back(
        files("config/slurm", "Slurm's generic resources.", {"/etc/slurm/gres.conf", "/etc/slurm-llnl/gres.conf"}));
    items.push_back(for_root(files("kubelet/devices", "Devices that kubelet gave to pods.",
                                   {"/var/lib/kubelet/device-plugins/kubelet_internal_checkpoint"})));
}

void add_journal(std::vector<Item>& items, const TableWishes& wishes) {
    AskJournal kernel{"journal/kernel.jsonl", {}, "journal/kmsg.txt"};
    kernel.query.boots = wishes.boots;
    kernel.query.since = wishes.since;
    kernel.query.max_bytes = 48 * kMiB;
    AskJournal programs{"journal/programs.jsonl", kernel.query, ""};
    programs.query.origin = ports::JournalQuery::Origin::programs;
    programs.query.programs = telling_programs();
    for (auto& [name, shows, how] :
         {std::tuple{"journal/kernel", "The kernel's messages of the asked boots.", &kernel},
          {"journal/programs", "Messages of kubelet, the container runtime, libvirt, fabric manager, slurmd.",
           &programs}}) {
        Item item{name, shows, *how};
        item.needs = Privilege::root;
        item.deadline = 25s;
        item.max_bytes = 64 * kMiB;
        items.push_back(std::move(item));
    }
}

std::string header_of(const PciFunction& function) {
    return fmt::format("{} {}: {}:{} (rev {})", function.address, function.class_code, function.vendor, function.device,
                       function.revision);
}

void add_configs(std::vector<Item>& items, const NodeFacts& node) {
    for (const auto& function : node.functions) {
        Item item{"pci/config/" + function.address, "The configuration space, read from the device.",
                  ReadConfig{function.address, header_of(function)}};
        item.cost = Cost::may_block;
        item.needs = Privilege::root;
        item.deadline = 3s;
        items.push_back(std::move(item));
    }
}

void add_nvidia(std::vector<Item>& items, const NodeFacts& node) {
    Item driver = files("driver/proc", "The driver's own account of itself and of each GPU.",
                        {"/proc/driver/nvidia/version", "/proc/driver/nvidia/params", "/proc/driver/nvidia/registry",
                         "/proc/driver/nvidia/gpus/*/information", "/proc/driver/nvidia/gpus/*/power",
                         "/proc/driver/nvidia-nvswitch/devices/*/information"});
    driver.cost = Cost::may_block;
    items.push_back(std::move(driver));
    // Without the module nvidia-smi would load it, and a GPU meant for a VM could be taken by it.
    const Gate loaded{{"/proc/driver/nvidia/version"},
                      "the nvidia module is not loaded, and the command would load it"};
    if (!node.service_name.empty()) {
        Item nvml{"nvml/query", "What the driver's library says of each GPU, where nvidia-smi is not installed too.",
                  AskService{AskService::Service::nvml, node.service_name}};
        nvml.cost = Cost::may_block;
        nvml.deadline = 10s;
        items.push_back(std::move(nvml));
    }
    items.push_back(command("nvidia-smi/table", "GPUs at a glance.", {"nvidia-smi"}, loaded));
    items.push_back(command("nvidia-smi/list", "GPUs and their UUIDs.", {"nvidia-smi", "-L"}, loaded));
    items.push_back(
        command("nvidia-smi/query", "Everything that nvidia-smi says of each GPU.", {"nvidia-smi", "-q"}, loaded, 20s));
    items.push_back(command("nvidia-smi/nvlink", "State of each NVLink.", {"nvidia-smi", "nvlink", "-s"}, loaded));
    items.push_back(
        command("nvidia-smi/nvlink-errors", "Error counters of each NVLink.", {"nvidia-smi", "nvlink", "-e"}, loaded));
    items.push_back(
        command("nvidia-smi/topology", "How the GPUs are connected.", {"nvidia-smi", "topo", "-m"}, loaded));
    items.push_back(command("dcgm/discovery", "What DCGM sees.", {"dcgmi", "discovery", "-l"}));
    items.push_back(command("dcgm/health", "What DCGM's health watches found.", {"dcgmi", "health", "-c"}));
    items.push_back(command("fabric/version", "Fabric manager's version.", {"nv-fabricmanager", "--version"}));
}

void add_commands(std::vector<Item>& items, const NodeFacts& node) {
    items.push_back(for_root(
        command("lspci/nvidia", "All that lspci reads of NVIDIA devices.", {"lspci", "-Dnnkvv", "-d", "10de:"})));
    for (const auto& function : node.functions)
        if (function.is_port)
            items.push_back(for_root(command("lspci/port/" + function.address, "The bridge above an NVIDIA device.",
                                             {"lspci", "-Dnnkvv", "-s", function.address}, {}, 5s)));
    items.push_back(
        command("services", "State of the GPU stack's services.",
                {"systemctl", "status", "--no-pager", "--full", "--lines=50", "nvidia-fabricmanager",
                 "nvidia-persistenced", "nvidia-imex", "kubelet", "containerd", "libvirtd", "virtqemud", "slurmd"},
                {{"/run/systemd/system"}, "systemd does not run here"}));
    items.push_back(command("packages/dpkg", "Installed packages of the GPU stack.",
                            {"dpkg", "-l", "*nvidia*", "*fabricmanager*", "*datacenter-gpu*", "*libvirt-daemon*",
                             "*qemu-system*", "linux-image*"},
                            {{"/usr/bin/dpkg"}, "packages are not kept by dpkg"}));
    items.push_back(command(
        "packages/rpm", "Installed packages of the GPU stack.",
        {"rpm", "-qa", "*nvidia*", "*fabricmanager*", "*datacenter-gpu*", "libvirt-daemon*", "qemu-kvm*", "kernel*"},
        {{"/usr/bin/rpm"}, "packages are not kept by rpm"}));
    // Where the daemon does not run, its socket would start it.
    items.push_back(for_root(command("virsh/list", "VMs that libvirt knows.", {"virsh", "--readonly", "list", "--all"},
                                     {{"/run/libvirtd.pid", "/run/virtqemud.pid", "/run/libvirt/virtqemud.pid"},
                                      "libvirt does not run, and the command would start it"})));
    const Gate bmc{{"/dev/ipmi0", "/dev/ipmi/0", "/dev/ipmidev/0"}, "there is no IPMI device"};
    items.push_back(for_root(command("bmc/events", "The BMC's event log.", {"ipmitool", "sel", "elist"}, bmc, 25s)));
    items.push_back(
        for_root(command("bmc/chassis", "Power and why it last went off.", {"ipmitool", "chassis", "status"}, bmc)));
    items.push_back(for_root(command("bmc/sensors", "Sensors.", {"ipmitool", "sdr", "elist"}, bmc, 25s)));
    const Gate slurm{{"/etc/slurm/slurm.conf", "/etc/slurm-llnl/slurm.conf", "/run/slurm/conf/slurm.conf",
                      "/var/spool/slurmd/conf-cache/slurm.conf"},
                     "Slurm is not set up here"};
    items.push_back(command("slurm/reasons", "Nodes that Slurm holds back, and why.", {"sinfo", "-R"}, slurm));
    if (!node.host.empty())
        items.push_back(
            command("slurm/node", "This node as Slurm sees it.", {"scontrol", "show", "node", node.host}, slurm));
}

/// Their client's own limits are below the deadlines: what is late is told by it, with reason.
void add_services(std::vector<Item>& items, const NodeFacts& node) {
    using Service = AskService::Service;
    if (node.service_name.empty()) return;
    Item cluster{"kubernetes",
                 "The node, its pods, VMs and their events, and its virt-handler's log, as the API has them.",
                 AskService{Service::cluster, node.service_name}};
    cluster.max_bytes = 128 * kMiB;
    Item bmc{"bmc/redfish", "The BMC's logs, sensors and power, where /etc/gpumedic/bmc.yaml names it.",
             AskService{Service::bmc, node.service_name}};
    bmc.max_bytes = 32 * kMiB;
    for (auto* const item : {&cluster, &bmc}) {
        item->cost = Cost::may_block;
        item->deadline = 30s;
        items.push_back(std::move(*item));
    }
}

void add_holders(std::vector<Item>& items) {
    Item holders{"processes/holders", "Which processes hold a GPU.", FindHolders{"processes/gpu_holders.txt"}};
    holders.cost = Cost::may_block;
    holders.needs = Privilege::root;
    items.push_back(std::move(holders));
}

}  // namespace

std::vector<Item> make_items(const NodeFacts& node, const TableWishes& wishes) {
    std::vector<Item> items;
    add_node(items);
    add_pci(items, node);
    add_logs(items);
    add_journal(items, wishes);
    add_configs(items, node);
    add_holders(items);
    add_nvidia(items, node);
    add_commands(items, node);
    add_services(items, node);
    std::stable_partition(items.begin(), items.end(), [](const Item& item) { return item.cost == Cost::cheap; });
    return items;
}

bool fits_name(const std::string& pattern, const std::string& name) {
    return ::fnmatch(pattern.c_str(), name.c_str(), 0) == 0;
}

}  // namespace gpumedic::collect
