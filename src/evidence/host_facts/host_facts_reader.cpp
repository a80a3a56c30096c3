#include "evidence/host_facts/host_facts_reader.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "base/text.h"
#include "evidence/host_facts/driver_files.h"
#include "evidence/host_facts/fact.h"
#include "evidence/host_facts/iommu.h"
#include "evidence/host_facts/modules.h"
#include "evidence/host_facts/packages.h"
#include "evidence/host_facts/sysfs.h"

namespace gpumedic::evidence {
namespace {

using host_facts::Fact;
using model::RecordType;

/// "BOOT_IMAGE=/vmlinuz root=... ro intel_iommu=on": the whole line, without header.
bool is_command_line(std::string_view text) {
    constexpr std::array<std::string_view, 4> kStarts{"BOOT_IMAGE=", "root=", "initrd=", "console="};
    const bool starts =
        std::any_of(kStarts.begin(), kStarts.end(), [&](auto start) { return text.starts_with(start); });
    return starts && (text.starts_with("BOOT_IMAGE=") || (base::contains(text, "root=") && base::contains(text, " ")));
}

/// What of a modinfo's listing gives no record.
bool is_module_info_key(std::string_view text) {
    constexpr std::array<std::string_view, 18> kKeys{
        "alias",  "license",   "supported", "srcversion",   "depends",   "retpoline",
        "name",   "vermagic",  "parm",      "description",  "author",    "sig_id",
        "signer", "import_ns", "sig_key",   "sig_hashalgo", "signature", "intree"};
    const auto [key, rest] = base::split_once(text, ":");
    return rest.starts_with(" ") && std::find(kKeys.begin(), kKeys.end(), key) != kKeys.end();
}

bool asks_modinfo_of_nvidia(std::string_view command) {
    return base::contains(command, "modinfo") && base::contains(command, "nvidia");
}

class HostFactsReader final : public ports::Reader {
public:
    HostFactsReader(const ports::ReadContext& context, ports::RecordSink sink)
        : sink_(std::move(sink)), in_module_info_(asks_modinfo_of_nvidia(context.command)), sysfs_(context.command) {}

    void line(std::string_view text, std::uint64_t number) override;
    void finish() override {
        end_information();
        for (const auto& device : sysfs_.take()) deliver(device.fact, device.raw, device.line);
    }
    [[nodiscard]] const ports::ReadStats& stats() const override { return stats_; }

private:
    bool take_information(std::string_view text, std::uint64_t number);
    bool take_module_info(std::string_view text, std::uint64_t number);
    bool take_group(std::string_view text, std::uint64_t number);
    bool take_package(std::string_view text, std::uint64_t number);
    bool take_sysfs(std::string_view text, std::uint64_t number);
    bool take_fact(const std::optional<Fact>& fact, std::string_view text, std::uint64_t number);
    void end_information();
    void deliver(const Fact& fact, std::string_view text, std::uint64_t number);

    ports::RecordSink sink_;
    bool in_module_info_;
    bool reads_other_module_{false};
    std::string group_;  // whose members follow
    host_facts::SysfsFiles sysfs_;
    host_facts::GpuInformation information_;
    std::string information_line_;
    std::uint64_t information_number_{0};
    ports::ReadStats stats_;
};

void HostFactsReader::line(std::string_view text, std::uint64_t number) {
    text = base::trim_right(text);
    if (take_sysfs(text, number) || take_information(text, number)) return;
    if (base::trim(text).empty() || text.starts_with("$ ") || host_facts::is_module_header(text)) return;
    if (take_module_info(text, number) || take_group(text, number) || take_package(text, number)) return;
    if (take_fact(host_facts::parse_driver_version(text), text, number)) return;
    if (text.starts_with("GCC version:")) return;
    if (take_fact(host_facts::parse_module_row(text), text, number)) return;
    if (take_fact(host_facts::parse_dkms_row(text), text, number)) return;
    if (take_fact(host_facts::parse_parameter(text), text, number)) return;
    Fact rest;
    if (is_command_line(base::trim(text))) rest.type = RecordType::kernel_cmdline;
    deliver(rest, text, number);
}

bool HostFactsReader::take_information(std::string_view text, std::uint64_t number) {
    if (information_.open()) {
        if (!host_facts::GpuInformation::starts(text) && information_.line(text)) return true;
        end_information();
    }
    if (!information_.line(text)) return false;
    information_line_ = text;
    information_number_ = number;
    return true;
}

void HostFactsReader::end_information() {
    if (!information_.open()) return;
    for (const auto& fact : information_.take()) deliver(fact, information_line_, information_number_);
}

bool HostFactsReader::take_module_info(std::string_view text, std::uint64_t number) {
    if (const auto path = host_facts::module_file(text); !path.empty()) {
        in_module_info_ = true;
        reads_other_module_ = !base::contains(path, "nvidia");
        return true;
    }
    if (!in_module_info_) return false;
    if (const auto fact = host_facts::parse_module_info(text)) {
        if (!reads_other_module_) deliver(*fact, text, number);
        return true;
    }
    return is_module_info_key(text) || text.starts_with("\t\t");
}

bool HostFactsReader::take_group(std::string_view text, std::uint64_t number) {
    if (auto heading = host_facts::group_of_heading(text); !heading.empty()) {
        group_ = std::move(heading);
        return true;
    }
    if (take_fact(host_facts::parse_group_line(text), text, number)) return true;
    if (take_fact(host_facts::parse_group_member(text, group_), text, number)) return true;
    if (text.starts_with("total ") || text == "/dev/vfio:") return true;
    if (text.starts_with("d") && (text.ends_with(" .") || text.ends_with(" .."))) return true;
    group_.clear();
    const auto node = host_facts::parse_vfio_node(text);
    if (!node) return false;
    if (!node->fields.empty()) deliver(*node, text, number);
    return true;
}

bool HostFactsReader::take_package(std::string_view text, std::uint64_t number) {
    if (host_facts::is_dpkg_head(text)) return true;
    auto fact = host_facts::parse_dpkg_row(text);
    if (!fact) fact = host_facts::parse_rpm_row(text);
    if (!fact) return false;
    if (host_facts::is_gpu_package(fact->field("package"))) deliver(*fact, text, number);
    return true;
}

/// A value is a line of its own, with its path, for the patterns that look for it; what the device as a whole is
/// follows at the end.
bool HostFactsReader::take_sysfs(std::string_view text, std::uint64_t number) {
    const auto value = sysfs_.line(text, number);
    if (!value) return false;
    const auto line = value->to_line();
    model::Record record;
    record.line = number;
    record.text = line;
    record.raw = text;
    ++stats_.records;
    if (sink_) sink_(record);
    return true;
}

bool HostFactsReader::take_fact(const std::optional<Fact>& fact, std::string_view text, std::uint64_t number) {
    if (fact) deliver(*fact, text, number);
    return fact.has_value();
}

void HostFactsReader::deliver(const Fact& fact, std::string_view text, std::uint64_t number) {
    model::Record record;
    record.type = fact.type;
    record.line = number;
    record.text = base::trim(text);
    record.raw = text;
    record.fields = fact.fields;
    ++stats_.records;
    if (sink_) sink_(record);
}

// --- recognition

/// How sure one line makes us; weak forms count only where most lines have one.
struct Marks {
    int lines{0};
    int weak{0};
    int best{0};
};

bool is_weak_mark(std::string_view line) {
    if (host_facts::parse_module_row(line) || host_facts::parse_vfio_node(line) || host_facts::parse_parameter(line))
        return true;
    auto package = host_facts::parse_dpkg_row(line);
    if (!package) package = host_facts::parse_rpm_row(line);
    return package.has_value();
}

/// "/proc/sys/kernel/tainted:0", "/etc/os-release:ID=debian": what grep prints of several files.
bool is_file_value(std::string_view line) {
    constexpr std::array<std::string_view, 3> kPlaces{"/proc/", "/sys/", "/etc/"};
    if (std::none_of(kPlaces.begin(), kPlaces.end(), [&](auto place) { return line.starts_with(place); })) return false;
    const auto colon = line.find(':');
    return colon != std::string_view::npos && line.substr(0, colon).find_first_of(" \t(") == std::string_view::npos;
}

/// "/dev/vfio/41: held by process 7210 (qemu-system-x86)": of a collection of ours.
bool is_held_file(std::string_view line) {
    return line.starts_with("/dev/") && base::contains(line, ": held by process ");
}

int strong_mark(std::string_view line) {
    const auto text = base::trim(line);
    if (host_facts::is_module_header(line) || line.starts_with("||/ Name") || line.starts_with("Desired=Unknown/"))
        return 92;
    if (text.starts_with("NVRM version:") || text.starts_with("/sys/kernel/iommu_groups/")) return 92;
    if (text.starts_with("BOOT_IMAGE=") || is_command_line(text)) return 90;
    if (host_facts::GpuInformation::starts(line) || !host_facts::module_file(line).empty()) return 85;
    if (host_facts::parse_group_line(line) || !host_facts::group_of_heading(line).empty() || text == "/dev/vfio:")
        return 85;
    if (host_facts::parse_sysfs_line(line) || host_facts::parse_dkms_row(line)) return 85;
    if (is_file_value(text) || is_held_file(text)) return 60;
    const auto parameter = host_facts::parse_parameter(line);
    return parameter && host_facts::is_known_parameter(parameter->field("parameter")) ? 85 : 0;
}

bool is_own_command(std::string_view command) {
    constexpr std::array<std::string_view, 5> kTools{"lsmod", "dkms", "dpkg", "rpm", "modinfo"};
    const auto words = base::split_blanks(command.substr(0, command.find('|')));
    for (const auto word : words) {
        if (word == "sudo") continue;
        if (host_facts::reads_pci_sysfs(command)) return true;
        const auto name = word.substr(word.rfind('/') + 1);
        if (std::find(kTools.begin(), kTools.end(), name) != kTools.end()) return true;
        const bool lists = name == "ls" || name == "find" || name == "cat";
        constexpr std::array<std::string_view, 4> kPlaces{"/dev/vfio", "iommu_groups", "/proc/driver/nvidia",
                                                          "/proc/cmdline"};
        return lists &&
               std::any_of(kPlaces.begin(), kPlaces.end(), [&](auto place) { return base::contains(command, place); });
    }
    return false;
}

int recognise(const ports::Head& head) {
    if (is_own_command(head.command)) return 95;
    constexpr int kFirstLines = 40;
    constexpr int kEarly = 10;
    Marks marks;
    for (auto rest = head.text; !rest.empty() && marks.lines < kFirstLines;) {
        const auto [line, tail] = base::split_once(rest, "\n");
        rest = tail;
        const auto text = base::trim_right(line);
        if (base::trim(text).empty()) continue;
        ++marks.lines;
        const int strong = strong_mark(text);
        marks.best = std::max(marks.best, marks.lines <= kEarly ? strong : std::min(strong, 40));
        if (strong > 0 || is_weak_mark(text)) ++marks.weak;
    }
    if (marks.best > 0) return marks.best;
    return marks.weak * 10 >= marks.lines * 7 && marks.weak > 0 ? 75 : 0;
}

std::unique_ptr<ports::Reader> make(const ports::ReadContext& context, ports::RecordSink sink) {
    return std::make_unique<HostFactsReader>(context, std::move(sink));
}

}  // namespace

ports::ReaderKind host_facts_kind() { return {"host facts", &recognise, &make}; }

}  // namespace gpumedic::evidence
