#include "evidence/host_facts/modules.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include "base/text.h"

namespace gpumedic::evidence::host_facts {
namespace {

constexpr std::string_view kNameBytes = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";

bool is_name(std::string_view text) {
    return !text.empty() && text.size() <= 64 && text.find_first_not_of(kNameBytes) == std::string_view::npos;
}

bool is_name_list(std::string_view text) {
    return text.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-,[]") ==
           std::string_view::npos;
}

bool is_version(std::string_view text) {
    return !text.empty() && text.front() >= '0' && text.front() <= '9' && !base::contains(text, " ");
}

}  // namespace

std::optional<Fact> parse_module_row(std::string_view line) {
    const auto words = base::split_blanks(line);
    if (words.size() < 3 || words.size() > 7 || line.front() == ' ' || !is_name(words[0])) return std::nullopt;
    const auto size = base::parse_number<std::uint64_t>(words[1]);
    // A count of -1 or -2 is printed of modules that cannot be unloaded.
    if (!size || *size < 1024 || !base::parse_number<std::int32_t>(words[2])) return std::nullopt;
    Fact fact;
    fact.type = model::RecordType::module;
    fact.set("module", words[0]);
    fact.set("count", words[2]);
    std::string_view state = "loaded";
    if (words.size() > 3) {
        if (!is_name_list(words[3])) return std::nullopt;
        auto users = words[3];
        while (users.ends_with(",")) users.remove_suffix(1);
        if (users != "-") fact.set("used_by", users);
    }
    if (words.size() > 4) {
        if (words[4] != "Live" && words[4] != "Loading" && words[4] != "Unloading") return std::nullopt;
        state = words[4] == "Live" ? "loaded" : words[4] == "Loading" ? "loading" : "unloading";
    }
    fact.set("state", state);
    return fact;
}

bool is_module_header(std::string_view line) {
    const auto words = base::split_blanks(line);
    return words.size() == 4 && words[0] == "Module" && words[1] == "Size" && words[2] == "Used" && words[3] == "by";
}

std::optional<Fact> parse_dkms_row(std::string_view line) {
    constexpr std::array<std::string_view, 5> kStates{"installed", "built", "added", "installed-weak", "broken"};
    const auto colon = line.rfind(": ");
    if (colon == std::string_view::npos || line.front() == ' ') return std::nullopt;
    // "(WARNING! Diff between built and installed module!)" may follow the state.
    const auto rest = base::trim(line.substr(colon + 2));
    auto head = line.substr(0, colon);
    auto state = rest.substr(0, rest.find_first_of(" ("));
    if (std::find(kStates.begin(), kStates.end(), state) == kStates.end()) return std::nullopt;
    auto pieces = base::split(head, ',');
    for (auto& piece : pieces) piece = base::trim(piece);
    Fact fact;
    fact.type = model::RecordType::module;
    std::string_view name = pieces.front();
    std::string_view version;
    std::size_t next = 1;
    if (const auto slash = name.find('/'); slash != std::string_view::npos) {
        version = name.substr(slash + 1);
        name = name.substr(0, slash);
    } else if (pieces.size() > 1) {
        version = pieces[1];
        next = 2;
    }
    if (!is_name(name) || !is_version(version)) return std::nullopt;
    fact.set("module", name);
    fact.set("version", version);
    fact.set("state", state);
    if (next < pieces.size()) fact.set("kernel", pieces[next]);
    return fact;
}

}  // namespace gpumedic::evidence::host_facts
