#include "redact/finder.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "base/text.h"
#include "codec/pattern.h"

namespace gpumedic::redact {
namespace {

using model::RecordType;

/// Words that stand in every log. Of a site that calls a VM "test", the word stays: docs/redact.md says so.
constexpr std::array kOrdinary{"default",
                               "kube-system",
                               "kube-public",
                               "kubevirt",
                               "gpu-operator",
                               "nvidia",
                               "root",
                               "localhost",
                               "kernel",
                               "node",
                               "host",
                               "guest",
                               "gpu",
                               "test",
                               "none",
                               "null",
                               "true",
                               "false",
                               "unknown",
                               "system",
                               "admin",
                               "user",
                               "all",
                               "compute",
                               "virt-handler",
                               "virt-launcher",
                               "virt-controller",
                               "virt-api",
                               "nobody",
                               "daemon",
                               "server",
                               "linux",
                               "debian",
                               "ubuntu",
                               "master",
                               "worker",
                               "name",
                               "namespace",
                               "pod",
                               "vm",
                               "vmi",
                               "running",
                               "failed",
                               "error",
                               "info",
                               "warning",
                               "pending",
                               "ready",
                               "stopped",
                               "n/a",
                               "na",
                               "job",
                               "yes",
                               "no",
                               "for",
                               "from",
                               "with",
                               "the",
                               "and",
                               "not",
                               "slurm",
                               "slurmctld",
                               "slurmd",
                               "qemu",
                               "libvirt",
                               "messagebus",
                               "syslog",
                               "dbus",
                               "python",
                               "python3",
                               "bash",
                               "ssh",
                               "log",
                               "logs",
                               "data",
                               "home",
                               "tmp",
                               "monitoring",
                               "cattle-system",
                               "openshift-cnv",
                               "openshift",
                               "cdi",
                               "rook-ceph",
                               "argocd",
                               "istio-system",
                               "cert-manager",
                               "ingress-nginx",
                               "kube-node-lease",
                               "gpu-operator-resources",
                               "cuda",
                               "train"};

constexpr std::array kPublicDomains{
    "nvidia.com",      "kubernetes.io",   "kubevirt.io", "github.com",   "k8s.io",           "nvcr.io",
    "docker.io",       "debian.org",      "ubuntu.com",  "redhat.com",   "launchpad.net",    "kernel.org",
    "example.com",     "example.invalid", "gcr.io",      "quay.io",      "googlesource.com", "archlinux.org",
    "freedesktop.org", "cncf.io",         "coreos.com",  "openshift.io", "cluster.local",    "svc"};

bool is_ordinary(std::string_view text) {
    return std::find(kOrdinary.begin(), kOrdinary.end(), text) != kOrdinary.end();
}

bool is_public(std::string_view host) {
    return std::any_of(kPublicDomains.begin(), kPublicDomains.end(), [&](std::string_view domain) {
        return host == domain ||
               (host.size() > domain.size() && host.ends_with(domain) && host[host.size() - domain.size() - 1] == '.');
    });
}

bool is_name_character(char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_' || c == '.';
}

struct Place {
    Kind kind;
    const char* literal;  // in lower case; the pattern is tried only where it stands
    const char* expression;
};

/// The first group that took part is the name.
constexpr std::array<Place, 33> kPlaces{{
    {Kind::user, "/home/", R"re(/home/(?P<n>[A-Za-z_][\w.-]*))re"},
    {Kind::user, "userid=", R"re(\bUserId=(?P<n>[A-Za-z_][\w.-]*)\()re"},
    {Kind::user, " user ", R"re((?i)\b(?:for|of|by|as) (?:invalid )?user '?(?P<n>[a-z_][\w.-]*))re"},
    {Kind::user, "sudo", R"re(\bsudo(?:\[\d+\])?:\s+(?P<n>[a-z_][\w.-]*) : )re"},
    {Kind::user, "accepted ", R"re(\bAccepted \S+ for (?P<n>[A-Za-z_][\w.-]*) from )re"},
    {Kind::user, "user=", R"re((?i)\buser(?:name)?="?(?P<n>[a-z_][\w.-]*))re"},
    {Kind::user, "\"user\"", R"re("user(?:name)?"\s*:\s*"(?P<n>[^"\s]+)")re"},
    {Kind::user, "account=", R"re(\bAccount=(?P<n>[\w.-]+))re"},
    {Kind::job, "jobname=", R"re(\bJobName=(?P<n>\S+))re"},
    {Kind::job, "job_name", R"re((?i)\bjob_name"?[=:]\s*"?(?P<n>[\w.-]+))re"},
    {Kind::host, "\"nodename\"", R"re("nodeName"\s*:\s*"(?P<n>[^"]+)")re"},
    {Kind::host, "nodename:", R"re(^\s*nodeName:\s*"?(?P<n>[\w.-]+))re"},
    {Kind::host, "hostname", R"re((?i)"?_?hostname"?\s*[:=]\s*"?(?P<n>[\w.-]+))re"},
    {Kind::host, "kubevirt.io/nodename", R"re(kubevirt\.io/nodeName"?\s*[:=]\s*"?(?P<n>[\w.-]+))re"},
    {Kind::host, "nodename=", R"re(\bNodeName=(?P<n>[\w.-]+))re"},
    {Kind::host, "nodehostname=", R"re(\bNodeHostName=(?P<n>[\w.-]+))re"},
    {Kind::host, "batchhost=", R"re(\bBatchHost=(?P<n>[\w.-]+))re"},
    {Kind::host, "\"node\"", R"re("node"\s*:\s*"(?P<n>[\w.-]+)")re"},
    {Kind::host, "node: ", R"re(^\s*[Nn]ode:\s+(?P<n>[a-z0-9][\w.-]*)(?:/|$))re"},
    {Kind::host, "ipmitool", R"re(\bipmitool\b.* -H (?P<n>[\w.-]+))re"},
    {Kind::host, "kubectl", R"re(\bkubectl (?:describe|get) nodes? (?P<n>[a-z0-9][\w.-]*\d[\w.-]*))re"},
    {Kind::namespace_, "\"namespace\"", R"re("namespace"\s*:\s*"(?P<n>[^"]+)")re"},
    {Kind::namespace_, "namespace:", R"re(^\s*[Nn]amespace:\s*"?(?P<n>[a-z0-9][a-z0-9-]*))re"},
    {Kind::namespace_, " -n ", R"re(\b(?:kubectl|oc|virtctl)\b.* -n (?P<n>[a-z0-9][a-z0-9-]*))re"},
    {Kind::vm, "guest=", R"re(\bguest=(?P<n>[\w.-]+))re"},
    {Kind::vm, "<name>", R"re(<name>(?P<n>[\w.-]+)</name>)re"},
    {Kind::vm, "vm.kubevirt.io/name", R"re(vm\.kubevirt\.io/name"?\s*[:=]\s*"?(?P<n>[\w.-]+))re"},
    {Kind::serial, "serial number", R"re((?i)\bserial number\s*[:|]\s*(?P<n>[0-9A-Za-z][\w-]{5,}))re"},
    {Kind::serial, "product serial", R"re((?i)\bproduct serial\s*:\s*(?P<n>[\w-]{6,}))re"},
    {Kind::serial, "board serial", R"re((?i)\bboard serial\s*:\s*(?P<n>[\w-]{6,}))re"},
    {Kind::serial, "\"serial", R"re((?i)"serial(?:_?number)?"\s*:\s*"(?P<n>[\w-]{
                        6,})")re"},
    {Kind::host, "://", R"re(\w://(?P<n>[A-Za-z0-9][\w.-]*\.[A-Za-z][\w.-]*))re"},
    {Kind::host, "@", R"re(^(?:\(\S+\) )?\[?(?:[a-z_][\w-]*)@(?P<n>[a-z0-9][\w.-]*)[: ])re"},
}};

}  // namespace

struct Finder::Places {
    std::vector<codec::Pattern> patterns;
    codec::LiteralGate gate;
    std::vector<std::uint32_t> found{};

    static std::vector<std::string> literals() {
        std::vector<std::string> all;
        for (const auto& place : kPlaces) {
            std::string literal = place.literal;
            // The gate wants four bytes; short ones are looked for by hand.
            all.push_back(literal.size() < 4 ? std::string(4, '\x01') + literal : literal);
        }
        return all;
    }
    Places() : gate(literals()) {
        for (const auto& place : kPlaces)
            patterns.push_back(std::move(codec::Pattern::compile(place.expression).value()));
    }
};

Finder::Finder() : places_(std::make_unique<Places>()) {}
Finder::~Finder() = default;

void Finder::add(Kind kind, std::string_view text) {
    auto name = base::lower(text);
    while (!name.empty() && (name.back() == '.' || name.back() == '-' || name.back() == '_')) name.pop_back();
    if (name.size() < 3 || name.size() > 253 || names_.size() >= kMostNames || is_ordinary(name)) return;
    if (!std::all_of(name.begin(), name.end(), is_name_character)) return;
    const bool digits_only = name.find_first_not_of("0123456789.") == std::string::npos;
    if (digits_only && kind != Kind::serial) return;
    names_.emplace(std::move(name), kind);
}

/// "gpu-01.dc.example.com": the whole, the machine, and the domain are three names.
void Finder::add_host(std::string_view text) {
    const auto lower = base::lower(text);
    if (is_public(lower)) return;
    const auto dot = lower.find('.');
    if (dot == std::string::npos) return add(Kind::host, lower);
    const bool is_address = lower.find_first_not_of("0123456789.") == std::string::npos;
    if (is_address) return;
    add(Kind::host, std::string_view(lower).substr(0, dot));
    const auto domain = std::string_view(lower).substr(dot + 1);
    if (domain.find('.') != std::string_view::npos && !is_public(domain)) add(Kind::domain, domain);
}

/// A launcher's name holds its VM's: replaced as such, what belongs together stays together.
void Finder::add_pod(std::string_view text) {
    constexpr std::string_view kLauncher = "virt-launcher-";
    if (!text.starts_with(kLauncher)) return add(Kind::pod, text);
    text.remove_prefix(kLauncher.size());
    add(Kind::vm, text.substr(0, text.rfind('-')));
}

void Finder::see(const model::Record& record) {
    if (!record.host.empty()) add_host(record.host);
    const auto take = [&](Kind kind, std::string_view field) {
        if (const auto value = record.field(field); !value.empty())
            kind == Kind::host ? add_host(value) : add(kind, value);
    };
    switch (record.type) {
        case RecordType::virt:
        case RecordType::k8s_vm:
        case RecordType::k8s_vmi:
            take(Kind::vm, "name");
            take(Kind::namespace_, "namespace");
            take(Kind::host, "node");
            return;
        case RecordType::k8s_pod:
            take(Kind::vm, "vmi");
            add_pod(record.field("name"));
            take(Kind::namespace_, "namespace");
            take(Kind::host, "node");
            return;
        case RecordType::k8s_event:
            if (record.field("kind") == "pod") {
                add_pod(record.field("name"));
            } else {
                take(record.field("kind") == "node" ? Kind::host : Kind::vm, "name");
            }
            take(Kind::namespace_, "namespace");
            return;
        case RecordType::k8s_node: return take(Kind::host, "name");
        case RecordType::slurm_node: return take(Kind::host, "name");
        case RecordType::slurm_job: return take(Kind::job, "name");
        case RecordType::gpu: return take(Kind::serial, "serial");
        default: return;
    }
}

void Finder::see_line(std::string_view line) {
    // A document on one line is seen in pieces that overlap by more than a name is long.
    constexpr std::size_t kPiece = 16 * 1024;
    constexpr std::size_t kOverlap = 1024;
    for (std::size_t at = 0; at == 0 || at + kOverlap < line.size(); at += kPiece - kOverlap)
        see_piece(line.substr(at, kPiece));
}

void Finder::see_piece(std::string_view line) {
    places_->gate.find(line, places_->found);
    const auto try_place = [&](std::size_t i) {
        for (auto rest = line; !rest.empty();) {
            const auto match = places_->patterns[i].match(rest);
            if (!match || match->empty()) return;
            const auto name = match->front().second;
            kPlaces[i].kind == Kind::host ? add_host(name) : add(kPlaces[i].kind, name);
            rest = rest.substr(static_cast<std::size_t>(name.data() - rest.data()) +
                               std::max<std::size_t>(1, name.size()));
        }
    };
    for (const auto i : places_->found) try_place(i);
    for (std::size_t i = 0; i < kPlaces.size(); ++i)
        if (std::string_view(kPlaces[i].literal).size() < 4 && base::contains(line, kPlaces[i].literal)) try_place(i);
}

void Finder::see_path(std::string_view path) {
    constexpr std::string_view kPods = "/pods/";
    if (const auto at = path.find(kPods); at != std::string_view::npos) {
        const auto folder = base::split_once(path.substr(at + kPods.size()), "/").first;
        const auto parts = base::split(folder, '_');
        if (parts.size() >= 3) {
            add(Kind::namespace_, parts[0]);
            add_pod(parts[1]);
        }
    }
    see_line(path);
}

}  // namespace gpumedic::redact
