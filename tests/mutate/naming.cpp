// Other devices, links, nodes: the same story of another machine. The truth's devices are renamed with it.
#include <fmt/format.h>

#include <array>
#include <cctype>
#include <set>

#include "base/text.h"
#include "model/pci_address.h"
#include "pci_text.h"
#include "variant.h"

namespace gpumedic::mutate {
namespace {

void each_text(Variant& variant, const auto& change) {
    for (auto& [name, text] : variant.files) text = change(text);
    for (auto& device : variant.devices) device = change(device);
}

/// The buses of NVIDIA's functions, as far as the truth or the text says which these are.
std::set<std::uint32_t> gpu_buses(const Variant& variant) {
    std::set<std::uint32_t> out;
    for (const auto& device : variant.devices)
        if (const auto address = model::parse_pci_address(device)) out.insert(address->bus);
    return out;
}

/// Buses are exchanged, so that no two devices fall together.
std::optional<Variant> other_bus(const Step& step, Variant variant) {
    constexpr std::array<std::uint32_t, 6> kBuses{0x4f, 0xc8, 0x1d, 0xe5, 0x0b, 0x99};
    std::array<std::uint32_t, 256> map{};
    for (std::uint32_t i = 0; i < map.size(); ++i) map.at(i) = i;
    std::size_t next = step.random->below(kBuses.size());
    for (const auto bus : gpu_buses(variant)) std::swap(map.at(bus), map.at(kBuses.at(next++ % kBuses.size())));
    each_text(variant,
              [&](const auto& text) { return respelled(text, [&](Spelled& s) { s.bus = map.at(s.bus & 0xffU); }); });
    return variant;
}

/// All in another PCI domain, as on boards with several root complexes.
std::optional<Variant> other_domain(const Step&, Variant variant) {
    each_text(variant, [](const auto& text) {
        return respelled(text, [](Spelled& s) {
            if (s.domain_digits > 0) s.domain += 1;
        });
    });
    // lspci leaves out domain 0 only: what stood without a domain now has one.
    for (auto& [name, text] : variant.files)
        text = respelled(text, [](Spelled& s) {
            if (s.domain_digits == 0) s = {4, 1, s.bus, s.device, s.function, s.separator, s.upper};
        });
    for (auto& device : variant.devices)
        if (const auto address = model::parse_pci_address(device); address && address->domain == 0)
            device = "0001:" + device;
    return variant;
}

std::optional<Variant> upper_case(const Step&, Variant variant) {
    each_text(variant, [](const auto& text) { return respelled(text, [](Spelled& s) { s.upper = true; }); });
    return variant;
}
std::optional<Variant> lower_case(const Step&, Variant variant) {
    each_text(variant, [](const auto& text) { return respelled(text, [](Spelled& s) { s.upper = false; }); });
    return variant;
}

/// In listings only: lspci -D shows the domain, lspci alone does not.
std::optional<Variant> domain_shown(const Step& step, Variant variant) {
    for (auto& [name, text] : variant.files) {
        if (!base::contains(text, " controller") && !base::contains(text, "lspci")) continue;
        text = respelled(text, [&](Spelled& s) {
            if (step.number == 0 && s.domain_digits == 0) s.domain_digits = 4;
            if (step.number == 1 && s.domain_digits == 4 && s.domain == 0 && s.function) s.domain_digits = 0;
        });
    }
    return variant;
}

/// Numbers behind a word, exchanged by `to`.
std::string renumbered(std::string_view text, std::string_view word, unsigned modulo, unsigned shift) {
    std::string out;
    for (std::size_t at = 0; at < text.size();) {
        if (!text.substr(at).starts_with(word)) {
            out += text[at++];
            continue;
        }
        out += word;
        at += word.size();
        auto end = at;
        while (end < text.size() && end - at < 3 && std::isdigit(static_cast<unsigned char>(text[end])) != 0) ++end;
        const auto number = base::parse_number<unsigned>(text.substr(at, end - at));
        const bool whole =
            end == text.size() || (std::isalnum(static_cast<unsigned char>(text[end])) == 0 && text[end] != '-');
        if (!number || *number >= modulo || !whole) continue;
        // "Link 02" keeps its two digits.
        out += fmt::format("{:0{}}", (*number + shift) % modulo, text[at] == '0' && end - at == 2 ? 2 : 1);
        at = end;
    }
    return out;
}

std::optional<Variant> other_links(const Step& step, Variant variant) {
    const auto shift = static_cast<unsigned>(1 + step.random->below(17));
    each_text(variant,
              [&](const auto& text) { return renumbered(renumbered(text, "Link ", 18, shift), "link ", 18, shift); });
    return variant;
}

/// Rows of tables and csv begin with the index.
std::string with_other_rows(std::string_view text, unsigned shift) {
    std::string out;
    const bool csv = base::contains(text, "format=csv") && base::contains(text, "=index");
    for (const auto line : base::split(text, '\n')) {
        if (!out.empty()) out += '\n';
        std::string changed(line);
        if (csv && line.size() > 2 && line[0] >= '0' && line[0] <= '7' && line[1] == ',')
            changed[0] = static_cast<char>('0' + (line[0] - '0' + static_cast<int>(shift)) % 8);
        if (line.starts_with("|   ") && line.size() > 7 && line[4] >= '0' && line[4] <= '7' && line[5] == ' ')
            changed[4] = static_cast<char>('0' + (line[4] - '0' + static_cast<int>(shift)) % 8);
        out += changed;
    }
    return out;
}

std::optional<Variant> other_index(const Step& step, Variant variant) {
    // A table of csv rows without its command does not say which column is the index.
    const auto shift = static_cast<unsigned>(1 + step.random->below(6));
    for (const auto& [name, text] : variant.files)
        if (text.starts_with("0, ")) return std::nullopt;
    each_text(variant, [&](const auto& text) {
        auto out = with_other_rows(text, shift);
        for (const auto word : {"GPU ", "GPU", "gpu ", "minor number ", "index: "})
            out = renumbered(out, word, 8, shift);
        return out;
    });
    return variant;
}

std::optional<Variant> other_switch(const Step& step, Variant variant) {
    const auto shift = static_cast<unsigned>(1 + step.random->below(3));
    each_text(variant, [&](const auto& text) { return renumbered(text, "nvidia-nvswitch", 4, shift); });
    return variant;
}

std::optional<Variant> other_host(const Step& step, Variant variant) {
    constexpr std::array<std::string_view, 3> kHosts{"zz-renamed-0042", "n1", "gpu07.rack3.example.net"};
    if (step.subject->node.size() < 3) return std::nullopt;
    for (auto& [name, text] : variant.files)
        text = base::replace_all(text, step.subject->node, kHosts.at(step.number % kHosts.size()));
    return variant;
}

}  // namespace

std::vector<Kind> naming_kinds() {
    constexpr auto kAlso = Kind::Use::also_combined;
    return {{"name other bus", 3, other_bus, kAlso},
            {"name other domain", 1, other_domain},
            {"name upper-case hex", 1, upper_case},
            {"name lower-case hex", 1, lower_case},
            {"name domain in listings", 2, domain_shown},
            {"name other links", 1, other_links, kAlso},
            {"name other GPU index", 1, other_index},
            {"name other NVSwitch", 1, other_switch, kAlso},
            {"name other host", 3, other_host}};
}

}  // namespace gpumedic::mutate
