#include "adapters/bmc/walk.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "base/text.h"
#include "codec/value.h"

namespace gpumedic::adapters::bmc {
namespace {

using codec::Value;
using ports::ServiceText;
using Outcome = ServiceText::Outcome;

constexpr std::string_view kRoot = "/redfish/v1";

Outcome outcome_of(base::ErrorCode code) {
    using base::ErrorCode;
    if (code == ErrorCode::not_found) return Outcome::absent;
    if (code == ErrorCode::denied || code == ErrorCode::unauthorised) return Outcome::denied;
    return code == ErrorCode::timed_out ? Outcome::timed_out : Outcome::failed;
}

/// Whether the next document would end the same. A document that is missing, refused or broken on the BMC's side (HTTP
/// 500 for one log is ordinary) is one document.
bool comes_back(base::ErrorCode code) {
    using base::ErrorCode;
    return code == ErrorCode::unreachable || code == ErrorCode::unauthorised || code == ErrorCode::timed_out;
}

/// "/redfish/v1/Systems/1/LogServices/SEL/Entries?$skip=50" ->
/// "bmc/redfish/Systems/1/LogServices/SEL/Entries-skip-50.json"
std::string name_of(std::string_view path) {
    path.remove_prefix(std::min(path.size(), kRoot.size()));
    std::string name = "bmc/redfish";
    if (path.empty() || path == "/") name += "/root";
    for (const char letter : path.ends_with('/') ? path.substr(0, path.size() - 1) : path) {
        const bool plain = std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '/' || letter == '_';
        if (plain || !name.ends_with('-')) name += plain ? letter : '-';
    }
    return name + ".json";
}

/// A link goes to the same BMC, and stays inside of its tree.
bool is_link(std::string_view path) {
    return path.starts_with("/redfish/") && path.size() < 500 && path.find("..") == std::string_view::npos &&
           std::none_of(path.begin(), path.end(), [](char letter) { return letter <= ' ' || letter > '~'; });
}

std::string link(const Value& document, std::initializer_list<std::string_view> path) {
    const auto text = document.text(path);
    return is_link(text) ? std::string(text) : std::string{};
}

std::vector<std::string> members(const Value& collection, std::size_t cap) {
    std::vector<std::string> links;
    const auto* list = collection.find("Members");
    if (list == nullptr) return links;
    for (const auto& item : list->items)
        if (auto to = link(item, {"@odata.id"}); !to.empty() && links.size() < cap) links.push_back(std::move(to));
    return links;
}

class Walk {
public:
    Walk(const Get& get, const WalkLimits& limits) : get_(get), limits_(limits) {}

    std::vector<ServiceText> run() {
        const auto root = read(std::string(kRoot) + "/", Keep::no);
        if (!root) return std::move(texts_);
        for (const auto& system : parts(*root, "Systems")) take_part(system, Keep::yes);
        for (const auto& manager : parts(*root, "Managers")) take_part(manager, Keep::no);
        for (const auto& chassis : parts(*root, "Chassis")) take_chassis(chassis);
        return std::move(texts_);
    }

private:
    enum class Keep : std::uint8_t { no, yes };

    std::optional<Value> read(const std::string& path, Keep keep) {
        if (over_ || path.empty() || !asked_.insert(path).second) return std::nullopt;
        auto text = get_(path);
        if (!text) {
            const auto& error = text.error();
            over_ = comes_back(error.code);
            tell(path, outcome_of(error.code), error.help.empty() ? error.what : error.what + "; " + error.help);
            return std::nullopt;
        }
        bytes_ += text->size();
        if (bytes_ > limits_.bytes) {
            over_ = true;
            tell(path, Outcome::truncated, fmt::format("the texts are larger than {} bytes", limits_.bytes));
            return std::nullopt;
        }
        auto tree = codec::parse_json(*text);
        if (!tree) {
            texts_.push_back({name_of(path), std::move(*text), Outcome::failed, "is not JSON: " + tree.error().what});
            return std::nullopt;
        }
        if (keep == Keep::yes) texts_.push_back({name_of(path), std::move(*text), Outcome::ok, {}});
        return std::move(*tree);
    }

    void tell(const std::string& path, Outcome outcome, std::string why) {
        texts_.push_back({name_of(path), {}, outcome, std::move(why)});
    }

    std::vector<std::string> parts(const Value& root, std::string_view kind) {
        const auto collection = read(link(root, {kind, "@odata.id"}), Keep::no);
        return collection ? members(*collection, limits_.parts) : std::vector<std::string>{};
    }

    std::optional<Value> take_part(const std::string& path, Keep keep) {
        auto part = read(path, keep);
        if (!part) return part;
        const auto services = read(link(*part, {"LogServices", "@odata.id"}), Keep::no);
        if (!services) return part;
        for (const auto& service : members(*services, limits_.logs))
            if (const auto log = read(service, Keep::no)) take_entries(link(*log, {"Entries", "@odata.id"}));
        return part;
    }

    void take_entries(std::string path) {
        for (std::size_t page = 0; page < limits_.pages && !path.empty(); ++page) {
            const auto entries = read(path, Keep::yes);
            if (!entries) return;
            path = link(*entries, {"Members@odata.nextLink"});
        }
        if (!path.empty()) tell(path, Outcome::truncated, fmt::format("more than {} pages", limits_.pages));
    }

    /// Newer services have ThermalSubsystem and Sensors beside or instead of Thermal and Power; the two old ones give
    /// all readings in two requests, so they come first.
    void take_chassis(const std::string& path) {
        const auto chassis = take_part(path, Keep::no);
        if (!chassis) return;
        bool any = false;
        for (const auto* kind : {"Thermal", "Power"})
            any = read(link(*chassis, {kind, "@odata.id"}), Keep::yes).has_value() || any;
        if (any) return;
        const auto sensors = read(link(*chassis, {"Sensors", "@odata.id"}), Keep::no);
        if (!sensors) return;
        for (const auto& sensor : members(*sensors, kMaxSensors)) static_cast<void>(read(sensor, Keep::yes));
    }

    static constexpr std::size_t kMaxSensors = 100;
    const Get& get_;
    const WalkLimits limits_;
    std::vector<ServiceText> texts_;
    std::set<std::string> asked_;
    std::size_t bytes_{0};
    bool over_{false};
};

}  // namespace

std::vector<ServiceText> walk(const Get& get, const WalkLimits& limits) { return Walk(get, limits).run(); }

}  // namespace gpumedic::adapters::bmc
