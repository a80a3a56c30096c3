#include "verify/baseline.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "base/text.h"
#include "codec/value.h"
#include "model/pci_address.h"

namespace gpumedic::verify {
namespace {

using base::ErrorCode;
using codec::Value;

constexpr std::string_view kSchema = "gpumedic.baseline/v1";

struct TextField {
    std::string_view name;
    std::string ExpectedDevice::* member;
};
constexpr std::array<TextField, 6> kTextFields{{{"kind", &ExpectedDevice::kind},
                                                {"id", &ExpectedDevice::id},
                                                {"model", &ExpectedDevice::model},
                                                {"driver", &ExpectedDevice::driver},
                                                {"iommu_group", &ExpectedDevice::iommu_group},
                                                {"pcie_width", &ExpectedDevice::width}}};
constexpr std::string_view kLinks = "nvlinks";

/// A double-quoted YAML scalar.
std::string quoted(std::string_view text) {
    std::string out = "\"";
    for (const char letter : text) {
        if (letter == '"' || letter == '\\') out += '\\';
        out += static_cast<unsigned char>(letter) < 0x20 ? ' ' : letter;
    }
    return out + "\"";
}

bool belongs(const SeenDevice& device, const std::set<std::string>& groups) {
    return device.kind == "gpu" || device.kind == "nvswitch" || device.id.starts_with("10de:") ||
           (!device.iommu_group.empty() && groups.contains(device.iommu_group));
}

void render_device(std::string& out, const std::string& pci, const ExpectedDevice& device) {
    out += fmt::format("  {}:\n", quoted(pci));
    for (const auto& [name, member] : kTextFields)
        if (!(device.*member).empty()) out += fmt::format("    {}: {}\n", name, quoted(device.*member));
    if (device.links) out += fmt::format("    {}: {}\n", kLinks, *device.links);
}

void render_map(std::string& out, std::string_view title, const std::map<std::string, std::string>& values) {
    if (values.empty()) return;
    out += fmt::format("{}:\n", title);
    for (const auto& [key, value] : values) out += fmt::format("  {}: {}\n", quoted(key), quoted(value));
}

class Parser {
public:
    Parser(const std::string& path, Baseline& baseline) : path_(path), baseline_(baseline) {}

    base::Result<void> top(const Value& tree) {
        if (!tree.is_map()) return mistake(tree.line, tree.column, "must hold fields");
        if (tree.text({"schema"}) != kSchema)
            return mistake(tree.line, tree.column, fmt::format("schema must be {}", kSchema));
        for (const auto& member : tree.members)
            if (auto done = one(member); !done) return done;
        return {};
    }

private:
    tl::unexpected<base::Error> mistake(std::uint32_t line, std::uint32_t column, std::string what) const {
        return base::fail(ErrorCode::malformed, std::move(what), fmt::format("{}:{}:{}", path_, line, column),
                          "gpumedic baseline save writes such a file");
    }

    base::Result<void> one(const codec::Member& member) {
        const auto& key = member.key;
        if (key == "schema") return {};
        if (key == "node" || key == "saved") {
            (key == "node" ? baseline_.node : baseline_.saved) = member.value.scalar;
            return {};
        }
        if (key == "devices") return devices(member.value);
        if (key == "versions") return texts(member.value, baseline_.versions);
        if (key == "allocatable") return texts(member.value, baseline_.allocatable);
        if (key == "vms") {
            for (const auto& item : member.value.items) baseline_.vms.push_back(item.scalar);
            return {};
        }
        return mistake(member.line, member.column, fmt::format("unknown field \"{}\"", base::printable(key)));
    }

    base::Result<void> texts(const Value& value, std::map<std::string, std::string>& target) {
        for (const auto& member : value.members) {
            if (!member.value.is_scalar()) return mistake(member.line, member.column, "must be a text or a number");
            target[member.key] = member.value.scalar;
        }
        return {};
    }

    base::Result<void> devices(const Value& value) {
        for (const auto& member : value.members) {
            const auto pci = model::parse_pci_address(member.key);
            if (!pci)
                return mistake(member.line, member.column,
                               fmt::format("\"{}\" is no PCI address", base::printable(member.key)));
            auto& device = baseline_.devices[pci->to_string()];
            for (const auto& field : member.value.members)
                if (auto done = device_field(field, device); !done) return done;
        }
        return {};
    }

    base::Result<void> device_field(const codec::Member& field, ExpectedDevice& device) {
        const auto known = std::find_if(kTextFields.begin(), kTextFields.end(),
                                        [&](const auto& text) { return text.name == field.key; });
        if (known != kTextFields.end()) {
            device.*(known->member) = field.value.scalar;
            return {};
        }
        if (field.key != kLinks)
            return mistake(field.line, field.column, fmt::format("unknown field \"{}\"", base::printable(field.key)));
        std::uint32_t links = 0;
        for (const char digit : field.value.scalar) {
            if (digit < '0' || digit > '9' || links > 1000)
                return mistake(field.value.line, field.value.column, "nvlinks must be a number");
            links = links * 10 + static_cast<std::uint32_t>(digit - '0');
        }
        device.links = links;
        return {};
    }

    const std::string& path_;
    Baseline& baseline_;
};

}  // namespace

Baseline baseline_of(const Inventory& seen, std::string node, std::string saved) {
    Baseline baseline{.node = std::move(node), .saved = std::move(saved)};
    std::set<std::string> groups;
    for (const auto& [pci, device] : seen.devices)
        if ((device.kind == "gpu" || device.kind == "nvswitch") && !device.iommu_group.empty())
            groups.insert(device.iommu_group);
    for (const auto& [pci, device] : seen.devices) {
        if (!belongs(device, groups)) continue;
        baseline.devices[pci] = {device.kind.empty() ? "other" : device.kind,
                                 device.id,
                                 device.model,
                                 device.driver,
                                 device.iommu_group,
                                 device.width.empty() ? device.width_max : device.width,
                                 device.links_active};
    }
    for (const auto& [name, version] :
         {std::pair{"driver", &seen.driver_version}, std::pair{"fabric_manager", &seen.fabric_manager_version},
          std::pair{"kernel", &seen.kernel}})
        if (!version->empty()) baseline.versions[name] = *version;
    for (const auto& [name, resource] : seen.resources)
        if (!resource.allocatable.empty() && base::contains(name, "/"))
            baseline.allocatable[name] = resource.allocatable;
    for (const auto& [name, vm] : seen.vms)
        if (vm.status == "Running" || vm.phase == "Running") baseline.vms.push_back(name);
    return baseline;
}

std::string render_yaml(const Baseline& baseline) {
    std::string out =
        "# What this node should have. Written from what was there; review it: from now on it is expected.\n"
        "# A field that is left out is not checked.\n";
    out += fmt::format("schema: {}\nnode: {}\nsaved: {}\n", kSchema, quoted(baseline.node), quoted(baseline.saved));
    if (!baseline.devices.empty()) out += "devices:\n";
    for (const auto& [pci, device] : baseline.devices) render_device(out, pci, device);
    render_map(out, "versions", baseline.versions);
    render_map(out, "allocatable", baseline.allocatable);
    if (!baseline.vms.empty()) out += "vms:\n";
    for (const auto& vm : baseline.vms) out += fmt::format("  - {}\n", quoted(vm));
    return out;
}

base::Result<Baseline> parse_baseline(std::string_view text, const std::string& path) {
    const auto trees = codec::parse_yaml(text);
    if (!trees) return base::fail(ErrorCode::malformed, trees.error().what, path + ":" + trees.error().where);
    if (trees->size() != 1) return base::fail(ErrorCode::malformed, "must be one YAML document", path);
    Baseline baseline;
    if (auto done = Parser(path, baseline).top(trees->front()); !done) return tl::make_unexpected(done.error());
    return baseline;
}

namespace {

void compare(std::vector<Difference>& out, const std::string& what, std::string_view field, const std::string& expected,
             const std::string& seen) {
    if (!expected.empty() && !seen.empty() && expected != seen)
        out.push_back({what, std::string(field), expected, seen});
}

void compare_device(std::vector<Difference>& out, const std::string& pci, const ExpectedDevice& expected,
                    const SeenDevice& seen) {
    compare(out, pci, "id", expected.id, seen.id);
    compare(out, pci, "model", expected.model, seen.model);
    compare(out, pci, "driver", expected.driver, seen.driver);
    compare(out, pci, "iommu_group", expected.iommu_group, seen.iommu_group);
    compare(out, pci, "pcie_width", expected.width, seen.width);
    if (expected.links && seen.links_active)
        compare(out, pci, kLinks, std::to_string(*expected.links), std::to_string(*seen.links_active));
}

}  // namespace

std::vector<Difference> differences(const Baseline& expected, const Inventory& seen) {
    std::vector<Difference> out;
    const bool lists_devices = std::any_of(seen.devices.begin(), seen.devices.end(),
                                           [](const auto& entry) { return !entry.second.id.empty(); });
    for (const auto& [pci, device] : expected.devices) {
        const auto found = seen.devices.find(pci);
        if (found != seen.devices.end()) {
            compare_device(out, pci, device, found->second);
        } else if (lists_devices) {
            out.push_back({pci, {}, device.model.empty() ? device.kind : device.model, {}});
        }
    }
    if (!expected.devices.empty())
        for (const auto& [pci, device] : seen.devices)
            if ((device.kind == "gpu" || device.kind == "nvswitch") && !expected.devices.contains(pci))
                out.push_back({pci, {}, {}, device.model.empty() ? device.kind : device.model});
    for (const auto& [name, count] : expected.allocatable) {
        const auto found = seen.resources.find(name);
        if (found != seen.resources.end()) compare(out, "allocatable " + name, {}, count, found->second.allocatable);
    }
    const std::array<std::pair<std::string, const std::string*>, 3> versions{
        {{"driver", &seen.driver_version}, {"fabric_manager", &seen.fabric_manager_version}, {"kernel", &seen.kernel}}};
    for (const auto& [name, version] : versions)
        if (const auto found = expected.versions.find(name); found != expected.versions.end())
            compare(out, "version " + name, {}, found->second, *version);
    return out;
}

}  // namespace gpumedic::verify
