#include "collect/tasks.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/text.h"

namespace gpumedic::collect {
namespace {

constexpr std::uint64_t kMaxValueBytes = 4096;
constexpr std::string_view kDevices = "/sys/bus/pci/devices/";

Outcome outcome_of(const base::Error& error) {
    if (error.code == base::ErrorCode::not_found) return Outcome::absent;
    return error.code == base::ErrorCode::denied ? Outcome::denied : Outcome::failed;
}

std::string_view without_slash(std::string_view path) { return path.substr(path.starts_with('/') ? 1 : 0); }

/// The paths of all patterns, each once, in the order of the patterns: "messages" before "messages.1", so that a log
/// that is rotated meanwhile is read twice rather than not at all.
std::vector<std::string> matching(const std::vector<std::string>& patterns, TaskWorld& world, ItemWriter& out) {
    std::vector<std::string> paths;
    for (const auto& pattern : patterns) {
        auto found = world.files.match(pattern);
        for (auto& path : found.paths)
            if (std::find(paths.begin(), paths.end(), path) == paths.end()) paths.push_back(std::move(path));
        for (const auto& problem : found.problems)
            static_cast<void>(out.note(outcome_of(problem), problem.where + ": " + problem.what));
    }
    return paths;
}

bool is_too_old(const std::string& path, TaskWorld& world) {
    if (!world.since) return false;
    const auto changed = world.files.changed(path);
    return changed && *changed < *world.since;
}

bool end_copy(const std::string& path, const base::Result<ports::NodeFiles::Copied>& copied, ItemWriter& out) {
    if (!copied) return out.end(outcome_of(copied.error()), copied.error().what);
    if (copied->skipped > 0)
        return out.end(Outcome::truncated, fmt::format("its first {} bytes were left out", copied->skipped));
    const bool has_size = !path.starts_with("/sys/");  // where every file says 4096
    if (has_size && copied->bytes < copied->size)
        return out.end(Outcome::truncated, fmt::format("it shrank from {} bytes while it was read", copied->size));
    return out.end();
}

void copy_files(const CopyFiles& how, TaskWorld& world, ItemWriter& out) {
    for (const auto& path : matching(how.patterns, world, out)) {
        if (is_too_old(path, world)) continue;
        if (!out.going_to(path)) return;
        bool began = false;
        const auto copied = world.files.copy(path, how.max_file_bytes, [&](std::string_view piece) {
            if (!began && !out.begin(without_slash(path))) return false;
            began = true;
            return out.data(piece);
        });
        const bool is_folder = !copied && copied.error().code == base::ErrorCode::unreadable && !began &&
                               copied.error().what == "not a regular file";
        // What a pattern finds beside files, and what vanished meanwhile, is nothing to report.
        if (is_folder || (!copied && copied.error().code == base::ErrorCode::not_found)) continue;
        if (!began && !out.begin(without_slash(path))) return;
        if (!end_copy(path, copied, out)) return;
    }
}

/// The value's lines, or the link, as grep and ls would show them. False when nobody reads any more.
bool print_value(const std::string& path, TaskWorld& world, ItemWriter& out, std::uint64_t& denied) {
    const auto link = path.starts_with("/sys/") ? world.files.link(path) : base::fail(base::ErrorCode::not_found, "");
    if (link) return out.data(path + " -> " + *link + "\n");
    if (!out.going_to(path)) return false;
    const auto value = world.files.read(path, kMaxValueBytes);
    if (!value) {
        denied += value.error().code == base::ErrorCode::denied ? 1 : 0;
        return true;
    }
    if (base::trim(*value).empty()) return out.data(path + ":\n");
    std::string lines;
    for (const auto line : base::split(base::trim_right(*value), '\n'))
        lines += path + ":" + std::string(base::trim_right(line)) + "\n";
    return out.data(lines);
}

void print_values(const PrintValues& how, TaskWorld& world, ItemWriter& out) {
    const auto paths = matching(how.patterns, world, out);
    if (paths.empty()) return;
    if (!out.begin(how.file)) return;
    std::uint64_t denied = 0;
    for (const auto& path : paths)
        if (!print_value(path, world, out, denied)) return;
    const bool all = denied < paths.size();
    static_cast<void>(denied == 0 ? out.end()
                                  : out.end(all ? Outcome::truncated : Outcome::denied,
                                            fmt::format("{} of {} files may not be read", denied, paths.size())));
}

void read_ring(const AskJournal& how, TaskWorld& world, ItemWriter& out, const std::string& why) {
    if (!out.going_to("/dev/kmsg")) return;
    bool began = false;
    const auto done = world.files.kernel_ring([&](std::string_view record) {
        if (!began && !out.begin(how.ring_file)) return false;
        began = true;
        return out.data(record);
    });
    if (began && !out.end()) return;
    if (!done) static_cast<void>(out.note(outcome_of(done.error()), why + "; /dev/kmsg: " + done.error().what));
}

void ask_journal(const AskJournal& how, TaskWorld& world, ItemWriter& out) {
    if (!out.going_to("the journal")) return;
    bool began = false;
    auto query = how.query;
    if (!query.since && world.since) query.since = *world.since;
    const auto done = world.journal.read(query, [&](std::string_view line) {
        if (!began && !out.begin(how.file)) return false;
        began = true;
        return out.data(line);
    });
    if (began) {
        static_cast<void>(done && done->damaged == 0 && !done->is_cut ? out.end()
                          : !done        ? out.end(outcome_of(done.error()), done.error().what)
                          : done->is_cut ? out.end(Outcome::truncated, "older entries were left out")
                                         : out.end(Outcome::truncated, "damaged: " + done->damage));
        return;
    }
    const std::string why = !done               ? "journal: " + done.error().what
                            : done->damaged > 0 ? "the journal is damaged: " + done->damage
                                                : "the journal has no such entries";
    if (!how.ring_file.empty() && !query.since) return read_ring(how, world, out, why);
    const auto outcome = !done ? outcome_of(done.error()) : done->damaged > 0 ? Outcome::failed : Outcome::absent;
    static_cast<void>(out.note(outcome, why));
}

void list_groups(const ListGroups& how, TaskWorld& world, ItemWriter& out) {
    std::vector<std::string> groups;
    for (const auto& address : how.addresses) {
        const auto link = world.files.link(std::string(kDevices) + address + "/iommu_group");
        if (!link) continue;
        auto group = link->substr(link->rfind('/') + 1);
        if (std::find(groups.begin(), groups.end(), group) == groups.end()) groups.push_back(std::move(group));
    }
    std::string lines;
    for (const auto& group : groups)
        for (const auto& member : world.files.match("/sys/kernel/iommu_groups/" + group + "/devices/*").paths)
            lines += member + "\n";
    if (lines.empty()) return static_cast<void>(out.note(Outcome::absent, "no device is in an IOMMU group"));
    static_cast<void>(out.begin(how.file) && out.data(lines) && out.end());
}

std::string hex_lines(std::string_view bytes, std::size_t from) {
    constexpr std::size_t kPerLine = 16;
    std::string text;
    for (std::size_t at = from; at < bytes.size(); at += kPerLine) {
        text += fmt::format("{:02x}:", at);
        for (const char byte : bytes.substr(at, kPerLine))
            text += fmt::format(" {:02x}", static_cast<unsigned char>(byte));
        text += '\n';
    }
    return text;
}

/// The header first: it is what every user may read, and enough to see whether the device answers.
void read_config(const ReadConfig& how, TaskWorld& world, ItemWriter& out) {
    constexpr std::uint64_t kHeader = 64;
    constexpr std::uint64_t kAll = 4096;
    const std::string path = std::string(kDevices) + how.address + "/config";
    if (!out.going_to(path)) return;
    const auto header = world.files.read(path, kHeader);
    if (!header) return static_cast<void>(out.note(outcome_of(header.error()), header.error().what));
    if (!out.begin("sys/config/" + how.address + ".txt") || !out.data(how.header + "\n" + hex_lines(*header, 0)))
        return;
    const auto all = world.files.read(path, kAll);
    if (!all) return static_cast<void>(out.end(outcome_of(all.error()), all.error().what));
    static_cast<void>(out.data(hex_lines(*all, kHeader) + "\n") && out.end());
}

bool is_held_device(std::string_view target) {
    return target.starts_with("/dev/vfio/") || target.starts_with("/dev/nvidia");
}

/// The VM's name on QEMU's command line ("-name", "guest=hpc_train-3,debug-threads=on"; words end in NUL).
std::string guest_of(std::string_view command_line) {
    constexpr std::string_view kGuest = "guest=";
    const auto at = command_line.find(kGuest);
    if (at == std::string_view::npos || (at > 0 && command_line[at - 1] != '\0')) return {};
    const auto name = command_line.substr(at + kGuest.size());
    return base::printable(name.substr(0, std::min(name.find(','), name.find('\0'))));
}

/// A line for each device file below /dev that a process holds; a process without ones, or that may not be looked at,
/// gives none. False in `seen_all` when it may not.
std::string held_by(const std::string& process, TaskWorld& world, bool& seen_all) {
    const auto descriptors = world.files.match(process + "/fd/*");
    seen_all = descriptors.problems.empty();
    std::vector<std::string> seen;
    std::string lines;
    for (const auto& path : descriptors.paths) {
        const auto target = world.files.link(path);
        if (!target || !is_held_device(*target)) continue;
        if (std::find(seen.begin(), seen.end(), *target) != seen.end()) continue;
        seen.push_back(*target);
        const auto name = world.files.read(process + "/comm", 64).value_or("?");
        const auto guest = guest_of(world.files.read(process + "/cmdline", 64 * 1024).value_or(""));
        lines += fmt::format("{}: held by process {} ({}){}{}\n", *target, process.substr(process.rfind('/') + 1),
                             base::trim(name), guest.empty() ? "" : ", guest ", guest);
    }
    return lines;
}

void find_holders(const FindHolders& how, TaskWorld& world, ItemWriter& out) {
    std::uint64_t denied = 0;
    bool began = false;
    for (const auto& process : world.files.match("/proc/[0-9]*").paths) {
        bool seen_all = true;
        const std::string lines = held_by(process, world, seen_all);
        denied += seen_all ? 0 : 1;
        if (lines.empty()) continue;
        if (!std::exchange(began, true) && !out.begin(how.file)) return;
        if (!out.data(lines)) return;
    }
    if (began && !out.end()) return;
    const bool ok = denied == 0
                        ? began || out.note(Outcome::absent, "no process holds one")
                        : out.note(Outcome::denied, fmt::format("the files of {} processes may not be seen", denied));
    static_cast<void>(ok);
}

Outcome outcome_of(ports::ServiceText::Outcome outcome) {
    using Seen = ports::ServiceText::Outcome;
    switch (outcome) {
        case Seen::ok: return Outcome::ok;
        case Seen::absent: return Outcome::absent;
        case Seen::denied: return Outcome::denied;
        case Seen::timed_out: return Outcome::timed_out;
        case Seen::truncated: return Outcome::truncated;
        case Seen::failed: break;
    }
    return Outcome::failed;
}

/// A text of which nothing was read is told by the item; one that was read in part, by its file. What the service does
/// not have (KubeVirt is not in every cluster) is no gap beside what it has.
void ask_service(const AskService& how, TaskWorld& world, ItemWriter& out) {
    const std::array<ports::ServiceTexts*, 3> services{world.cluster, world.bmc, world.nvml};
    auto* const service = services[static_cast<std::size_t>(how.service)];
    if (service == nullptr || !out.going_to(name_of(how.service))) return;
    if (how.service == AskService::Service::nvml && world.files.match("/proc/driver/nvidia/version").paths.empty())
        return static_cast<void>(
            out.note(Outcome::absent, "the nvidia module is not loaded, and the library would load it"));
    const auto texts = service->about(how.node, how.timeout);
    const bool has_some = std::any_of(texts.begin(), texts.end(), [](const auto& text) { return !text.text.empty(); });
    for (const auto& text : texts) {
        const auto outcome = outcome_of(text.outcome);
        if (outcome == Outcome::absent && has_some) continue;
        const auto why = text.name.empty() ? text.why : text.name + ": " + text.why;
        const bool went_on = text.text.empty()
                                 ? outcome == Outcome::ok || out.note(outcome, why)
                                 : out.begin(text.name) && out.data(text.text) && out.end(outcome, text.why);
        if (!went_on) return;
    }
}

std::string value_of(ports::NodeFiles& files, const std::string& path) {
    const auto text = files.read(path, 64);
    if (!text) return {};
    const auto value = base::trim(*text);
    return std::string(value.starts_with("0x") ? value.substr(2) : value);
}

/// "0000:c4:00.0", as folders of sysfs are called.
bool is_address(std::string_view name) {
    return name.size() >= 12 && name.size() <= 16 && name[name.size() - 2] == '.' && name[name.size() - 5] == ':' &&
           name.find_first_not_of("0123456789abcdef:.") == std::string_view::npos;
}

struct Found {
    std::vector<std::string> order{};
    std::vector<std::string> ports{};

    void add(const std::string& address) {
        if (std::find(order.begin(), order.end(), address) == order.end()) order.push_back(address);
    }
};

}  // namespace

void do_item(const How& how, TaskWorld& world, ItemWriter& out) {
    if (const auto* const x = std::get_if<CopyFiles>(&how)) return copy_files(*x, world, out);
    if (const auto* const x = std::get_if<PrintValues>(&how)) return print_values(*x, world, out);
    if (const auto* const x = std::get_if<AskJournal>(&how)) return ask_journal(*x, world, out);
    if (const auto* const x = std::get_if<ListGroups>(&how)) return list_groups(*x, world, out);
    if (const auto* const x = std::get_if<ReadConfig>(&how)) return read_config(*x, world, out);
    if (const auto* const x = std::get_if<FindHolders>(&how)) return find_holders(*x, world, out);
    if (const auto* const x = std::get_if<AskService>(&how)) return ask_service(*x, world, out);
}

void list_functions(ports::NodeFiles& files, ports::ProbeOutput& out) {
    Found found;
    for (const auto& path : files.match(std::string(kDevices) + "*").paths) {
        if (value_of(files, path + "/vendor") != "10de") continue;
        const auto address = path.substr(path.rfind('/') + 1);
        found.add(address);
        // Below /sys/devices a device stands inside of the bridges that lead to it.
        const auto place = files.link(path).value_or("");
        for (const auto part : base::split(place, '/')) {
            if (!is_address(part) || part == address) continue;
            found.add(std::string(part));
            found.ports.emplace_back(part);
        }
        for (const auto& member : files.match(path + "/iommu_group/devices/*").paths)
            found.add(member.substr(member.rfind('/') + 1));
    }
    for (const auto& address : found.order) {
        const std::string folder = std::string(kDevices) + address + "/";
        const bool is_port = std::find(found.ports.begin(), found.ports.end(), address) != found.ports.end();
        const auto line = fmt::format("{} {} {} {} {} {}\n", address, is_port ? "port" : "device",
                                      value_of(files, folder + "class"), value_of(files, folder + "vendor"),
                                      value_of(files, folder + "device"), value_of(files, folder + "revision"));
        if (!out.write(line)) return;
    }
}

std::vector<PciFunction> parse_functions(std::string_view text) {
    std::vector<PciFunction> functions;
    for (const auto line : base::split(text, '\n')) {
        const auto words = base::split_blanks(line);
        if (words.size() < 5 || !is_address(words[0])) continue;
        PciFunction function;
        function.address = words[0];
        function.is_port = words[1] == "port";
        function.class_code = words[2].substr(0, 4);
        function.vendor = words[3];
        function.device = words[4];
        function.revision = words.size() > 5 ? words[5] : "00";
        function.is_nvidia = function.vendor == "10de";
        functions.push_back(std::move(function));
    }
    return functions;
}

}  // namespace gpumedic::collect
