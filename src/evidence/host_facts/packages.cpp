#include "evidence/host_facts/packages.h"

#include <algorithm>
#include <array>

#include "base/text.h"

namespace gpumedic::evidence::host_facts {
namespace {

constexpr std::string_view kNameBytes = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.+-:";

bool is_name(std::string_view text) {
    return text.size() >= 2 && text.find_first_not_of(kNameBytes) == std::string_view::npos;
}

bool starts_with_digit(std::string_view text) { return !text.empty() && text.front() >= '0' && text.front() <= '9'; }

/// Two letters (wanted, is) and perhaps the mark of an error.
bool is_dpkg_state(std::string_view word) {
    constexpr std::string_view kWanted = "uirph";
    constexpr std::string_view kIs = "ncHUFWti";
    return (word.size() == 2 || (word.size() == 3 && word[2] == 'R')) &&
           kWanted.find(word[0]) != std::string_view::npos && kIs.find(word[1]) != std::string_view::npos;
}

}  // namespace

bool is_gpu_package(std::string_view name) {
    constexpr std::array<std::string_view, 9> kStarts{
        "cuda", "libcuda", "dcgm", "datacenter-gpu-manager", "mft", "nvlsm", "libnvsdm", "doca", "nvlink"};
    if (base::contains(name, "nvidia") || base::contains(name, "fabricmanager")) return true;
    return std::any_of(kStarts.begin(), kStarts.end(), [&](std::string_view start) { return name.starts_with(start); });
}

std::optional<Fact> parse_dpkg_row(std::string_view line) {
    const auto words = base::split_blanks(line);
    if (words.size() < 3 || !is_dpkg_state(words[0]) || !is_name(words[1])) return std::nullopt;
    const bool versioned = starts_with_digit(words[2]) || words[2] == "<none>";
    if (!versioned) return std::nullopt;
    Fact fact;
    fact.type = model::RecordType::package;
    fact.set("package", words[1].substr(0, words[1].find(':')));
    if (words[2] != "<none>") fact.set("version", words[2]);
    fact.set("state", words[0]);
    return fact;
}

bool is_dpkg_head(std::string_view line) {
    return line.starts_with("Desired=Unknown/") || line.starts_with("| Status=Not/Inst") ||
           line.starts_with("|/ Err?=") || line.starts_with("||/ Name") || line.starts_with("+++-=");
}

std::optional<Fact> parse_rpm_row(std::string_view line) {
    constexpr std::array<std::string_view, 5> kArchitectures{".x86_64", ".noarch", ".aarch64", ".i686", ".ppc64le"};
    const auto text = base::trim(line);
    const auto arch =
        std::find_if(kArchitectures.begin(), kArchitectures.end(), [&](auto end) { return text.ends_with(end); });
    if (arch == kArchitectures.end()) return std::nullopt;
    const auto full = text.substr(0, text.size() - arch->size());
    const auto release = full.rfind('-');
    if (release == std::string_view::npos || release == 0) return std::nullopt;
    const auto version = full.rfind('-', release - 1);
    if (version == std::string_view::npos || !is_name(full.substr(0, version))) return std::nullopt;
    if (!starts_with_digit(full.substr(version + 1))) return std::nullopt;
    Fact fact;
    fact.type = model::RecordType::package;
    fact.set("package", full.substr(0, version));
    fact.set("version", full.substr(version + 1));
    return fact;
}

}  // namespace gpumedic::evidence::host_facts
