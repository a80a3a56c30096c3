#include "bundle/prompt.h"

#include <algorithm>
#include <array>
#include <vector>

#include "base/text.h"

namespace gpumedic::bundle {
namespace {

using namespace std::string_view_literals;

constexpr std::size_t kMaxPromptBytes = 200;

// Names that are no words of a remark: "# find the broken GPU" is prose, "# lspci" is not.
constexpr std::array kTools{"awk"sv,
                            "cat"sv,
                            "chroot"sv,
                            "crictl"sv,
                            "ctr"sv,
                            "dcgmi"sv,
                            "dmesg"sv,
                            "dmidecode"sv,
                            "dkms"sv,
                            "docker"sv,
                            "egrep"sv,
                            "ethtool"sv,
                            "grep"sv,
                            "helm"sv,
                            "ibstat"sv,
                            "ipmitool"sv,
                            "journalctl"sv,
                            "kubectl"sv,
                            "ls"sv,
                            "lscpu"sv,
                            "lsmod"sv,
                            "lsof"sv,
                            "lspci"sv,
                            "mlxconfig"sv,
                            "modinfo"sv,
                            "modprobe"sv,
                            "mst"sv,
                            "nerdctl"sv,
                            "numactl"sv,
                            "nvidia-smi"sv,
                            "nvidia-ctk"sv,
                            "oc"sv,
                            "ibstatus"sv,
                            "lsblk"sv,
                            "lsusb"sv,
                            "mlxlink"sv,
                            "nv-fabricmanager"sv,
                            "nvidia-bug-report.sh"sv,
                            "nvidia-container-cli"sv,
                            "nvidia-debugdump"sv,
                            "nvidia-imex-ctl"sv,
                            "talosctl"sv,
                            "vfio-status"sv,
                            "zless"sv,
                            "podman"sv,
                            "ps"sv,
                            "readlink"sv,
                            "rmmod"sv,
                            "sacct"sv,
                            "scontrol"sv,
                            "setpci"sv,
                            "sinfo"sv,
                            "squeue"sv,
                            "srun"sv,
                            "sudo"sv,
                            "sysctl"sv,
                            "systemctl"sv,
                            "uname"sv,
                            "virsh"sv,
                            "virtctl"sv,
                            "zcat"sv,
                            "zgrep"sv};

// Tools whose names are words too.
constexpr std::array kToolsAndWords{"dpkg"sv, "find"sv, "head"sv, "more"sv, "rpm"sv, "sed"sv, "sort"sv, "tail"sv};

// Tools that print what somebody else wrote.
constexpr std::array kPassThrough{"awk"sv,  "cat"sv,  "crictl"sv, "docker"sv,  "egrep"sv,  "find"sv, "grep"sv,
                                  "head"sv, "less"sv, "more"sv,   "nerdctl"sv, "podman"sv, "sed"sv,  "sort"sv,
                                  "ssh"sv,  "tail"sv, "zcat"sv,   "zgrep"sv,   "zless"sv};

template <class List>
bool contains_word(const List& list, std::string_view word) {
    return std::find(list.begin(), list.end(), word) != list.end();
}

bool is_word_byte(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' ||
           c == '.';
}

std::string_view base_name(std::string_view path) {
    const std::size_t slash = path.rfind('/');
    return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

bool is_assignment(std::string_view word) {
    const std::size_t equals = word.find('=');
    return equals != std::string_view::npos && equals > 0 &&
           std::all_of(word.begin(), word.begin() + static_cast<std::ptrdiff_t>(equals), is_word_byte);
}

bool looks_like_command(std::string_view command) {
    const char first = command.front();
    return (first >= 'a' && first <= 'z') || (first >= 'A' && first <= 'Z') || first == '/' || first == '.' ||
           first == '~' || first == '_';
}

/// "user@host", perhaps with ":path" behind it.
bool has_user_and_host(std::string_view text) {
    const std::size_t at = text.find('@');
    if (at == std::string_view::npos || at == 0 || at + 1 >= text.size()) return false;
    return std::all_of(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), is_word_byte) &&
           is_word_byte(text[at + 1]);
}

/// "[root@node ~]# cmd", "[root@node ~]$"
std::optional<std::string_view> parse_bracket_prompt(std::string_view line) {
    const std::size_t close = line.substr(0, kMaxPromptBytes).find(']');
    if (close == std::string_view::npos || close + 1 >= line.size()) return std::nullopt;
    const char sign = line[close + 1];
    if (sign != '#' && sign != '$') return std::nullopt;
    if (!has_user_and_host(line.substr(1, close - 1))) return std::nullopt;
    const std::string_view rest = line.substr(close + 2);
    if (!rest.empty() && rest.front() != ' ') return std::nullopt;
    return base::trim(rest);
}

/// "(venv) user@host:~$ cmd"
std::string_view without_environment_name(std::string_view line) {
    if (!line.starts_with('(')) return line;
    const std::size_t close = line.substr(0, kMaxPromptBytes).find(") ");
    return close == std::string_view::npos ? line : line.substr(close + 2);
}

}  // namespace

bool names_a_tool(std::string_view command) {
    for (std::string_view rest = base::trim_left(command); !rest.empty();) {
        const auto [word, after] = base::split_once(rest, " ");
        rest = base::trim_left(after);
        if (is_assignment(word)) continue;
        const auto name = base_name(word);
        return contains_word(kTools, name) ||
               (contains_word(kToolsAndWords, name) &&
                (word.front() == '/' || rest.starts_with('-') || rest.starts_with('/') || rest.starts_with('.')));
    }
    return false;
}

std::optional<std::string_view> parse_prompt(std::string_view line) {
    line = without_environment_name(line);
    if (line.size() < 2) return std::nullopt;
    if (line.front() == '[') return parse_bracket_prompt(line);
    std::size_t blank = std::min(line.substr(0, kMaxPromptBytes).find(' '), line.size());
    if (blank == 0 || blank > kMaxPromptBytes) return std::nullopt;
    // "/ # cmd": busybox puts a blank before the sign.
    const bool is_path = line.front() == '/' || line.front() == '~';
    if (is_path && (line.substr(blank).starts_with(" # ") || line.substr(blank).starts_with(" $ "))) blank += 2;
    const std::string_view prompt = line.substr(0, blank);
    const char sign = prompt.back();
    if (sign != '$' && sign != '#' && sign != '>' && sign != '%' && prompt != "+") return std::nullopt;
    const std::string_view command = base::trim(line.substr(blank));
    const std::string_view name = prompt.substr(0, prompt.size() - 1);
    if (has_user_and_host(name) && base::contains(name, ":")) return command;
    if (command.empty()) return std::nullopt;
    if (prompt == "$") return looks_like_command(command) ? std::optional(command) : std::nullopt;
    if (prompt == ">") return std::nullopt;
    return names_a_tool(command) ? std::optional(command) : std::nullopt;
}

namespace {

using Words = std::vector<std::string_view>;

void drop(Words& words, std::size_t count) {
    words.erase(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(std::min(count, words.size())));
}

/// sudo's and time's own options; "-u" takes a word with it.
void drop_with_options(Words& words) {
    drop(words, 1);
    while (!words.empty() && words.front().starts_with('-'))
        drop(words, words.front() == "-u" || words.front() == "-n" ? 2 : 1);
}

bool runs_inside(const Words& words) {
    return words.size() > 1 && (contains_word(words, "exec"sv) || contains_word(words, "debug"sv));
}

/// Takes one wrapper away; false when there is none.
bool unwrap(Words& words) {
    if (words.size() < 2) return false;
    const std::string_view tool = base_name(words.front());
    if (is_assignment(words.front())) {
        drop(words, 1);
    } else if (tool == "sudo") {
        drop(words, 1);
        while (!words.empty() && words.front().starts_with('-')) drop(words, words.front() == "-u" ? 2 : 1);
    } else if (tool == "watch" || tool == "time") {
        drop_with_options(words);
    } else if (tool == "timeout" || tool == "chroot") {
        drop(words, 2);
    } else if (tool == "microk8s" || tool == "k3s") {
        drop(words, 1);
    } else if (((tool == "kubectl" || tool == "oc") && runs_inside(words)) || tool == "nsenter") {
        const auto dashes = std::find(words.begin(), words.end(), "--"sv);
        if (dashes == words.end()) return false;
        drop(words, static_cast<std::size_t>(dashes - words.begin()) + 1);
    } else {
        return false;
    }
    return !words.empty();
}

}  // namespace

std::string effective_command(std::string_view command) {
    Words words = base::split_blanks(command);
    while (unwrap(words)) {
    }
    if (words.empty()) return {};
    words.front() = base_name(words.front());
    if (words.front() == "oc") words.front() = "kubectl";
    std::string result;
    for (const auto word : words) {
        if (!result.empty()) result += ' ';
        result += word;
    }
    return result;
}

bool content_decides(std::string_view command) {
    const Words words = base::split_blanks(command);
    if (words.empty()) return true;
    // The files of a PCI device are values without a name: only the command tells which they are.
    if (contains_word(kPassThrough, words.front())) return !base::contains(command, "/sys/bus/pci/devices/");
    if (words.front() != "kubectl") return false;
    // The first verb counts: "kubectl get pods -l app=logs" lists pods.
    for (const auto word : words) {
        if (word == "logs" || word == "exec" || word == "debug" || word == "attach") return true;
        if (word == "get" || word == "describe" || word == "top") return false;
    }
    return false;
}

}  // namespace gpumedic::bundle
